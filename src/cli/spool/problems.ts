import {
  isIncomplete,
  type PendingFindings,
  type WriterView,
} from "../../delivery/spool/writer-view.ts";
import { countIntegers } from "../../util/ranges.ts";
import { formatBytes, formatCount } from "./format.ts";

/** Says on the standard error what could not be read of a writer. @returns Whether that is anything. */
export function reportProblems(view: WriterView, findings: PendingFindings): boolean {
  const { locked, damagedBytes, newerFrames, unreadable } = findings;
  const { kind } = view.journal;
  const missing = countIntegers(findings.missing);
  const isUncertain = kind === "locked" || kind === "unreadable";
  if (!isUncertain && !isIncomplete(findings)) return false;
  const parts = [
    locked > 0 && `${formatCount(locked, "event")} can't be decrypted`,
    missing > 0 && `${formatCount(missing, "event")} missing`,
    damagedBytes > 0 && `${formatBytes(damagedBytes)} damaged`,
    newerFrames > 0 && `${formatCount(newerFrames, "entry", "entries")} of a newer version`,
    unreadable.length > 0 &&
      `${formatCount(unreadable.length, "file")} unreadable (${unreadable[0]})`,
    isUncertain && "its journal can't be read, so delivered events may be among these",
  ];
  const text = parts.filter((part) => typeof part === "string").join(", ");
  process.stderr.write(`agent-monitor: writer ${view.entry.writerId}: ${text}\n`);
  return true;
}

/** Says on the standard error how many dead letters could not be read. @returns Whether that is any. */
export function reportUnreadLetters(locked: number, damaged: number): boolean {
  if (locked > 0)
    process.stderr.write(
      `agent-monitor: ${formatCount(locked, "dead letter")} can't be decrypted: is --key-file right?\n`,
    );
  if (damaged > 0)
    process.stderr.write(`agent-monitor: ${formatCount(damaged, "dead letter")} damaged\n`);
  return locked + damaged > 0;
}
