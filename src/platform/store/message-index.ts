import type { DetailedEvent } from "../../events/detailed-event.ts";
import { cutString } from "../../util/cut-string.ts";
import { sql } from "kysely";
import { call } from "./compile-query.ts";
import { changeAll } from "./change-all.ts";
import { change, createStatement, db, readNumber } from "./query.ts";
import { readWords } from "./words.ts";
import type { Dialect, Transaction } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

/** UTF-16 units of a message that are searched: the index takes a millisecond for some thousands. */
const MAX_LENGTH = 65_536;

const INSERT_MESSAGE = createStatement(
  ({ seq, text }: { readonly seq: number; readonly text: Uint8Array | string }) =>
    db.insertInto("message").values({ rowid: seq, text: call<string>("words_of", sql`${text}`) }),
);

/** Writes a text for the index. PostgreSQL would take words apart at other places: it gets them alone. */
function toIndexed(dialect: Dialect, text: string): Uint8Array | string {
  if (dialect === "postgres")
    return readWords(text)
      .map(({ folded }) => folded)
      .join(" ");
  // SQLite would end the text at NUL. As bytes: the driver takes longer for text.
  return Buffer.from(text.replaceAll("\0", " "));
}

/** A message, and the row of its event. */
export interface Message {
  readonly seq: number;
  readonly event: DetailedEvent;
}

/** Writes the row of a message; `undefined` for an event that is none. */
function toRow({ seq, event }: Message, dialect: Dialect) {
  const { interactionType } = event;
  if (interactionType !== "user_message" && interactionType !== "agent_response") return undefined;
  return { seq, text: toIndexed(dialect, cutString(event.content, MAX_LENGTH)) };
}

/** Puts the words of a message into the index. In a transaction. */
export function* indexMessage(database: Transaction, message: Message): Steps<void> {
  const row = toRow(message, database.dialect);
  if (row) yield* INSERT_MESSAGE.send(database, row);
}

/** Puts the words of messages into the index. In a transaction. */
export function* indexMessages(database: Transaction, messages: readonly Message[]): Steps<void> {
  const rows = messages.flatMap((message) => toRow(message, database.dialect) ?? []);
  yield* changeAll(database, INSERT_MESSAGE, rows);
}

/** Puts the words of a fuller copy of a message into the index, in place of its own. In a transaction. */
export function* replaceMessage(database: Transaction, message: Message): Steps<void> {
  const row = toRow(message, database.dialect);
  if (!row) return;
  yield* change(database, db.deleteFrom("message").where("rowid", "=", message.seq));
  yield* INSERT_MESSAGE.send(database, row);
}

/**
 * Merges parts of SQLite's index: what is deleted stays in it until then.
 *
 * Its rank is the number of pages to write, negative to begin with the whole of it.
 *
 * @see https://sqlite.org/fts5.html#the_merge_command
 */
const MERGE_MESSAGES = createStatement(({ pages }: { readonly pages: number }) =>
  db.insertInto("message").values({ message: "merge", rank: pages }),
);

/** Selects how many rows have changed since SQLite's database was opened, those of the index among them. */
const CHANGED_ROWS = db.selectNoFrom(sql<number>`total_changes()`.as("rows"));

/** Pages of some 4,000 bytes. */
const MERGED_PAGES = 32;

/**
 * Merges a part of the index, so that no word of a deleted message stays in it at the end. In a transaction.
 *
 * @param isFirst - Whether this begins a merge of all there is by now.
 * @returns Whether there is more to merge.
 */
export function* mergeIndex(database: Transaction, isFirst: boolean): Steps<boolean> {
  // PostgreSQL takes words out of its index by itself.
  if (database.dialect === "postgres") return false;
  const before = yield* readNumber(database, CHANGED_ROWS);
  yield* MERGE_MESSAGES.change(database, { pages: isFirst ? -MERGED_PAGES : MERGED_PAGES });
  // One row is that of the command: the index has written none.
  return (yield* readNumber(database, CHANGED_ROWS)) - before > 1;
}
