import type { ToolUsageInfo } from "../../events/compliance.ts";
import { ownMembers } from "../../util/untrusted-values.ts";
import { linear } from "../../text/pattern.ts";
import { anyWord, firstWord, wholeText } from "../../text/word-patterns.ts";
import { spacedWords } from "./tool-words.ts";
import { hasFailed, listValues, type NamedValue } from "./tool-results.ts";
import { READS, TRIES } from "./tool-verbs.ts";

/** A transaction in cash that a tool made. */
export interface CashTransaction {
  /** In US dollars. */
  readonly amount: number;
  readonly direction: "in" | "out";
  /** Distinguishes two calls for one transaction from two transactions, if the call says. */
  readonly reference: string | undefined;
}

const CASH = linear(/\b(?:cash|currency (?:deposit|withdrawal)|banknotes?|bills)\b/);
const NOT_CASH = anyWord`
  cash (?:advance|back|flow|value|out refi|rewards?|app|management|position|equivalent)|cashier
  ach|wire|check|cheque|card|zelle|direct deposit|mobile|transfer|money market
`;
const MOVES_NOTHING = firstWord`
  ${READS}|history|view
  ${TRIES}|verify|calculate
  schedule appointment|reserve|order
`;
const OUT = linear(
  /\b(?:withdraw|dispense|(?:out|payout|debit|cash check|paid out|atm withdrawal)\b)/,
);
const IN = linear(/\b(?:deposit|lodg|(?:in|pay in|accept|credit|receive|exchange|purchase)\b)/);
const AMOUNT_OF =
  "cash|deposit|withdrawal|transaction|total|gross|usd|requested|deposited|dispensed";
const IN_WHAT = "(?:usd|dollars|in usd|in dollars|cents|minor)";
const AMOUNT = wholeText`
  (?:(?:${AMOUNT_OF}) )*(?:amount|amt|value|sum|total|dollars|cash|cash in|cash out)(?: ${IN_WHAT})?
`;
const KIND = anyWord`
  type|kind|method|instrument|tender|form|channel|medium|funding|payment method
  source|mode|transaction type|operation|category|denomination
`;
const REFERENCE = wholeText`
  id|reference|ref|idempotency key|trace id
  transaction id|txn id|txn|deposit id|withdrawal id
  receipt|receipt number|confirmation|confirmation number|slip
`;
/** "$4,200.00", "9.5k" and "4200 dollars", without spaces around. */
const DOLLARS = linear(
  /^(?:(?:usd|us\$|\$)\s*)?([\d,]+(?:\.\d+)?)(?:\s*(k))?(?:\s*(?:usd|dollars))?$/i,
);
const IN_CENTS = linear(/\b(?:cents|minor)\b/);
const CURRENCY_KEY = linear(/\bcurrency(?: code)?$/);
const US_DOLLAR = linear(/^(?:usd|us\$|\$|dollars?)$/i);
const CURRENCY_CODE = linear(/^[A-Za-z]{3}$/);
const WORD_IN = linear(/\bin\b/g);
const CASH_FLAG = linear(/^(?:is )?cash$/);
const CASH_AMOUNT = linear(/^cash(?: (?:in|out|amount|amt|total))?$/);
const MOVES = linear(/\b(?:deposits?|withdrawals?|withdraw|dispense|lodgements?)\b/);
const AT_COUNTER = linear(/\b(?:atm|teller|counter|branch|machine|vault|night drop)\b/);
const DAY = linear(/\b(?:date|day|month|period|posted on|posted at|timestamp)\b/);
const DAY_LENGTH = 10;
const MAX_MEMBERS = 64;

/** Reads "$4,200.00", "9.5k" and 4200. */
function toDollars({ name, value }: NamedValue): number | undefined {
  if (typeof value === "boolean") return undefined;
  const match = DOLLARS.exec(String(value).trim());
  if (!match) return undefined;
  const amount = Number(match[1]?.replaceAll(",", "")) * (match[2] ? 1000 : 1);
  if (!Number.isFinite(amount)) return undefined;
  return IN_CENTS.test(name) ? amount / 100 : amount;
}

/** Returns the first amount of dollars among some values. */
export function amountOf(values: readonly NamedValue[]): number | undefined {
  for (const one of values) {
    const amount = AMOUNT.test(one.name) ? toDollars(one) : undefined;
    if (amount !== undefined) return amount;
  }
  return undefined;
}

function isOtherCurrency(values: readonly NamedValue[]): boolean {
  return values.some(
    ({ name, value }) =>
      CURRENCY_KEY.test(name) &&
      !US_DOLLAR.test(String(value)) &&
      CURRENCY_CODE.test(String(value)),
  );
}

function directionOf(words: string): CashTransaction["direction"] {
  return OUT.test(words) && !IN.test(words.replaceAll(WORD_IN, "")) ? "out" : "in";
}

/** Lists the members of a list that each name an amount, all on one day: a call for several transactions. */
function listItems(source: unknown): readonly (readonly NamedValue[])[] {
  if (typeof source !== "object" || source === null) return [];
  const lists = [source, ...Array.from(ownMembers(source, MAX_MEMBERS), ([, member]) => member)];
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    const items = list.slice(0, MAX_MEMBERS).map((item) => listValues(item));
    const days = new Set(items.flatMap((item) => dayOf(item) ?? []));
    if (items.length > 1 && days.size < 2 && items.every((item) => amountOf(item) !== undefined))
      return items;
  }
  return [];
}

function dayOf(values: readonly NamedValue[]): string | undefined {
  const day = values.find(({ name }) => DAY.test(name));
  return day && String(day.value).slice(0, DAY_LENGTH);
}

/** Returns whether a call moves cash: by its name, by what it says of its kind, or by an amount that is named as cash. */
function movesCash(words: string, values: readonly NamedValue[], isCashSession: boolean): boolean {
  if (NOT_CASH.test(words)) return false;
  if (CASH.test(words) || values.some((one) => CASH_FLAG.test(one.name) && one.value === true))
    return true;
  if (!MOVES.test(words)) return false;
  return (
    (isCashSession && AT_COUNTER.test(words)) ||
    values.some((one) => CASH_AMOUNT.test(one.name) && toDollars(one) !== undefined)
  );
}

/**
 * Reads the cash transactions that a tool call made: mostly one, and as many as it lists.
 *
 * @param isCashSession - Whether the transaction under evaluation is one in cash: what a teller or a machine takes is
 *   cash then, though the tool does not say so.
 */
export function readCashTransactions(
  tool: ToolUsageInfo,
  isCashSession = false,
): readonly CashTransaction[] {
  const name = spacedWords(tool.name);
  if (MOVES_NOTHING.test(name)) return [];
  const values = listValues(tool.parameters);
  const kinds = values
    .filter((one) => KIND.test(one.name) && typeof one.value === "string")
    .map(({ value }) => spacedWords(String(value)));
  const words = [name, ...kinds].join(" ");
  if (!movesCash(words, values, isCashSession) || hasFailed(tool) || isOtherCurrency(values))
    return [];
  const direction = directionOf(words);
  const items = MOVES.test(words)
    ? [listItems(tool.parameters), listItems(tool.result)].find((list) => list.length > 0)
    : undefined;
  const results = listValues(tool.result);
  const calls = items ?? [[...values, ...results]];
  return calls.flatMap((call) => {
    const amount = amountOf(call);
    if (amount === undefined || amount <= 0) return [];
    const reference = call.find((one) => REFERENCE.test(one.name));
    return [{ amount, direction, reference: reference && String(reference.value) }];
  });
}
