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
const FEW = 48;

/** Makes a span. */
export function toSpan(start: number, end: number): Span {
  return (start << LENGTH_BITS) | Math.min(end - start, MAX_LENGTH);
}

/** Returns the first token of a span. */
export function startOf(span: Span): number {
  return span >> LENGTH_BITS;
}

/** Returns the token behind a span. */
export function endOf(span: Span): number {
  return (span >> LENGTH_BITS) + (span & MAX_LENGTH);
}

/** Returns a span as a range. */
export function toRange(span: Span): TokenRange {
  return { start: startOf(span), end: endOf(span) };
}

/**
 * Returns the index of the first span that starts at a token or behind it; spans are in order.
 *
 * @param near - Index to look from: most are asked for one after the other.
 */
export function firstSpanFrom(spans: readonly Span[], token: number, near: number): number {
  const least = toSpan(token, token);
  let index = Math.min(near, spans.length);
  while (index > 0 && (spans[index - 1] ?? 0) >= least) index--;
  while (index < spans.length && (spans[index] ?? 0) < least) index++;
  return index;
}

/** Sorts spans in place; lists are short, or a few rows one behind the other of which each is in order. */
export function sortNumbers(numbers: number[]): void {
  if (numbers.length > FEW) mergeRuns(numbers);
  else insertInOrder(numbers);
}

function insertInOrder(numbers: number[]): void {
  for (let index = 1; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    let at = index;
    for (; at > 0 && (numbers[at - 1] ?? 0) > number; at--) numbers[at] = numbers[at - 1] ?? 0;
    numbers[at] = number;
  }
}

let one = new Int32Array(1024);
let other = new Int32Array(one.length);

/** Merges neighbouring rows until one is left. */
function mergeRuns(numbers: number[]): void {
  let starts = runStarts(numbers);
  if (starts.length === 2) return;
  if (numbers.length > one.length) {
    one = new Int32Array(numbers.length * 2);
    other = new Int32Array(one.length);
  }
  for (let index = 0; index < numbers.length; index++) one[index] = numbers[index] ?? 0;
  for (; starts.length > 2; starts = everyOther(starts)) {
    for (let run = 0; run + 1 < starts.length; run += 2) {
      const [start = 0, middle = 0] = [starts[run], starts[run + 1]];
      merge(one, other, start, middle, starts[run + 2] ?? middle);
    }
    [one, other] = [other, one];
  }
  for (let index = 0; index < numbers.length; index++) numbers[index] = one[index] ?? 0;
}

/** Returns where each row that is in order starts, and the end of the last. */
function runStarts(numbers: readonly number[]): number[] {
  const starts = [0];
  for (let index = 1; index < numbers.length; index++)
    if ((numbers[index] ?? 0) < (numbers[index - 1] ?? 0)) starts.push(index);
  starts.push(numbers.length);
  return starts;
}

function everyOther(starts: readonly number[]): number[] {
  const kept = starts.filter((_, index) => index % 2 === 0);
  const end = starts.at(-1) ?? 0;
  if (kept.at(-1) !== end) kept.push(end);
  return kept;
}

function merge(
  from: Int32Array,
  into: Int32Array,
  start: number,
  middle: number,
  end: number,
): void {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const isLeft = right >= end || (left < middle && (from[left] ?? 0) <= (from[right] ?? 0));
    into[at] = (isLeft ? from[left++] : from[right++]) ?? 0;
  }
}

/** Makes one list in order of two that have nothing in common. */
export function mergeSpans(some: readonly Span[], others: readonly Span[]): Span[] {
  const all = [...some, ...others];
  sortNumbers(all);
  return all;
}

/** Drops what stands twice in a sorted list, in place. */
export function dropDoubles(sorted: number[]): void {
  let kept = 0;
  for (let index = 0; index < sorted.length; index++) {
    const number = sorted[index] ?? 0;
    if (index > 0 && number === sorted[kept - 1]) continue;
    sorted[kept++] = number;
  }
  // Setting the length costs more than the loop.
  if (kept < sorted.length) sorted.length = kept;
}
