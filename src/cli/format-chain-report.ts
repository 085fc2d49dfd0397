import { countNoun } from "../util/count-noun.ts";
import type { ChainReport, WriterReport } from "../exporter/chain/chain-report.ts";

const NUMBER = new Intl.NumberFormat("en-US");

function countBatches(number: number): string {
  return countNoun(number, "batch", "batches");
}

function toFinding({ status, firstBreak, breakCount, doubts }: WriterReport): string {
  if (firstBreak) {
    const { sequence, batchId, detail } = firstBreak;
    const place = sequence === undefined ? "at a batch" : `at batch ${sequence}`;
    const id = batchId === undefined ? "" : ` (${batchId})`;
    const more = breakCount > 1 ? `, and ${NUMBER.format(breakCount - 1)} more` : "";
    return `BROKEN ${place}${id}: ${detail}${more}`;
  }
  return status === "verified" ? "verified" : `not proven: ${doubts.join("; ")}`;
}

function toCounts({ batches, repeated, absent, events, dropped, last }: WriterReport): string {
  const givenUp = Object.entries(dropped)
    .map(([reason, number]) => `${NUMBER.format(number)} ${reason}`)
    .join(", ");
  return [
    countBatches(batches),
    repeated > 0 && `${NUMBER.format(repeated)} repeated`,
    absent > 0 && `${NUMBER.format(absent)} planned and not there`,
    countNoun(events, "event"),
    givenUp !== "" && `given up: ${givenUp}`,
    last && `last batch ${last.sequence} ${last.hash}`,
  ]
    .filter((part) => typeof part === "string")
    .join(", ");
}

/**
 * Says what no chain can prove by itself: what is gone without a trace.
 *
 * @param anchored - Writers whose end is known from elsewhere.
 */
export function findUnproven({ writers }: ChainReport, anchored: ReadonlySet<string>): string[] {
  const open = writers.filter(({ writerId }) => !anchored.has(writerId)).length;
  return [
    "that no whole writer was removed",
    ...(open === 0 ? [] : [`that the newest batches of ${countNoun(open, "writer")} are there`]),
  ];
}

/** Writes what was found for people: a line per writer, then the sum, then what is not proven by it. */
export function formatChainReport(
  report: ChainReport,
  unreadable: number,
  anchored: ReadonlySet<string> = new Set(),
): string {
  const lines = report.writers.map(
    (writer) => `writer ${writer.writerId}: ${toFinding(writer)}; ${toCounts(writer)}`,
  );
  const sum = [
    countBatches(report.batches),
    countNoun(report.writers.length, "writer"),
    report.unchained > 0 && `${NUMBER.format(report.unchained)} without a chain`,
    unreadable > 0 && `${NUMBER.format(unreadable)} unreadable`,
  ].filter((part) => typeof part === "string");
  // Of what is broken, or has no chain, nobody asks what else may be missing.
  const unproven =
    report.status === "broken" || report.writers.length === 0
      ? []
      : [`not proven: ${findUnproven(report, anchored).join(", nor ")} (--expect-last tells)`];
  return `${[...lines, `${report.status}: ${sum.join(", ")}`, ...unproven].join("\n")}\n`;
}
