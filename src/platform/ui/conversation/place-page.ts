import type { ConversationRow } from "../../store/conversation-store.ts";
import type { ConversationPage } from "../api.ts";

/** Says which of two rows comes first, as the platform orders them: a number below zero for the left one. */
export type RowOrder = (left: ConversationRow, right: ConversationRow) => number;

const NO_RISK = -1;
const byTime: RowOrder = (left, right) => right.lastAt - left.lastAt || right.seq - left.seq;

/** Returns the order that a query of the list asks for. */
export function findOrder(query: string): RowOrder {
  const order = new URLSearchParams(query).get("order");
  if (order === "age")
    return (left, right) => left.startedAt - right.startedAt || left.seq - right.seq;
  if (order !== "risk") return byTime;
  return (left, right) =>
    (right.maxRiskScore ?? NO_RISK) - (left.maxRiskScore ?? NO_RISK) || byTime(left, right);
}

/**
 * Puts a page that was just loaded into the list. Rows that it has moved on stay behind it; a row that would stand on
 * it by the order, and does not, is no more in the list. Rows that say the same as before are those of before.
 *
 * @param after - Row behind which the page begins; absent for the first one.
 */
export function placePage(
  rows: readonly ConversationRow[],
  { conversations, next }: ConversationPage,
  order: RowOrder,
  after?: ConversationRow,
): ConversationRow[] {
  const loaded = new Map(conversations.map((row) => [row.key, row]));
  const last = conversations.at(-1);
  const before: ConversationRow[] = [];
  const behind: ConversationRow[] = [];
  for (const row of rows) {
    const now = loaded.get(row.key);
    if (now) {
      if (JSON.stringify(now) === JSON.stringify(row)) loaded.set(row.key, row);
    } else if (after && order(row, after) <= 0) before.push(row);
    else if (next !== null && (!last || order(row, last) > 0)) behind.push(row);
  }
  return [...before, ...loaded.values(), ...behind];
}
