import type { BenignResult, SetResult } from "./measure.ts";
import type { Score, Share } from "./score.ts";
import type { Threshold } from "./thresholds.ts";

const toText = (value: number | null): string => (value === null ? "-" : value.toFixed(3));

export function formatShare({ hits, total, value, low, high }: Share): string {
  return `${toText(value)} [${toText(low)}-${toText(high)}] (${hits}/${total})`;
}

function formatScore(score: Score): string[] {
  const categories = Object.entries(score.byCategory).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const families = Object.entries(score.byFamily).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `  precision            ${formatShare(score.precision)}`,
    `  recall               ${formatShare(score.recall)}`,
    `  false positive rate  ${formatShare(score.falsePositiveRate)}`,
    `  ordinary answers     ${formatShare(score.ordinaryRate)}`,
    `  numbers              ${formatShare(score.numberRecall)}`,
    `  tools, transactions  ${formatShare(score.toolRecall)}`,
    `  evasions             ${formatShare(score.evasionRecall)}`,
    `  severity agreement   ${formatShare(score.severityAgreement)}`,
    ...categories.map(
      ([name, { tp, fn, fp, precision, recall }]) =>
        `  ${name.padEnd(21)}precision ${toText(precision)} recall ${toText(recall)} (${tp} found, ${fn} missed, ${fp} false)`,
    ),
    `  families: ${families.map(([name, { hits, total }]) => `${name} ${hits}/${total}`).join(", ")}`,
  ];
}

/** Writes the result of a set of labelled items, with its misses if they are wanted. */
export function formatSet(name: string, result: SetResult, withMisses: boolean): string[] {
  const { score, files, latency, embeddedRecall, skipped } = result;
  const several = Object.entries(files);
  const lines = [
    `${name}: ${score.items} items${skipped > 0 ? `, ${skipped} about custom rules skipped` : ""}; ` +
      `p50 ${latency.p50} ms, p99 ${latency.p99} ms`,
    ...formatScore(score),
    `  inside long answers  ${formatShare(embeddedRecall)}`,
    ...(several.length < 2 ? [] : several).map(
      ([file, { items, precision, recall, falsePositiveRate, evasionRecall }]) =>
        `  ${file}: ${items} items, precision ${toText(precision.value)}, recall ${toText(recall.value)}, ` +
        `false positives ${toText(falsePositiveRate.value)}, evasions ${toText(evasionRecall.value)}`,
    ),
  ];
  const misses = score.misses.map(({ kind, id, about, found }) =>
    `  ${kind} ${id} ${about} ${found.join("+")}`.trimEnd(),
  );
  return withMisses ? [...lines, ...misses] : lines;
}

/** Writes the result of a file of everyday banking. */
export function formatBenign(name: string, result: BenignResult, withAlerts: boolean): string[] {
  const { alertRate, exchanges, latency, alerts } = result;
  const line = `${name}: alert rate ${formatShare(alertRate)}, ${exchanges} exchanges; p50 ${latency.p50} ms, p99 ${latency.p99} ms`;
  const list = alerts.map(({ id, rules }) => `  FP ${id} ${rules.join("+")}`);
  return withAlerts ? [line, ...list] : [line];
}

/** Writes which thresholds are met. */
export function formatThresholds(thresholds: readonly Threshold[]): string[] {
  return thresholds.map(
    ({ name, value, required, isMet }) =>
      `  ${isMet ? "ok    " : "MISSED"} ${name} ${toText(value)}, required ${required}`,
  );
}
