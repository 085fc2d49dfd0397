import type { Share } from "../score.ts";
import { formatShare } from "../print.ts";
import type { CurvePoint } from "./curve.ts";
import type { PrecisionAt } from "./precision.ts";
import type { AuthorScore, GroupScore } from "./score.ts";

const NAME_WIDTH = 24;
const line = (name: string, text: string): string => `  ${name.padEnd(NAME_WIDTH)}${text}`;
const toText = (value: number | null, digits: number): string => value?.toFixed(digits) ?? "-";

function formatGroup({ alarms, recall }: GroupScore): string {
  return [
    alarms.total > 0 ? `alarms ${formatShare(alarms)}` : "",
    recall.total > 0 ? `recall ${formatShare(recall)}` : "",
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function formatGroups(title: string, groups: Readonly<Record<string, GroupScore>>): string[] {
  return [
    `  ${title}`,
    ...Object.entries(groups).map(([name, one]) => line(`  ${name}`, formatGroup(one))),
  ];
}

/** Writes a share of violations among all answers. */
export const formatRate = ({ baseRate }: PrecisionAt): string =>
  `${+(baseRate * 100).toPrecision(2)} %`;

/** Writes a precision with its interval. */
export const formatPrecision = ({ precision, low, high }: PrecisionAt): string =>
  `${toText(precision, 3)} [${toText(low, 3)}-${toText(high, 3)}]`;

function formatAlarms(at: PrecisionAt): string {
  const { alarmsPer1000, rightPer1000 } = at;
  return line(
    `  ${formatRate(at)}`,
    `precision ${formatPrecision(at)}, ${toText(alarmsPer1000, 1)} alarms in 1,000 answers, ${toText(rightPer1000, 1)} of them right`,
  );
}

const formatCounts = (shares: Readonly<Record<string, Share>>): string =>
  Object.entries(shares)
    .map(([name, { hits, total }]) => `${name} ${hits}/${total}`)
    .join(", ");

/** Writes what `toFigures` gives. */
export function formatFigures(title: string, score: AuthorScore): string[] {
  const { candidates } = score;
  return [
    `${title}: ${score.alarms.total} ordinary texts, ${score.recall.total} violations`,
    line("alarms", `${formatShare(score.alarms)} of the ordinary demand review`),
    line("  any finding", formatShare(score.ordinaryWithFinding)),
    line("recall", `${formatShare(score.recall)} found, with review`),
    line("  any finding", formatShare(score.violationsWithFinding)),
    line("  on the passage", formatShare(score.onPassage)),
    ...Object.entries(score.byKind).map(([kind, recall]) => line(`  ${kind}`, formatShare(recall))),
    line("candidates: recall", formatShare(candidates.recall)),
    line("  of the category", formatShare(candidates.recallOfCategory)),
    line("  let through", formatShare(candidates.share)),
    "  if this share of all answers were wrong",
    ...score.precisionAt.map(formatAlarms),
    ...formatGroups("by category", score.byCategory),
    ...formatGroups("by author", score.byAuthor),
    ...formatGroups("by length", score.byLength),
  ];
}

/** Writes what other thresholds would give. */
export function formatCurve(points: readonly CurvePoint[]): string[] {
  return [
    "  if what has this confidence and more demanded review, candidates included",
    ...points.map(({ threshold, ...group }) =>
      line(`  ${threshold.toFixed(2)}`, formatGroup(group)),
    ),
  ];
}

/** Writes what helps to work on rules, which is said of no held-out author. */
export function formatDetails({ byFamily, alarmingRules }: AuthorScore): string[] {
  const rules = alarmingRules.map(({ rule, alarms }) => `${rule} ${alarms}`);
  return [
    `  families: ${formatCounts(byFamily)}`,
    `  rules in ordinary texts that demand review: ${rules.join(", ") || "none"}`,
  ];
}
