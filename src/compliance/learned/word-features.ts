import { hashOf } from "../../phrases/word-hash.ts";
import type { Token } from "../../phrases/token.ts";

/** Features are distinguished by so many bits of their hash. */
export const FEATURE_BITS = 24;
// Not where it is used: a power is not a constant to V8.
const FEATURE_MASK = 2 ** FEATURE_BITS - 1;

/** Shortens a hash to what a model keeps of it. */
export function toFeature(hash: number): number {
  return (hash ^ (hash >>> FEATURE_BITS)) & FEATURE_MASK;
}

/** Bounds in dollars between sums of money that are distinguished: around the thresholds of the Bank Secrecy Act. */
const MONEY_BOUNDS = [1000, 3000, 8000, 10_000.01, 11_000];
const MAX_DIGITS = 5;

const PERCENT = hashOf("#percent");
/** Of sums of money, by the number of bounds that they reach. */
const MONEY = Array.from({ length: MONEY_BOUNDS.length + 1 }, (_, reached) =>
  hashOf(`#money${reached}`),
);
/** Of other numbers, by their digits before the point, of which they have at least one. */
const NUMBERS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => hashOf(`#number${digits}`));

function hashOfNumber({ value = 0, isMoney, isPercent }: Token): number {
  if (isPercent) return PERCENT;
  if (isMoney) {
    let reached = 0;
    for (const bound of MONEY_BOUNDS) if (value >= bound) reached++;
    return MONEY[reached] ?? 0;
  }
  let digits = 1;
  for (let rest = value; digits < MAX_DIGITS && rest >= 10; rest /= 10) digits++;
  return NUMBERS[digits] ?? 0;
}

/** Returns the hash that stands for a word by its stem, and for a number by its kind. */
export function hashOfToken(token: Token): number {
  const { reading } = token;
  return reading.value === undefined ? reading.stemHash : hashOfNumber(token);
}
