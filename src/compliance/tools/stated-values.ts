import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";
import { anyWord } from "../../text/word-patterns.ts";
import { figuresOf, isNear, KnownFigures, numbersIn, type Figure } from "./figures.ts";
import { hasFailed, listValues, type NamedValue } from "./tool-results.ts";

const SIGNS = linear(/[$\u20ac\u00a3,%]/g);
const MAX_VALUES = 6;
/** Identifiers and times are no values for customers, nor is what a tool says of its own work. */
const NO_VALUE = anyWord`
  id|ref|reference|code|number|zip|phone|confirmation|account|card|last4|version|status
  at|date|time|timestamp|year|ms|seconds|took|latency|duration
  score|confidence|similarity|relevance|distance|rank|probability|priority
  count|hits|results|matches|pages?|offset|index|size|length|tokens|retries|attempts?
`;
/** Values that amounts and percentages in an answer state, whatever the answer calls them. */
const MONEY = anyWord`
  balance|available|remaining|amount|amt|usd|dollars?|cash|funds?|savings|checking|deposit|withdrawal
  payoff|payment|paid|due|owed|owing|principal|loan|debt|credit|debit|spent
  fees?|charges?|price|cost|income|premium|refund|equity|proceeds
`;
const PERCENT = anyWord`
  rate|apr|apy|interest|yield|percent|pct|percentage|margin|utili[sz]ation|ratio
`;
const WORD = linear(/[a-z]{3,}/g);
/** Texts of a result longer than this together are not read to their end. */
const MAX_TEXT = 65_536;

/** A value of a result that customers hear of. */
interface Quantity {
  readonly name: string;
  readonly number: number;
  readonly tool: ToolUsageInfo;
}

/** Reads a number that may be written as a text, with signs of a currency, of thousands or of per cent. */
function toFigure(value: NamedValue["value"]): number | undefined {
  const number = typeof value === "string" ? Number(value.replaceAll(SIGNS, "")) : value;
  return typeof number === "number" && Number.isFinite(number) && value !== "" ? number : undefined;
}

function quantitiesOf(tool: ToolUsageInfo, source: unknown): readonly Quantity[] {
  return listValues(source).flatMap(({ name, value }) => {
    const number = toFigure(value);
    return number === undefined || NO_VALUE.test(name) ? [] : [{ name, number, tool }];
  });
}

/** Lists the numbers that stand in the texts of a result: a document that was found, a sentence, JSON in a text. */
function numbersInTexts(source: unknown): readonly number[] {
  let left = MAX_TEXT;
  return listValues(source).flatMap(({ value }) => {
    if (typeof value !== "string" || toFigure(value) !== undefined || left <= 0) return [];
    const text = value.slice(0, left);
    left -= text.length;
    return numbersIn(text);
  });
}

/** What can be worked out of some values by adding or subtracting two. */
function withSums(values: readonly number[]): readonly number[] {
  return [
    ...values,
    ...values.flatMap((one) => values.flatMap((other) => [one + other, one - other])),
  ];
}

/** Returns whether a figure can be what a value is: an amount for an amount, a percentage for a rate. */
function isSameKind(figure: Figure, { name }: Quantity, words: ReadonlySet<string>): boolean {
  if (figure.isPercent) return PERCENT.test(name);
  if (MONEY.test(name)) return true;
  return (name.match(WORD) ?? []).some((word) => words.has(word));
}

/** Finds a tool that was given one value and returned another, of which the answer states only the first. */
function findOverruled(
  tools: readonly ToolUsageInfo[],
  stated: readonly Figure[],
): ToolUsageInfo | undefined {
  const states = (number: number): boolean => stated.some(({ value }) => isNear(value, number));
  return tools.find((tool) => {
    const given = quantitiesOf(tool, tool.result);
    const texts = new KnownFigures(numbersInTexts(tool.result));
    return quantitiesOf(tool, tool.parameters).some(({ name, number }) => {
      const back = given.find((one) => one.name === name)?.number;
      if (back === undefined || number === back || !states(number) || states(back)) return false;
      return !stated.some(({ value }) => isNear(value, number) && texts.has(value));
    });
  });
}

/**
 * Finds a tool whose value the answer contradicts: all figures of the answer are others than those of the results, in
 * values or in texts, nobody asked for them, and one is of the kind of a value that was given.
 *
 * @param asked - What the customer wrote; a figure of theirs may be repeated.
 */
export function findContradiction(
  tools: readonly ToolUsageInfo[],
  answer: string,
  asked: string,
): ToolUsageInfo | undefined {
  const stated = figuresOf(answer);
  if (stated.length === 0) return undefined;
  const worked = tools.filter((tool) => !hasFailed(tool));
  const overruled = findOverruled(worked, stated);
  if (overruled) return overruled;
  const values = worked.flatMap((tool) => quantitiesOf(tool, tool.result));
  if (values.length === 0 || values.length > MAX_VALUES) return undefined;
  const known = new KnownFigures([
    ...withSums(values.map(({ number }) => number)),
    ...worked.flatMap(({ result }) => numbersInTexts(result)),
    ...figuresOf(asked).map(({ value }) => value),
    ...worked.flatMap((tool) => quantitiesOf(tool, tool.parameters).map(({ number }) => number)),
  ]);
  if (stated.some(({ value }) => known.has(value))) return undefined;
  const words = new Set(`${asked} ${answer}`.toLowerCase().match(WORD));
  return values.find((value) => stated.some((figure) => isSameKind(figure, value, words)))?.tool;
}
