import type { ChainReport, WriterReport } from "../exporter/chain/chain-report.ts";

const NUMBER = new Intl.NumberFormat("en-US");

function count(number: number, noun: string): string {
  return `${NUMBER.format(number)} ${noun}${number === 1 ? "" : noun.endsWith("h") ? "es" : "s"}`;
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
    count(batches, "batch"),
    repeated > 0 && `${NUMBER.format(repeated)} repeated`,
    absent > 0 && `${NUMBER.format(absent)} planned and not there`,
    count(events, "event"),
    givenUp !== "" && `given up: ${givenUp}`,
    last && `last batch ${last.sequence} ${last.hash}`,
  ]
    .filter((part) => typeof part === "string")
    .join(", ");
}

/** Writes what was found for people: a line per writer, then the sum. */
export function formatChainReport(report: ChainReport, unreadable: number): string {
  const lines = report.writers.map(
    (writer) => `writer ${writer.writerId}: ${toFinding(writer)}; ${toCounts(writer)}`,
  );
  const sum = [
    count(report.batches, "batch"),
    count(report.writers.length, "writer"),
    report.unchained > 0 && `${NUMBER.format(report.unchained)} without a chain`,
    unreadable > 0 && `${NUMBER.format(unreadable)} unreadable`,
  ].filter((part) => typeof part === "string");
  return `${[...lines, `${report.status}: ${sum.join(", ")}`].join("\n")}\n`;
}
