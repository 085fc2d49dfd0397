import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import { linear, linearLater } from "../../text/pattern.ts";
import { anyWord, oneOf } from "../../text/word-patterns.ts";
import { spacedWords } from "./tool-words.ts";
import { hasFailed, listValues } from "./tool-results.ts";

const FEE = anyWord`fees?|charges?|surcharges?|commission|cost`;
const EVERY_FEE = linear(/\b(?:fees?|charges?|surcharges?|commission|cost|amount|usd|total)\b/g);
const NOT_DUE = anyWord`
  waived|waivable|refunded|rebated|saved|avoided
  code|id|count|number|limit|dispute|date|schedule
  tokens?|request|query|search|api|model
`;
const MONEY_SIGNS = linear(/[$,\s]|usd/gi);
const WORD = linear(/[a-z]{3,}/g);
/** A result whose own text says what the answer says. */
const NO_FEE = linearLater(
  () => oneOf`
    \b(?:no|zero|without|waived?|free of|never any)\s(?:[\w-]{1,20}\s){0,3}(?:fees?|charges?|cost)\b
    \bfees?:?\s(?:is|are|of)?\s?(?:\$0|none|zero|waived)
    \bfree\b
  `,
  "i",
);
const MAX_TEXT = 4096;

/** A tool that gives prices: each amount in its result is one, whatever its name. */
const PRICE_LIST = anyWord`
  fees|fee (?:schedule|table|list|info|details|lookup)|price (?:list|schedule)|pricing|tariff
`;
const CHANGES = anyWord`waive|refund|reverse|request|dispute|credit|submit|post|charge`;
/** Members of a price list that are no prices. */
const NO_PRICE = anyWord`
  apr|apy|rate|percent|pct|balance|minimum|min|maximum|max|threshold|limit
  term|months?|days?|years?|effective
  free|included|version|page
`;

/** A fee that a tool reported. */
interface Fee {
  readonly name: string;
  readonly amount: number;
}

function isPriceList({ name }: ToolUsageInfo): boolean {
  const words = spacedWords(name);
  return PRICE_LIST.test(words) && !CHANGES.test(words);
}

/** Returns whether a member of a tool's result is a fee, by its name. */
function isFee(name: string, isOfPriceList: boolean): boolean {
  if (NOT_DUE.test(name)) return false;
  return isOfPriceList ? !NO_PRICE.test(name) : FEE.test(name);
}

function* feesIn({ toolsUsed = [] }: InteractionContext): Iterable<Fee | "none"> {
  for (const tool of toolsUsed) {
    if (hasFailed(tool)) continue;
    const isOfPriceList = isPriceList(tool);
    for (const { name, value } of listValues(tool.result)) {
      if (typeof value === "string" && NO_FEE.test(value.slice(0, MAX_TEXT))) yield "none";
      if (!isFee(name, isOfPriceList)) continue;
      const amount = typeof value === "string" ? Number(value.replaceAll(MONEY_SIGNS, "")) : value;
      if (typeof amount === "number" && !Number.isNaN(amount)) yield { name, amount };
    }
  }
}

/**
 * Finds the name of a fee above nothing that a tool reported and that an answer, which says that there is none, may be
 * about.
 *
 * Of several fees the answer is about those that it names: "no monthly fee" does not deny the one for an overdraft.
 */
export function findReportedFee(context: InteractionContext, answer: string): string | undefined {
  const fees = [...feesIn(context)];
  if (fees.includes("none")) return undefined;
  const reported = fees.filter((fee) => fee !== "none");
  if (!reported.some(({ amount }) => amount > 0)) return undefined;
  const words = new Set(answer.toLowerCase().match(WORD));
  const isNamed = ({ name }: Fee): boolean =>
    (name.replaceAll(EVERY_FEE, "").match(WORD) ?? []).some((word) => words.has(word));
  const named = reported.filter(isNamed);
  return (named.length > 0 ? named : reported).find(({ amount }) => amount > 0)?.name;
}
