import type { DetailedEvent } from "../../events/detailed-event.ts";
import { cutString } from "../../util/cut-string.ts";
import { INSERT_MESSAGE, REPLACE_MESSAGE } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** UTF-16 units of a message that are searched: the index takes a millisecond for some thousands. */
const MAX_LENGTH = 65_536;

/**
 * Puts the words of a message into the index. In a transaction.
 *
 * @param seq - Row of the event.
 * @param isCopy - Whether it has a fuller copy's words from now on.
 */
export function indexMessage(
  database: SqlDatabase,
  seq: number,
  event: DetailedEvent,
  isCopy = false,
): void {
  const { interactionType } = event;
  if (interactionType !== "user_message" && interactionType !== "agent_response") return;
  const text = cutString(event.content, MAX_LENGTH);
  // SQLite would end the text at NUL.
  (isCopy ? REPLACE_MESSAGE : INSERT_MESSAGE).change(database, {
    seq,
    text: text.replaceAll("\0", " "),
  });
}
