import type { ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../text/pattern.ts";
import { hasFailed, listValues } from "./tool-results.ts";

const FIGURE = linear(/[$\u20ac\u00a3]?\d[\d,]{0,15}(?:\.\d{1,4})?%?/g);
const SIGNS = linear(/[$\u20ac\u00a3,%]/g);
const MARK = linear(/[$\u20ac\u00a3%]/);
/** Next to a figure: it is a part of something longer. */
const PART = linear(/[-/:\w#*]/);
/** Smaller numbers count days, payments and attempts. */
const MIN_FIGURE = 100;
const MAX_VALUES = 6;
const SCALES = [1, 100, 0.01];
const TOLERANCE = 0.01;
/** Identifiers and times are no values that a customer is told. */
const NO_VALUE = linear(
  /\b(?:id|ref|reference|code|number|zip|phone|date|time|timestamp|year|last4|confirmation|account|card|at|version|ms)\b/,
);

/** Lists the figures of a text that look like an amount, a percentage or a score; parts of longer identifiers are none. */
function figuresOf(text: string): readonly number[] {
  const figures: number[] = [];
  for (const match of text.matchAll(FIGURE)) {
    const [source] = match;
    const around = text.charAt(match.index - 1) + text.charAt(match.index + source.length);
    const value = Number(source.replaceAll(SIGNS, ""));
    const isMarked = MARK.test(source);
    const isYear = !isMarked && value >= 1900 && value <= 2100;
    if (!PART.test(around) && !isYear && (isMarked || value >= MIN_FIGURE)) figures.push(value);
  }
  return figures;
}

function isNear(one: number, other: number): boolean {
  return SCALES.some(
    (scale) =>
      Math.abs(one - Math.abs(other) * scale) <= TOLERANCE * Math.max(1, Math.abs(one) * 0.5),
  );
}

function numbersOf(source: unknown): readonly number[] {
  return listValues(source).flatMap(({ name, value }) => {
    const number = typeof value === "string" ? Number(value.replaceAll(SIGNS, "")) : value;
    return typeof number === "number" && Number.isFinite(number) && !NO_VALUE.test(name)
      ? [number]
      : [];
  });
}

/** What can be worked out of some values by adding or subtracting two. */
function withSums(values: readonly number[]): readonly number[] {
  return [
    ...values,
    ...values.flatMap((one) => values.flatMap((other) => [one + other, one - other])),
  ];
}

/** Finds a tool that was told one value and gave back another, of which the answer states only the first. */
function findOverruled(
  tools: readonly ToolUsageInfo[],
  stated: readonly number[],
): ToolUsageInfo | undefined {
  return tools.find(({ parameters, result }) => {
    const given = listValues(result);
    return listValues(parameters).some(({ name, value }) => {
      const back = given.find((one) => one.name === name)?.value;
      return (
        typeof value === "number" &&
        typeof back === "number" &&
        value !== back &&
        stated.some((one) => isNear(one, value)) &&
        !stated.some((one) => isNear(one, back))
      );
    });
  });
}

/**
 * Finds a tool whose value the answer contradicts: all figures of the answer are others than those of the results, and nobody
 * asked for them.
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
  const values = worked.flatMap(({ result }) => numbersOf(result));
  if (values.length === 0 || values.length > MAX_VALUES) return undefined;
  const known = [
    ...withSums(values),
    ...figuresOf(asked),
    ...worked.flatMap(({ parameters }) => numbersOf(parameters)),
  ];
  const isForeign = stated.every((one) => !known.some((other) => isNear(one, other)));
  return isForeign ? worked.find(({ result }) => numbersOf(result).length > 0) : undefined;
}
