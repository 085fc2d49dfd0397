import {
  readLetters,
  type DeadLetter,
  type LetterView,
} from "../../delivery/spool/dead-letters.ts";
import { readMachine } from "../../delivery/spool/machine.ts";
import {
  createPendingFindings,
  readPending,
  viewWriter,
  type PendingEventView,
  type PendingFindings,
  type WriterView,
} from "../../delivery/spool/spool-view.ts";
import type { WriterEntry } from "../../delivery/spool/writers.ts";
import { countNoun } from "../../util/count-noun.ts";
import { countIntegers } from "../../util/ranges.ts";
import { warn } from "../run-command.ts";
import type { Reading } from "./arguments.ts";
import { formatBytes, joinParts } from "./output.ts";

/** Writers and events that were named; `undefined` means all. */
export interface Names {
  readonly writer?: readonly string[] | undefined;
  readonly event?: readonly string[] | undefined;
}

/** Returns whether a dead letter is selected. */
export type LetterSelector = (letter: DeadLetter) => boolean;

/** An event that waits, and its writer. */
export type WaitingEvent = PendingEventView & Pick<WriterEntry, "writerId">;

/** A dead letter that could be read. */
export type ReadLetter = Extract<LetterView, { readonly kind: "letter" }>;

/** Describes the parts of a writer's files that can't be read. */
export function describeUnread({
  newerFrames,
  unreadable,
}: Pick<PendingFindings, "newerFrames" | "unreadable">): (string | false)[] {
  const files = `${countNoun(unreadable.length, "file")} unreadable (${unreadable[0]})`;
  return [
    newerFrames > 0 && `${countNoun(newerFrames, "entry", "entries")} of a newer version`,
    unreadable.length > 0 && files,
  ];
}

/** Reports the unreadable parts of a writer. @returns Whether there are any. */
function reportProblems(view: WriterView, findings: PendingFindings): boolean {
  const { locked, damagedBytes, newerFrames, unreadable } = findings;
  const { kind } = view.journal;
  const missing = countIntegers(findings.missing);
  const isUncertain = kind === "locked" || kind === "unreadable";
  const isIncomplete = locked + missing + damagedBytes + newerFrames + unreadable.length > 0;
  if (!isUncertain && !isIncomplete) return false;
  const text = joinParts([
    locked > 0 && `${countNoun(locked, "event")} can't be decrypted`,
    missing > 0 && `${countNoun(missing, "event")} missing`,
    damagedBytes > 0 && `${formatBytes(damagedBytes)} damaged`,
    ...describeUnread(findings),
    isUncertain && "its journal can't be read, so delivered events may be among these",
  ]);
  warn(`writer ${view.entry.writerId}: ${text}`);
  return true;
}

/** Reports how many dead letters could not be read. @returns Whether there are any. */
function reportUnreadLetters(locked: number, damaged: number): boolean {
  if (locked > 0)
    warn(`${countNoun(locked, "dead letter")} can't be decrypted: is --key-file right?`);
  if (damaged > 0) warn(`${countNoun(damaged, "dead letter")} damaged`);
  return locked + damaged > 0;
}

/** Reads the waiting events of writers, and reports unreadable ones on the standard error. */
export async function* readWaiting(
  reading: Reading,
  writers: readonly WriterEntry[],
): AsyncGenerator<WaitingEvent> {
  const { source } = reading;
  const machine = readMachine();
  for (const entry of writers) {
    const view = await viewWriter(source, entry, machine);
    const findings = createPendingFindings();
    try {
      for await (const event of readPending(source, view, findings))
        yield { ...event, writerId: entry.writerId };
    } finally {
      // Also when the reader stops early.
      if (reportProblems(view, findings)) reading.isWhole = false;
    }
  }
}

/** Selects the dead letters of the named writers and events. */
export function selectLetters({ writer, event }: Names): LetterSelector {
  const eventIds = event && new Set<unknown>(event);
  return (letter) =>
    (!writer || writer.includes(letter.writerId)) &&
    (!eventIds || eventIds.has(letter.event["eventId"]));
}

/** Reads the selected dead letters, and reports on the standard error how many could not be read. */
export async function* readDead(
  reading: Reading,
  isWanted: LetterSelector,
): AsyncGenerator<ReadLetter> {
  const unread = { locked: 0, damaged: 0 };
  try {
    for await (const view of readLetters(reading.source)) {
      if (view.kind !== "letter") unread[view.kind]++;
      else if (isWanted(view.letter)) yield view;
    }
  } finally {
    if (reportUnreadLetters(unread.locked, unread.damaged)) reading.isWhole = false;
  }
}
