import { linear } from "../text/pattern.ts";

const NINE_DIGITS = linear(/^\d{9}$/);
const WEIGHTS = [3, 7, 1] as const;
const CODE_OF_ZERO = 48;

// First two digits: Federal Reserve districts, thrift institutions, electronic transactions, traveler's checks.
const DISTRICTS = [
  [1, 12],
  [21, 32],
  [61, 72],
  [80, 80],
] as const;

/**
 * Returns whether digits are an ABA routing number: nine of them, an assigned district, a valid check digit.
 *
 * @see ANSI X9.100-160
 */
export function isRoutingNumber(digits: string): boolean {
  if (!NINE_DIGITS.test(digits)) return false;
  const district = Number(digits.slice(0, 2));
  if (!DISTRICTS.some(([from, to]) => district >= from && district <= to)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    sum += (digits.charCodeAt(index) - CODE_OF_ZERO) * (WEIGHTS[index % WEIGHTS.length] ?? 1);
  }
  return sum % 10 === 0;
}
