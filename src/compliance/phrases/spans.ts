/** Tokens from `start` up to `end`, which is not part of it. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A range of tokens as one number that sorts by its start, then by its end.
 *
 * A text has thousands of ranges, and numbers cost no garbage.
 */
export type Span = number;

/** More than a chain of phrases can spread over. */
const LENGTH_BITS = 12;
const MAX_LENGTH = 2 ** LENGTH_BITS - 1;
const FEW = 64;

/** Makes a span. */
export function toSpan(start: number, end: number): Span {
  return (start << LENGTH_BITS) | Math.min(end - start, MAX_LENGTH);
}

/** Gives the first token of a span. */
export function startOf(span: Span): number {
  return span >> LENGTH_BITS;
}

/** Gives the token behind a span. */
export function endOf(span: Span): number {
  return (span >> LENGTH_BITS) + (span & MAX_LENGTH);
}

/** Gives a span as a range. */
export function toRange(span: Span): TokenRange {
  return { start: startOf(span), end: endOf(span) };
}

/** Gives the index of the first span that starts at a token or behind it; spans are in order. */
export function firstSpanFrom(spans: readonly Span[], token: number): number {
  const least = toSpan(token, token);
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts spans in place; most lists are so short that anything but insertion is dear. */
export function sortNumbers(numbers: number[]): void {
  if (numbers.length > FEW) {
    // Typed arrays sort numbers without calling back.
    const sorted = Int32Array.from(numbers);
    sorted.sort();
    for (let index = 0; index < sorted.length; index++) numbers[index] = sorted[index] ?? 0;
    return;
  }
  for (let index = 1; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    let at = index;
    for (; at > 0 && (numbers[at - 1] ?? 0) > number; at--) numbers[at] = numbers[at - 1] ?? 0;
    numbers[at] = number;
  }
}

/** Drops what stands twice in a sorted list, in place. */
export function dropDoubles(sorted: number[]): void {
  let kept = 0;
  for (let index = 0; index < sorted.length; index++) {
    const number = sorted[index] ?? 0;
    if (index > 0 && number === sorted[kept - 1]) continue;
    sorted[kept++] = number;
  }
  sorted.length = kept;
}
