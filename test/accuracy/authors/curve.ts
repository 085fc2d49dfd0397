import { toShare, type Share } from "../score.ts";
import type { JudgedFinding, JudgedText } from "./judge.ts";

/** What one threshold for all rules would give. */
export interface CurvePoint {
  /** Least confidence of what counts, candidates included. */
  readonly threshold: number;
  /** Ordinary texts in which something would count. */
  readonly alarms: Share;
  /** Violations in which something of the expected category would count. */
  readonly recall: Share;
}

const MAX_POINTS = 12;

const confidenceOf = ({ confidence = 1 }: JudgedFinding): number => confidence;

/** Gives the highest confidence of the findings that may count in a text; -1 without any. */
function bestOf({ text, findings }: JudgedText): number {
  const counting = findings.filter(
    ({ category }) => text.label === "ok" || category === text.expectedCategory,
  );
  return Math.max(-1, ...counting.map(confidenceOf));
}

/** Gives alarms and recall by threshold, the strictest first: at most 12, evenly over the confidences that occur. */
export function curveOf(texts: readonly JudgedText[]): CurvePoint[] {
  const best = texts.map((judged) => ({ label: judged.text.label, confidence: bestOf(judged) }));
  const occurring = [...new Set(texts.flatMap(({ findings }) => findings.map(confidenceOf)))];
  const strictest = occurring.toSorted((one, other) => other - one);
  const step = Math.max(1, (strictest.length - 1) / (MAX_POINTS - 1));
  const count = Math.min(strictest.length, MAX_POINTS);
  const shareOf = (label: JudgedText["text"]["label"], threshold: number): Share => {
    const of = best.filter((one) => one.label === label);
    return toShare(of.filter(({ confidence }) => confidence >= threshold).length, of.length);
  };
  return Array.from({ length: count }, (_, index) => strictest[Math.round(index * step)] ?? 0).map(
    (threshold) => ({
      threshold,
      alarms: shareOf("ok", threshold),
      recall: shareOf("violation", threshold),
    }),
  );
}
