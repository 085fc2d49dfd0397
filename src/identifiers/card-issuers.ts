/** A range of issuer numbers and the lengths in use there. */
export interface IssuerRange {
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
  /** Lengths that other numbers share often (barcodes, ids), so that they need a card word nearby. */
  readonly doubtfulLengths?: readonly number[];
}

const PREFIX_LENGTH = 6;
const MAESTRO_LENGTHS: readonly number[] = [12, 13, 14, 15, 16, 17, 18, 19];

// First and last six digits of each range, from the networks' published tables.
const ISSUER_RANGES: readonly IssuerRange[] = [
  { from: 400000, to: 499999, lengths: [16], doubtfulLengths: [13, 19] },
  { from: 510000, to: 559999, lengths: [16] },
  { from: 222100, to: 272099, lengths: [16] },
  { from: 340000, to: 349999, lengths: [15] },
  { from: 370000, to: 379999, lengths: [15] },
  { from: 601100, to: 601199, lengths: [16], doubtfulLengths: [17, 18, 19] },
  { from: 644000, to: 659999, lengths: [16], doubtfulLengths: [17, 18, 19] },
  { from: 620000, to: 629999, lengths: [16, 17, 18, 19] },
  { from: 352800, to: 358999, lengths: [16], doubtfulLengths: [17, 18, 19] },
  { from: 300000, to: 305999, lengths: [], doubtfulLengths: [14, 16] },
  { from: 360000, to: 369999, lengths: [], doubtfulLengths: [14, 16] },
  { from: 380000, to: 399999, lengths: [], doubtfulLengths: [14, 16] },
  { from: 220000, to: 220499, lengths: [16], doubtfulLengths: [17, 18, 19] },
  // Cards of one store, which no network's table has; 601100 to 601199 stand above.
  { from: 600000, to: 609999, lengths: [], doubtfulLengths: [16] },
  { from: 500000, to: 509999, lengths: [], doubtfulLengths: MAESTRO_LENGTHS },
  { from: 560000, to: 589999, lengths: [], doubtfulLengths: MAESTRO_LENGTHS },
  { from: 630000, to: 639999, lengths: [], doubtfulLengths: MAESTRO_LENGTHS },
  { from: 670000, to: 679999, lengths: [], doubtfulLengths: MAESTRO_LENGTHS },
];

/** Returns whether some issuer's numbers start with a digit: a cheap test before `findIssuer`. */
export function isIssuerDigit(digit: string): boolean {
  return digit >= "2" && digit <= "6";
}

/** Finds the range that a number starts in. */
export function findIssuer(digits: string): IssuerRange | undefined {
  const prefix = Number(digits.slice(0, PREFIX_LENGTH));
  return ISSUER_RANGES.find(({ from, to }) => prefix >= from && prefix <= to);
}

/** Returns whether an issuer's numbers may have a length. */
export function isIssuedLength({ lengths, doubtfulLengths }: IssuerRange, length: number): boolean {
  return lengths.includes(length) || doubtfulLengths?.includes(length) === true;
}

const CODE_OF_ZERO = 48;

/** Returns whether the check digit fits (ISO/IEC 7812-1, annex B). */
export function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  let factor = 1;
  for (let index = digits.length - 1; index >= 0; index--) {
    const product = (digits.charCodeAt(index) - CODE_OF_ZERO) * factor;
    sum += product > 9 ? product - 9 : product;
    factor = 3 - factor;
  }
  return sum % 10 === 0;
}

/** Numbers that payment networks and processors publish for tests: nobody's card. */
const TEST_NUMBERS: ReadonlySet<string> = new Set(
  (
    "4111111111111111 4242424242424242 4012888888881881 4000056655665556 4000000000000002 " +
    "4222222222222 5555555555554444 5105105105105100 5200828282828210 5454545454545454 " +
    "2223003122003222 2223000048400011 378282246310005 371449635398431 378734493671000 " +
    "6011111111111117 6011000990139424 30569309025904 38520000023237 3056930009020004 " +
    "36227206271667 3566002020360505 3530111333300000 6200000000000005"
  ).split(" "),
);

/** Returns whether a number is one that the networks publish for tests. */
export function isPublishedTestNumber(digits: string): boolean {
  return TEST_NUMBERS.has(digits);
}
