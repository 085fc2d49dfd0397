import type { TextIndex } from "./match.ts";
import type { TokenRange } from "./spans.ts";

/** Decides whether a match of a chain counts. */
export type MatchFilter = (match: TokenRange) => boolean;

/** Words between two chains of a phrase, beyond which they have nothing to do with each other. */
const MAX_DISTANCE = 60;

const any: MatchFilter = () => true;
const NO_PASSAGES: readonly TokenRange[] = [];

/**
 * Finds the passages that have all chains of a phrase, in the order of the text.
 *
 * Nothing is looked at but the sentences that may have all of it.
 *
 * @param within - Neighbouring sentences over which a passage may spread.
 * @param most - Passages after which to stop.
 */
export function findPassages(
  index: TextIndex,
  phrase: number,
  within: number,
  most: number,
  counts: MatchFilter = any,
  isWanted: MatchFilter = any,
): readonly TokenRange[] {
  const mask = index.maskOf(phrase, within);
  if (mask === 0) return NO_PASSAGES;
  const chains = index.phrases.chainsOf(phrase);
  const [first = 0] = chains;
  const matches = index.matches(first, within, mask);
  if (matches.length === 0) return NO_PASSAGES;
  const passages: TokenRange[] = [];
  for (const match of matches) {
    index.spend(1);
    if (!counts(match)) continue;
    const passage = chains.length === 1 ? match : widen(index, match, chains, within, counts);
    if (!passage || !isWanted(passage)) continue;
    passages.push(passage);
    if (passages.length === most) break;
  }
  return passages;
}

/** Returns whether a phrase stands in a range of tokens. */
export function standsIn(index: TextIndex, phrase: number, range: TokenRange): boolean {
  const mask = index.maskOf(phrase, 1);
  if (mask === 0) return false;
  const around = index.maskAround(range);
  index.spend(1);
  // A phrase of one chain must have all it needs in one of the sentences.
  const chains = index.phrases.chainsOf(phrase);
  if (chains.length === 1 && (mask & around) === 0) return false;
  return chains.every((chain) => hasMatchIn(index.matches(chain, 1, around), range));
}

function hasMatchIn(matches: readonly TokenRange[], { start, end }: TokenRange): boolean {
  for (let at = firstFrom(matches, start); at < matches.length; at++) {
    const match = matches[at];
    if (!match || match.start >= end) return false;
    if (match.end <= end) return true;
  }
  return false;
}

/** Adds the chains behind the first to a match of that, each at the place that is nearest to it. */
function widen(
  index: TextIndex,
  match: TokenRange,
  chains: readonly number[],
  within: number,
  counts: MatchFilter,
): TokenRange | undefined {
  let passage: TokenRange | undefined = match;
  const mask = index.maskAround(match);
  for (let at = 1; at < chains.length && passage; at++) {
    const chain = chains[at];
    const matches = chain === undefined ? NO_PASSAGES : index.matches(chain, within, mask);
    passage = addNearest(index, passage, matches, within, counts);
  }
  return passage;
}

function addNearest(
  index: TextIndex,
  passage: TokenRange,
  matches: readonly TokenRange[],
  within: number,
  counts: MatchFilter,
): TokenRange | undefined {
  let nearest: TokenRange | undefined;
  const first = firstFrom(matches, passage.start - MAX_DISTANCE);
  let at = first;
  for (; at < matches.length; at++) {
    const other = matches[at];
    if (!other || other.start > passage.end + MAX_DISTANCE) break;
    const wider = join(passage, other);
    if (nearest && lengthOf(wider) >= lengthOf(nearest)) continue;
    if (spreadOf(index, wider) <= within && counts(other)) nearest = wider;
  }
  index.spend(at - first);
  return nearest;
}

const lengthOf = ({ start, end }: TokenRange): number => end - start;

function join(one: TokenRange, other: TokenRange): TokenRange {
  return { start: Math.min(one.start, other.start), end: Math.max(one.end, other.end) };
}

/** Number of sentences that a range of tokens touches. */
function spreadOf(index: TextIndex, { start, end }: TokenRange): number {
  return index.sentenceOf(end - 1) - index.sentenceOf(start) + 1;
}

/** Returns the matches that start in a range of tokens; matches are in order. */
export function startingIn(
  matches: readonly TokenRange[],
  { start, end }: TokenRange,
): readonly TokenRange[] {
  return matches.slice(firstFrom(matches, start), firstFrom(matches, end));
}

/** Returns the index of the first range that starts at a token or behind it; ranges are in order. */
function firstFrom(ranges: readonly TokenRange[], token: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}
