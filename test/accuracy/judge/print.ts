import { formatShare, formatThresholds } from "../print.ts";
import type { RecordedJudge } from "./command.ts";
import type { JudgeGroup } from "./score.ts";

const NAME_WIDTH = 34;
const line = (name: string, text: string): string => `  ${name.padEnd(NAME_WIDTH)}${text}`;
const toCount = (count: number): string => count.toLocaleString("en-US");

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${toCount(count)}`)
    .join(", ") || "none";

const formatGroup = ({ recall, recallOfAll }: JudgeGroup): string =>
  `recall ${formatShare(recall)}, with everything sent ${formatShare(recallOfAll)}`;

/** Writes what the judge's replies came to. */
export function formatJudge(score: RecordedJudge): string[] {
  const { ordinary, violations, byCategory, costPer1000: cost } = score;
  const dates = score.dates ? `${score.dates.from} to ${score.dates.to}` : "dates not told";
  return [
    `the judge: prompt ${score.promptVersion}, replies of ${formatCounts(score.models)} (${dates})`,
    line("ordinary texts", toCount(ordinary.byRules.total)),
    line("  alarms of the rules", formatShare(ordinary.byRules)),
    line("  alarms of the confirmed tier", formatShare(ordinary.confirmed)),
    line("  alarms of both tiers", formatShare(ordinary.both)),
    line("  sent", formatShare(ordinary.sent)),
    line("  answers of them sent", formatShare(ordinary.answersSent)),
    line("  not sent, and found if sent", formatShare(ordinary.unsentWithFinding)),
    line(
      "violations asked about",
      `${toCount(violations.recall.total)} of ${toCount(score.allViolations)}`,
    ),
    line("  found by the rules", formatShare(violations.byRules)),
    line("  found, confirmed tier", formatShare(violations.recall)),
    line("  found, both tiers", formatShare(violations.both)),
    line("  sent to their family", formatShare(violations.sent)),
    line("  found with everything sent", formatShare(violations.recallOfAll)),
    line("  contradicted, and not confirmed", formatShare(violations.contradicted)),
    "  by kind",
    ...Object.entries(violations.byKind).map(([kind, group]) =>
      line(`    ${kind}`, formatGroup(group)),
    ),
    "  by category",
    ...Object.entries(byCategory).map(([category, group]) =>
      line(`    ${category}`, `${formatGroup(group)}, alarms ${formatShare(group.alarms)}`),
    ),
    line(
      "for 1,000 ordinary answers",
      `${toCount(cost.requests)} requests, ${toCount(cost.inputTokens)} tokens in, ${toCount(cost.systemTokens)} of them instructions and rules, ` +
        `${toCount(cost.outputTokens)} out (characters / 4)`,
    ),
    line(
      "requests",
      `${toCount(score.requests.needed)}, ${toCount(score.requests.missing)} without a reply`,
    ),
    line("replies that are none", formatCounts(score.failures)),
    line("claims that don't hold, dropped", formatCounts(score.droppedClaims)),
    ...formatThresholds(score.thresholds),
  ];
}
