import type { JudgedFinding, JudgedText } from "../accuracy/authors/judge.ts";
import { calibrate, fitIsotonic, type Observation } from "./isotonic.ts";

/** A finding of an author's text. */
export interface AuthorObservation extends Observation {
  readonly author: string;
  readonly weight: number;
}

/** A finding without a confidence makes no reservation. */
const scoreOf = ({ confidence = 1 }: JudgedFinding): number => confidence;

/** Says whether a finding is right: of the category that is broken, and on the marked passage if one is marked. */
function isRight({ text }: JudgedText, { category, isOnPassage }: JudgedFinding): boolean {
  return text.label === "violation" && category === text.expectedCategory && isOnPassage !== false;
}

/**
 * Takes down every finding, candidates included, as if a share of all texts were violations.
 *
 * @param baseRate - The share, between 0 and 1.
 */
export function toObservations(
  texts: readonly JudgedText[],
  baseRate: number,
): AuthorObservation[] {
  const violations = texts.filter(({ text }) => text.label === "violation").length;
  const weights = {
    violation: baseRate / violations,
    ok: (1 - baseRate) / (texts.length - violations),
  };
  return texts.flatMap((judged) =>
    judged.findings.map((finding) => ({
      author: judged.text.author,
      score: scoreOf(finding),
      isRight: isRight(judged, finding),
      // Of 1,000 texts.
      weight: weights[judged.text.label] * 1000,
    })),
  );
}

/**
 * Gives each observation the probability that those of all other authors give to its score.
 *
 * Needs observations of two authors at least.
 */
export function crossCalibrate<T extends AuthorObservation>(observations: readonly T[]): T[] {
  const authors = new Set(observations.map(({ author }) => author));
  const calibrations = new Map(
    Array.from(authors, (author) => [
      author,
      fitIsotonic(observations.filter((one) => one.author !== author)),
    ]),
  );
  return observations.map((one) => {
    const calibration = calibrations.get(one.author);
    return calibration ? { ...one, score: calibrate(calibration, one.score) } : one;
  });
}
