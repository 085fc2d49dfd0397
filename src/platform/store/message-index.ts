import type { DetailedEvent } from "../../events/detailed-event.ts";
import { cutString } from "../../util/cut-string.ts";
import {
  CHANGED_ROWS,
  INSERT_MESSAGE,
  MERGE_MESSAGES,
  readNumber,
  REPLACE_MESSAGE,
} from "./query.ts";
import type { Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** UTF-16 units of a message that are searched: the index takes a millisecond for some thousands. */
const MAX_LENGTH = 65_536;

/**
 * Puts the words of a message into the index. In a transaction.
 *
 * @param seq - Row of the event.
 * @param isCopy - Whether it has a fuller copy's words from now on.
 */
export function* indexMessage(
  database: Transaction,
  seq: number,
  event: DetailedEvent,
  isCopy = false,
): Steps<void> {
  const { interactionType } = event;
  if (interactionType !== "user_message" && interactionType !== "agent_response") return;
  const text = cutString(event.content, MAX_LENGTH);
  // SQLite would end the text at NUL. As bytes: the driver takes longer for text.
  yield* (isCopy ? REPLACE_MESSAGE : INSERT_MESSAGE).change(database, {
    seq,
    text: Buffer.from(text.replaceAll("\0", " ")),
  });
}

/** Pages of some 4,000 bytes. */
const MERGED_PAGES = 32;

/**
 * Merges a part of the index, so that no word of a deleted message stays in it at the end. In a transaction.
 *
 * @param isFirst - Whether this begins a merge of all there is by now.
 * @returns Whether there is more to merge.
 */
export function* mergeIndex(database: Transaction, isFirst: boolean): Steps<boolean> {
  const before = yield* readNumber(database, CHANGED_ROWS);
  yield* MERGE_MESSAGES.change(database, { pages: isFirst ? -MERGED_PAGES : MERGED_PAGES });
  // One row is that of the command: the index has written none.
  return (yield* readNumber(database, CHANGED_ROWS)) - before > 1;
}
