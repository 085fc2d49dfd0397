import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../text/pattern.ts";
import { spacedWords } from "./spaced-words.ts";
import { hasFailed, listValues, type NamedValue } from "./tool-results.ts";

/** A transaction in cash that a tool made. */
export interface CashTransaction {
  /** In US dollars. */
  readonly amount: number;
  readonly direction: "in" | "out";
  /** What tells two calls for one transaction apart from two transactions, if the call says. */
  readonly reference: string | undefined;
}

const CASH = linear(/\b(?:cash|currency (?:deposit|withdrawal)|banknotes?|bills)\b/);
const NOT_CASH = linear(
  /\b(?:cash (?:advance|back|flow|value|out refi|reward|rewards|app|management|position|equivalent)|cashier|ach|wire|check|cheque|card|zelle|direct deposit|mobile|transfer|money market)\b/,
);
const READS = linear(
  /^(?:get|list|search|fetch|lookup|look up|find|read|check|quote|preview|estimate|validate|simulate|explain|history|view|verify|calculate|schedule appointment|reserve|order)\b/,
);
const OUT = linear(
  /\b(?:withdraw|dispense|(?:out|payout|debit|cash check|paid out|atm withdrawal)\b)/,
);
const IN = linear(/\b(?:deposit|lodg|(?:in|pay in|accept|credit|receive|exchange|purchase)\b)/);
const AMOUNT = linear(
  /^(?:(?:cash|deposit|withdrawal|transaction|total|gross|usd|requested|deposited|dispensed) )*(?:amount|amt|value|sum|total|dollars|cash|cash in|cash out)(?: usd| dollars| in usd| in dollars| cents| minor)?$/,
);
const KIND = linear(
  /\b(?:type|kind|method|instrument|tender|form|channel|medium|funding|payment method|source|mode|transaction type|operation|category|denomination)\b/,
);
const REFERENCE = linear(
  /^(?:id|reference|ref|transaction id|txn id|txn|deposit id|withdrawal id|receipt|receipt number|confirmation|confirmation number|slip|idempotency key|trace id)$/,
);
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

/** Reads "$4,200.00", "9.5k" and 4200. */
function toDollars({ name, value }: NamedValue): number | undefined {
  if (typeof value === "boolean") return undefined;
  const match = DOLLARS.exec(String(value).trim());
  if (!match) return undefined;
  const amount = Number(match[1]?.replaceAll(",", "")) * (match[2] ? 1000 : 1);
  if (!Number.isFinite(amount)) return undefined;
  return IN_CENTS.test(name) ? amount / 100 : amount;
}

/** Gives the first amount of dollars among some values. */
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

/** Reads the cash transaction that a tool call made, if it made one. */
export function readCashTransaction(tool: ToolUsageInfo): CashTransaction | undefined {
  const name = spacedWords(tool.name);
  if (READS.test(name)) return undefined;
  const values = listValues(tool.parameters);
  const kinds = values
    .filter((one) => KIND.test(one.name) && typeof one.value === "string")
    .map(({ value }) => spacedWords(String(value)));
  const isFlagged = values.some((one) => CASH_FLAG.test(one.name) && one.value === true);
  const words = [name, ...kinds].join(" ");
  const isCash = isFlagged || CASH.test(words);
  if (!isCash || NOT_CASH.test(words) || hasFailed(tool)) return undefined;
  const amount = amountOf(values) ?? amountOf(listValues(tool.result));
  if (amount === undefined || amount <= 0 || isOtherCurrency(values)) return undefined;
  const reference = [...values, ...listValues(tool.result)].find((one) => REFERENCE.test(one.name));
  return { amount, direction: directionOf(words), reference: reference && String(reference.value) };
}
