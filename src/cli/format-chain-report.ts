import { countNoun } from "../util/count-noun.ts";
import type { ChainReport, WriterReport } from "../delivery/chain/chain-report.ts";

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

/** Writers of which more is known than their batches say. */
export interface KnownWriters {
  /** Those whose end is known from elsewhere. */
  readonly anchored?: ReadonlySet<string>;
  /** Those whose batches are not there on purpose. */
  readonly without?: ReadonlySet<string>;
}

/** Whether a later writer says that this was the end. */
function isEndNamed({ successor, last }: WriterReport): boolean {
  return successor !== undefined && successor.sequence >= (last?.sequence ?? 0);
}

/** Says what no chain can prove by itself: what is gone without a trace. */
export function findUnproven(
  { writers }: ChainReport,
  { anchored, without }: KnownWriters = {},
): string[] {
  const open = writers.filter(
    (writer) => anchored?.has(writer.writerId) !== true && !isEndNamed(writer),
  ).length;
  const left = without?.size ?? 0;
  return [
    "that no whole writer was removed which no later one names",
    ...(left === 0 ? [] : [`anything of ${countNoun(left, "writer")} (--without)`]),
    ...(open === 0 ? [] : [`that the newest batches of ${countNoun(open, "writer")} are there`]),
  ];
}

/** Writes what was found for people: a line per writer, then the sum, then what is not proven by it. */
export function formatChainReport(
  report: ChainReport,
  unreadable: number,
  known: KnownWriters = {},
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
      : [`not proven: ${findUnproven(report, known).join(", nor ")} (--expect-last tells)`];
  return `${[...lines, `${report.status}: ${sum.join(", ")}`, ...unproven].join("\n")}\n`;
}
