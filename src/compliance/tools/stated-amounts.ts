import { NUMBER_CLASSES, readNumber } from "../../phrases/numbers.ts";
import type { Token } from "../../phrases/token.ts";
import type { SourceText } from "../../phrases/source-text.ts";
import { CTR_THRESHOLD_DOLLARS } from "../thresholds.ts";

/** Smaller amounts are not worth a plan. */
const MIN_DOLLARS = 1000;
/** Words that bring the amount before them once more: "and the same on Friday". */
const REPEATERS = new Set("same again another likewise ditto more".split(" "));

function readAmount(tokens: readonly Token[], index: number): { value: number; length: number } {
  const number = readNumber(tokens, index);
  if (!number) return { value: 0, length: 1 };
  const isMoney = (number.classes & NUMBER_CLASSES.money) !== 0;
  return { value: isMoney ? number.value : 0, length: Math.max(1, number.length) };
}

/** Lists the amounts in dollars of one text, those that are to be repeated as often as they are. */
function listAmounts(text: SourceText, before: number | undefined): number[] {
  const tokens = text.tokens();
  const amounts: number[] = [];
  for (let index = 0; index < tokens.length;) {
    const { value, length } = readAmount(tokens, index);
    const last = amounts.at(-1) ?? before;
    if (value >= MIN_DOLLARS) amounts.push(value);
    else if (last !== undefined && REPEATERS.has(tokens[index]?.word ?? "")) amounts.push(last);
    index += length;
  }
  return amounts;
}

/**
 * Returns whether somebody named several amounts over a conversation, each below the reporting threshold and together
 * above it.
 *
 * @param texts - What they said, the oldest first.
 */
export function addUpAboveThreshold(texts: readonly SourceText[]): boolean {
  const below: number[] = [];
  for (const text of texts) {
    const amounts = listAmounts(text, below.at(-1));
    below.push(...amounts.filter((amount) => amount < CTR_THRESHOLD_DOLLARS));
  }
  return below.length > 1 && below.reduce((sum, one) => sum + one, 0) > CTR_THRESHOLD_DOLLARS;
}
