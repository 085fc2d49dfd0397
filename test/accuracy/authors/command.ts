import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillMarkers } from "../../../.ci/docs/markdown.ts";
import { crossCalibrate, toObservations } from "../../calibration/observations.ts";
import { formatReliability } from "../../calibration/print.ts";
import { toReliability, type Reliability } from "../../calibration/reliability.ts";
import { builtInModelFacts } from "../../../src/compliance/learned/built-in-second-look.ts";
import { LearnedSecondLook } from "../../../src/compliance/learned/second-look.ts";
import { toRecords } from "../../../src/compliance/learned/weight-records.ts";
import { readFoldModels, type FoldModel } from "../../training/fold-models.ts";
import { createReplay } from "../evaluate-items.ts";
import { scoreReplies } from "../judge/command.ts";
import { curveOf } from "./curve.ts";
import { digestOfFindings } from "./digest.ts";
import { toFigures, type AuthorFigures } from "./figures.ts";
import { findRun, HeldOutError, runHeldOut } from "./held-out.ts";
import { judgeText, type JudgedText } from "./judge.ts";
import { listPatterns, toPatternFigures, writePatternFigures } from "./pattern-figures.ts";
import { formatPatterns, scorePatterns } from "./patterns.ts";
import {
  AUTHORS,
  EXCERPTS,
  GOLDEN_FINDINGS,
  HELD_OUT,
  JUDGE_REPLIES,
  REPOSITORY,
  RUN_LOG,
  SCORED_FILES,
} from "./places.ts";
import { toPaperParts } from "./paper-tables.ts";
import { formatCurve, formatDetails, formatFigures } from "./print.ts";
import { writeResults } from "./results-file.ts";
import { MAX_RUNS, readRunsFile } from "./run-log.ts";
import { formatRows, scoreRows } from "./rows.ts";
import { scoreTexts, type AuthorScore } from "./score.ts";
import { readScoredState } from "./scored-state.ts";
import { readAuthorTexts } from "./texts.ts";

/** What a command answers: lines for people, figures for programs. */
export interface CommandAnswer {
  readonly lines: readonly string[];
  readonly figures: unknown;
}

/**
 * Judges the texts of every author of a folder by the rules as they are shipped.
 *
 * @param secondLook - `null` for the wording alone.
 */
export function judgeFolder(folder: string, secondLook?: null): JudgedText[] {
  const replay = createReplay([], secondLook);
  return readAuthorTexts(folder).map((text) => judgeText(text, replay));
}

/** Judges the texts of each author by a second look that was trained without that author. */
function crossJudge(folder: string, folds: readonly FoldModel[]): JudgedText[] {
  const replays = folds.map(({ authors, model }) => ({
    authors,
    replay: createReplay([], new LearnedSecondLook(model.facts, toRecords(model.weights))),
  }));
  return readAuthorTexts(folder).flatMap((text) => {
    const fold = replays.find(({ authors }) => authors.includes(text.author));
    return fold ? [judgeText(text, fold.replay)] : [];
  });
}

const CROSS_JUDGED = "  each author judged by a second look that was trained without them";
const NOT_CROSS_JUDGED =
  "  by the second look as it is shipped, which was TRAINED with these authors: npm run train makes those for fair figures";

function listMisses(judged: readonly JudgedText[]): string[] {
  return judged.flatMap(({ text, requiresReview, findings }) => {
    const rules = findings.map(({ rule }) => rule).join("+");
    if (text.label === "ok") return requiresReview ? [`  FP ${text.id} ${rules}`] : [];
    const isFound = findings.some(
      ({ isReviewed, category }) => isReviewed && category === text.expectedCategory,
    );
    return isFound ? [] : [`  FN ${text.id} ${text.expectedRule} ${rules}`.trimEnd()];
  });
}

interface Reliabilities {
  readonly baseRate: number;
  /** Of the confidence of findings and candidates as it is. */
  readonly confidence: Reliability;
  /** Of what the findings in texts of the other authors make of it. */
  readonly crossCalibrated: Reliability;
}

function measureReliability(judged: readonly JudgedText[], baseRate: number): Reliabilities {
  const observations = toObservations(judged, baseRate);
  return {
    baseRate,
    confidence: toReliability(observations),
    crossCalibrated: toReliability(crossCalibrate(observations)),
  };
}

function formatReliabilities(measured: Reliabilities): string[] {
  const { baseRate, confidence, crossCalibrated } = measured;
  return [
    `  is confidence a probability, if ${+(baseRate * 100).toPrecision(3)} % of all texts were violations?`,
    ...formatReliability("as it is", confidence),
    ...formatReliability("calibrated on the other authors", crossCalibrated),
  ];
}

/** Scores the authors that may be worked with. */
export function scoreAuthors(options: {
  readonly out?: string | undefined;
  /** Share of violations among all texts for which to say how far confidence is a probability. */
  readonly baseRate?: number | undefined;
  readonly withMisses: boolean;
}): CommandAnswer {
  const folds = readFoldModels(builtInModelFacts().trainedOn);
  const judged = folds ? crossJudge(AUTHORS, folds) : judgeFolder(AUTHORS);
  if (options.out !== undefined) writeResults(options.out, judged);
  const score = scoreTexts(judged);
  const { byFamily, alarmingRules } = score;
  const curve = curveOf(judged);
  const reliability =
    options.baseRate === undefined ? undefined : measureReliability(judged, options.baseRate);
  return {
    lines: [
      ...formatFigures("authors", score),
      folds ? CROSS_JUDGED : NOT_CROSS_JUDGED,
      ...formatCurve(curve),
      ...formatDetails(score),
      ...(reliability ? formatReliabilities(reliability) : []),
      ...(options.withMisses ? listMisses(judged) : []),
    ],
    figures: {
      isCrossValidated: folds !== undefined,
      ...toFigures(score),
      byFamily,
      alarmingRules,
      curve,
      ...(reliability && { reliability }),
    },
  };
}

/**
 * Scores each pattern on the authors that may be worked with, by the wording alone.
 *
 * @param isWritten - Whether to write what is shown beside each pattern.
 */
export function scoreAuthorPatterns(isWritten: boolean): CommandAnswer {
  const judged = judgeFolder(AUTHORS, null);
  const patterns = scorePatterns(judged);
  if (isWritten) writePatternFigures(toPatternFigures(judged, patterns, listPatterns()));
  return { lines: formatPatterns(patterns), figures: { patterns } };
}

/** Scores each phrase on all authors that may be worked with, of long and of short texts; none of them has seen a rule. */
export function scoreAuthorRows(): CommandAnswer {
  const rows = scoreRows([AUTHORS, EXCERPTS].flatMap(readAuthorTexts));
  return { lines: formatRows(rows), figures: { rows } };
}

const scoreHeldOutTexts = (): AuthorScore => scoreTexts(judgeFolder(HELD_OUT));

/** Scores the held-out authors, and logs the run unless this behaviour was scored before. */
export function scoreHeldOut(reason: string): CommandAnswer {
  const { score, number, isRepeated } = runHeldOut({
    log: RUN_LOG,
    state: readScoredState({
      repository: REPOSITORY,
      findings: GOLDEN_FINDINGS,
      scoredFiles: SCORED_FILES,
    }),
    reason,
    date: new Date().toISOString().slice(0, 10),
    score: scoreHeldOutTexts,
  });
  const note = isRepeated
    ? `the behaviour of run ${number}, scored again: nothing is logged`
    : `run ${number} of ${MAX_RUNS}, logged in test/accuracy/held-out-runs.md: commit it`;
  return {
    lines: [...formatFigures("held-out authors", score), `  ${note}`],
    figures: toFigures(score),
  };
}

/** Gives the figures of the held-out authors if this behaviour was scored in a logged run; else says why not. */
export function repeatHeldOut(): {
  readonly heldOutAuthors: AuthorFigures | null;
  readonly heldOutAuthorsNote: string;
} {
  const run = findRun(readRunsFile(RUN_LOG), digestOfFindings(GOLDEN_FINDINGS));
  if (run)
    return {
      heldOutAuthors: toFigures(scoreHeldOutTexts()),
      heldOutAuthorsNote: `the behaviour of run ${run.number} in test/accuracy/held-out-runs.md`,
    };
  return {
    heldOutAuthors: null,
    heldOutAuthorsNote:
      'not scored: no logged run has this behaviour; npm run accuracy -- --held-out "<reason>" scores and logs it',
  };
}

/**
 * Writes the tables of docs/accuracy.md.
 *
 * @throws HeldOutError unless a logged run has this behaviour.
 * @throws Error without the models of the folds.
 */
export async function writePapers(): Promise<CommandAnswer> {
  const { trainedOn, baseRate } = builtInModelFacts();
  const folds = readFoldModels(trainedOn);
  if (!folds) throw new Error("the models of the folds are not there: npm run train makes them");
  const run = findRun(readRunsFile(RUN_LOG), digestOfFindings(GOLDEN_FINDINGS));
  if (!run) throw new HeldOutError("no logged run on the held-out authors has this behaviour");
  const judged = crossJudge(AUTHORS, folds);
  const parts = toPaperParts({
    heldOut: scoreHeldOutTexts(),
    others: scoreTexts(judged),
    curve: curveOf(judged),
    reliability: measureReliability(judged, baseRate).confidence,
    judge: await scoreReplies({ texts: HELD_OUT, replies: JUDGE_REPLIES }),
  });
  const path = join(REPOSITORY, "docs/accuracy.md");
  writeFileSync(path, fillMarkers(readFileSync(path, "utf8"), parts));
  const tables = Object.keys(parts);
  return { lines: [`docs/accuracy.md: ${tables.join(", ")}`], figures: { tables } };
}
