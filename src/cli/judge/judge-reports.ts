import { formatPlace } from "../check/reports.ts";
import { toPrintable, toPrintableLines } from "../spool/output.ts";
import type { JudgeSummary, TierScore } from "./tally.ts";
import type { ReportedFinding } from "./tiered-findings.ts";
import { countNoun } from "../../util/count-noun.ts";

const HEADS: Readonly<Record<ReportedFinding["kind"], (finding: ReportedFinding) => string>> = {
  missed: ({ expectedCategory }) =>
    `MISSED: a violation${expectedCategory === null ? "" : ` of ${expectedCategory}`}, no confirmed finding of it`,
  alarm: ({ rule, tier, by }) => `ALARM: labelled ok, but ${tier}: ${rule} (by ${by})`,
  cleared: ({ rule }) =>
    `CLEARED: labelled ok, found by the rules, contradicted by the judge: ${rule}`,
  finding: ({ rule, tier, by }) => `${tier}: ${rule} (by ${by})`,
};

function formatReported(finding: ReportedFinding): string[] {
  const { kind, confidence, excerpt, reason } = finding;
  return toPrintableLines([
    formatPlace(finding),
    `  ${HEADS[kind](finding)}${confidence === null ? "" : `, confidence ${confidence}`}`,
    excerpt !== null && excerpt !== "" && `  > ${excerpt}`,
    reason !== null && `  ${reason}`,
  ]);
}

const toText = (value: number | null): string => value?.toFixed(3) ?? "-";

function formatScore(name: string, score: TierScore): string {
  const { truePositives: tp, falseNegatives: fn, falsePositives: fp, trueNegatives: tn } = score;
  return (
    `${name} precision ${toText(score.precision)}, recall ${toText(score.recall)}, F1 ${toText(score.f1)}, kappa ${toText(score.kappa)} ` +
    `(${tp} found, ${fn} missed, ${fp} false, ${tn} rightly silent)`
  );
}

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${toPrintable(name)} ${count}`)
    .join(", ");

function formatUsage({ usage, latency }: JudgeSummary): string {
  const { inputTokens, outputTokens, isEstimated, cost } = usage;
  const tokens = `${countNoun(inputTokens, "token")} in, ${outputTokens.toLocaleString("en-US")} out`;
  const source = isEstimated ? " (estimated as characters / 4: the model told none)" : "";
  return `${tokens}${source}; cost ${cost === null ? "not told" : `${cost.toFixed(4)} USD`}; ${
    latency ? `latency p50 ${latency.p50} ms, p95 ${latency.p95} ms` : "latency not known"
  }`;
}

function formatSummary(summary: JudgeSummary): string[] {
  const { judge, cases, answers, requests, findings, scores } = summary;
  const lists: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
    ["calls without a judgement", summary.failures],
    ["their finish reasons", summary.finishReasons],
    ["requests that were not asked", requests.unasked],
    ["claims that don't hold, dropped", summary.droppedClaims],
  ];
  return [
    `judge: prompt ${judge.promptVersion}, model ${judge.models.map((name) => toPrintable(name)).join(", ") || "not told"}, gate ${judge.gate}, ${judge.content} content`,
    `${countNoun(cases.total, "case")}: ${cases.violations} violations, ${cases.ok} ok, ${cases.unlabelled} without a label; ` +
      `${countNoun(answers.total, "answer")}, ${answers.sent} sent (${formatCounts(answers.byReason) || "none"})`,
    `${countNoun(requests.total, "request")}: ${requests.judged} judged, ${requests.failed} failed, in ${countNoun(requests.calls, "call")}`,
    formatUsage(summary),
    ...lists.flatMap(([name, counts]) =>
      Object.keys(counts).length > 0 ? [`${name}: ${formatCounts(counts)}`] : [],
    ),
    `findings: ${findings.confirmed} confirmed, ${findings.ofTheJudge} of them the judge's own, ${findings.contradicted} contradicted, ${findings.unjudged} unjudged`,
    `answers to review: ${answers.reviewedByRules} by the rules, ${answers.reviewedConfirmed} confirmed, ${answers.reviewedBoth} in both tiers`,
    ...(scores
      ? [
          formatScore("confirmed tier:", scores.confirmed),
          formatScore("both tiers:    ", scores.both),
        ]
      : ["no case has a label: no scores"]),
  ];
}

/**
 * Writes a run of the judge for people, line by line.
 *
 * @param toSummary - Called once the findings have ended.
 */
export async function* writeText(
  findings: AsyncIterable<ReportedFinding>,
  toSummary: () => JudgeSummary,
): AsyncGenerator<string> {
  for await (const finding of findings) yield* [...formatReported(finding), ""];
  yield* formatSummary(toSummary());
}
