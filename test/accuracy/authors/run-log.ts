import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { formatShare } from "../print.ts";
import { formatPrecision, formatRate } from "./print.ts";
import type { AuthorScore } from "./score.ts";

/** How often the held-out texts may be scored: each time tells a little of them. */
export const MAX_RUNS = 5;

/** A state that was scored on the held-out texts. */
export interface LoggedRun {
  readonly number: number;
  /** Digest of the behaviour, `sha256:<hex>`. */
  readonly digest: string;
}

/** What is logged of a run. */
export interface RunEntry {
  readonly number: number;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly commit: string;
  readonly reason: string;
  readonly digest: string;
  readonly score: AuthorScore;
}

const HEADING = /^## Run (\d+)$/;
const DIGEST = /^- Digest of the behaviour: (sha256:[0-9a-f]{64})$/;

/**
 * Reads the runs of a log.
 *
 * @throws when the log was edited so that a run has no number or no digest of its own.
 */
export function readRuns(text: string): LoggedRun[] {
  const runs: LoggedRun[] = [];
  const sections = text.split(/^(?=## )/m).filter((section) => section.startsWith("## "));
  for (const section of sections) {
    const lines = section.split("\n");
    const number = Number(HEADING.exec(lines[0] ?? "")?.[1]);
    const digests = lines.flatMap((line) => DIGEST.exec(line)?.[1] ?? []);
    if (number !== runs.length + 1 || digests.length !== 1)
      throw new Error(
        `log of runs: expected "## Run ${runs.length + 1}" with one digest, got "${lines[0]}" with ${digests.length}`,
      );
    runs.push({ number, digest: digests[0] ?? "" });
  }
  return runs;
}

/** Reads the runs of a log's file, which need not be there. */
export function readRunsFile(path: string): LoggedRun[] {
  return existsSync(path) ? readRuns(readFileSync(path, "utf8")) : [];
}

/** Writes a run as a section of the log. */
function formatRun({ number, date, commit, reason, digest, score }: RunEntry): string {
  const categories = Object.entries(score.byCategory).map(
    ([category, { recall, alarms }]) =>
      `${category} ${recall.hits}/${recall.total}, alarms ${alarms.hits}`,
  );
  const kinds = Object.entries(score.byKind).map(
    ([kind, { hits, total }]) => `${kind} ${hits}/${total}`,
  );
  const { candidates } = score;
  return [
    `\n## Run ${number}\n`,
    `- Date: ${date}`,
    `- Commit: ${commit}`,
    `- Reason: ${reason}`,
    `- Digest of the behaviour: ${digest}`,
    `- Alarms on ordinary texts: ${formatShare(score.alarms)}; any finding: ${formatShare(score.ordinaryWithFinding)}`,
    `- Recall of violations: ${formatShare(score.recall)}; any finding: ${formatShare(score.violationsWithFinding)}`,
    `- Recall by kind: ${kinds.join("; ")}`,
    `- Recall by category: ${categories.join("; ")}`,
    `- Candidates: recall ${formatShare(candidates.recall)}, ordinary texts let through ${formatShare(candidates.share)}`,
    `- Precision at base rates: ${score.precisionAt.map((at) => `${formatRate(at)}: ${formatPrecision(at)}`).join("; ")}`,
    "",
  ].join("\n");
}

/** Appends a run to the log's file. */
export function appendRun(path: string, entry: RunEntry): void {
  appendFileSync(path, formatRun(entry));
}
