import { listNumbers } from "./numbers.ts";
import type { CompiledPhrases } from "./compiled-phrases.ts";
import { ELEMENT_HEAD, ELEMENT_HEAD_LENGTH, GAP_SHIFT, OPTIONAL_STEP } from "./phrase-tables.ts";
import { Postings, type WordsOfText } from "./postings.ts";
import { ALL_SENTENCES, MASK_SENTENCES, spread, type SentenceMask } from "./sentence-mask.ts";
import {
  dropDoubles,
  endOf,
  firstSpanFrom,
  sortNumbers,
  startOf,
  mergeSpans,
  toRange,
  toSpan,
  type Span,
  type TokenRange,
} from "./spans.ts";
import { Work } from "./work.ts";
import type { Token } from "./token.ts";

/** Counting each step takes as long as the step. */
const STEPS_COUNTED_AT_ONCE = 64;
const MAX_SLACK = 24;
/** What is being found, of one element above the other: one stack for all texts, which are read one at a time. */
const gathered: Span[] = [];
let gatheredCount = 0;
const NOWHERE: readonly Span[] = [];
const NO_RANGES: readonly TokenRange[] = [];

/** Returns what was gathered from an index on, as a list of its own. */
function takeGathered(first: number): Span[] {
  const found = gathered.slice(first, gatheredCount);
  gatheredCount = first;
  return found;
}

/** Matches that are being followed, in the order of the text. */
interface States {
  readonly spans: readonly Span[];
  /** Words that an absent step left to the next one; none where the list ends before. */
  readonly slack: readonly number[];
}

const NO_SLACK: readonly number[] = [];

/** Matches of a chain, as far as it was asked. */
interface Found {
  /** The sentences in which it was looked for. */
  covered: SentenceMask;
  spans: readonly Span[];
  ranges: readonly TokenRange[];
}

/** Lets the matches end where they are, as if a step were absent, and gives the words that this leaves to the next one. */
function leaveOut(
  { spans, slack }: States,
  gap: number,
  startAt: number[],
): ReadonlyMap<Span, number> | undefined {
  let slackAt: Map<Span, number> | undefined;
  for (let at = 0; at < spans.length; at++) {
    const span = spans[at] ?? 0;
    const end = endOf(span);
    if (startAt[end] !== 0) continue;
    gathered[gatheredCount++] = end;
    startAt[end] = startOf(span) + 1;
    slackAt ??= new Map();
    slackAt.set(span, Math.min(MAX_SLACK, (slack[at] ?? 0) + gap));
  }
  return slackAt;
}

/**
 * Where the words of a text stand, and with them the elements of phrases.
 *
 * Every element is looked up once for all phrases that share it. Most phrases end at an element that the text does
 * not have at all.
 */
export class TextIndex {
  readonly phrases: CompiledPhrases;
  readonly tokens: readonly Token[];
  readonly #numbers: readonly { readonly span: Span; readonly classes: number }[];
  readonly #presence: Postings;
  /** Where a bit stands for several sentences, asking for a few would read the same places time and again. */
  readonly #asksForAll: boolean;
  readonly #work: Work;
  /** Taken since the last were counted: an exception in the middle of a search would leave its lists as they are. */
  #steps = 0;
  #matches: Map<number, Found> | undefined;

  constructor(phrases: CompiledPhrases, { tokens, starts }: WordsOfText, work = new Work()) {
    this.phrases = phrases;
    this.tokens = tokens;
    this.#work = work;
    this.#presence = new Postings(phrases, { tokens, starts });
    this.#asksForAll = starts.length - 1 > MASK_SENTENCES;
    this.#numbers = listNumbers(tokens);
    for (const { span, classes } of this.#numbers)
      this.#presence.addNumber(classes, this.#maskAt(span));
    this.#presence.complete();
  }

  /** Returns the sentence that a token is in. */
  sentenceOf(token: number): number {
    return this.#presence.sentenceOf(token);
  }

  /** Returns the sentences in which, or near which, all that a phrase needs may stand; most phrases have none. */
  maskOf(phrase: number, within: number): SentenceMask {
    return this.#presence.maskOfPhrase(phrase, within);
  }

  /** Returns the sentences that a range touches. */
  maskAround({ start, end }: TokenRange): SentenceMask {
    let mask = 0;
    for (let token = start; token < end; token++) mask |= this.#presence.maskAt(token);
    this.#steps += end - start;
    return mask;
  }

  /** Returns whether some passage has all that one of the phrases of a list needs. */
  hasCandidate(list: number, within: number): boolean {
    return this.#presence.hasCandidate(list, within);
  }

  /** Releases the memory that it was made with; nothing may be asked of it afterwards. */
  release(): void {
    this.#presence.release();
  }

  /**
   * Finds where a chain matches, in the order of the text: for every end the nearest start.
   *
   * Linear in the length of the text: of the matches with one end only one is followed.
   *
   * @param within - Neighbouring sentences over which a match may spread.
   * @param mask - Sentences whose matches are asked for; those of others may be among them. Default: all.
   */
  matches(
    chain: number,
    within: number,
    mask: SentenceMask = ALL_SENTENCES,
  ): readonly TokenRange[] {
    const key = chain * 4 + within;
    const asked = within === 1 && !this.#asksForAll ? mask : ALL_SENTENCES;
    const known = (this.#matches ??= new Map<number, Found>()).get(key);
    const missing = known ? asked & ~known.covered : asked;
    if (known && missing === 0) return known.ranges;
    const found = this.#follow(chain, within, missing);
    this.spend(found.length);
    if (!known) {
      const ranges = found.length === 0 ? NO_RANGES : found.map(toRange);
      this.#matches.set(key, { covered: missing, spans: found, ranges });
      return ranges;
    }
    known.covered |= missing;
    if (found.length > 0) {
      known.spans = mergeSpans(known.spans, found);
      known.ranges = known.spans.map(toRange);
    }
    return known.ranges;
  }

  /** Records steps, together with those of the searches so far. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < STEPS_COUNTED_AT_ONCE) return;
    const all = this.#steps;
    this.#steps = 0;
    this.#work.spend(all);
  }

  #isSentenceStart(token: number): boolean {
    return token === 0 || this.sentenceOf(token) !== this.sentenceOf(token - 1);
  }

  /** Returns where an element stands in some sentences; others may be among them. */
  #positionsOf(element: number, mask: SentenceMask): readonly Span[] {
    const asked = this.#asksForAll ? ALL_SENTENCES : mask;
    const missing = this.#presence.missingOf(element, asked);
    if (missing === 0) return this.#presence.positionsOf(element);
    return this.#presence.keep(element, missing, this.#find(element, missing));
  }

  /** Gathers on a stack, of which a list of the right length is cut: lists that grow leave much behind. */
  #find(element: number, mask: SentenceMask): readonly Span[] {
    const { first, items } = this.phrases.tables.elements;
    const head = first[element] ?? 0;
    const numbers = items[head + ELEMENT_HEAD.numbers] ?? 0;
    const start = gatheredCount;
    gatheredCount = this.#presence.addTerms(element, mask, gathered, start);
    if (numbers !== 0) this.#gatherNumbers(numbers, mask);
    let at = head + ELEMENT_HEAD_LENGTH;
    for (const end = at + (items[head + ELEMENT_HEAD.parts] ?? 0); at < end; at++)
      this.#gather(this.#positionsOf(items[at] ?? 0, mask), mask);
    for (const end = at + (items[head + ELEMENT_HEAD.rows] ?? 0); at < end; at++)
      this.#gather(this.#follow(items[at] ?? 0, 1, mask), mask);
    const found = takeGathered(start);
    this.#steps += found.length;
    if (found.length > 1) {
      sortNumbers(found);
      dropDoubles(found);
    }
    return found;
  }

  #gatherNumbers(asked: number, mask: SentenceMask): void {
    for (const { span, classes } of this.#numbers) {
      if ((classes & asked) !== 0 && (this.#maskAt(span) & mask) !== 0)
        gathered[gatheredCount++] = span;
    }
  }

  #gather(spans: readonly Span[], mask: SentenceMask): void {
    for (const span of spans)
      if ((this.#maskAt(span) & mask) !== 0) gathered[gatheredCount++] = span;
  }

  /** Returns the sentence that a span starts in. */
  #maskAt(span: Span): SentenceMask {
    return this.#presence.maskAt(startOf(span));
  }

  /** @param asked - Sentences in which to start. */
  #follow(row: number, within: number, asked: SentenceMask): readonly Span[] {
    const { stepsOfRow, startsSentence } = this.phrases.tables;
    const mask = this.#presence.maskOfRow(row, within) & asked;
    if (mask === 0) return NOWHERE;
    const { first, items } = stepsOfRow;
    const start = first[row] ?? 0;
    const end = first[row + 1] ?? 0;
    const spans = this.#startsOf(items[start] ?? 0, mask, startsSentence[row] === 1);
    let states: States = { spans, slack: NO_SLACK };
    let reached = 0;
    for (const span of states.spans) reached |= this.#maskAt(span);
    reached = spread(reached, within);
    for (let at = start + 2; at < end && states.spans.length > 0; at += 2)
      states = this.#followStep(items[at] ?? 0, items[at + 1] ?? 0, states, within, reached);
    return states.spans;
  }

  /** @param mask - Sentences in which, or near which, all that is needed may stand. */
  #startsOf(element: number, mask: SentenceMask, isAtStart: boolean): readonly Span[] {
    const positions = this.#positionsOf(element, mask);
    const first = gatheredCount;
    for (const span of positions) {
      if ((mask & this.#maskAt(span)) === 0) continue;
      if (!isAtStart || this.#isSentenceStart(startOf(span))) gathered[gatheredCount++] = span;
    }
    if (gatheredCount - first < positions.length) return takeGathered(first);
    gatheredCount = first;
    return positions;
  }

  /** Goes on from a match to the positions behind it, and gives the index of the first of these. */
  #reach(
    positions: readonly Span[],
    span: Span,
    last: number,
    lastSentence: number,
    startAt: number[],
    near: number,
  ): number {
    const first = firstSpanFrom(positions, endOf(span), near);
    let index = first;
    for (; index < positions.length; index++) {
      const position = positions[index] ?? 0;
      const next = endOf(position);
      if (startOf(position) > last || this.sentenceOf(next - 1) > lastSentence) break;
      if (startAt[next] === 0) gathered[gatheredCount++] = next;
      // The states are in the order of their starts, so a later one is nearer.
      startAt[next] = startOf(span) + 1;
    }
    this.#steps += 1 + index - first;
    return first;
  }

  /**
   * @param step - How the element follows, as the tables have it.
   * @param mask - Sentences that may be reached.
   */
  #followStep(
    element: number,
    step: number,
    states: States,
    within: number,
    mask: SentenceMask,
  ): States {
    const gap = step >> GAP_SHIFT;
    const isOptional = (step & OPTIONAL_STEP) !== 0;
    const positions = this.#positionsOf(element, mask);
    if (positions.length === 0 && !isOptional) return { spans: NOWHERE, slack: NO_SLACK };
    const { startAt } = this.#presence;
    // The ends of matches; where each starts stands in `startAt`.
    const firstEnd = gatheredCount;
    let near = 0;
    for (let at = 0; at < states.spans.length; at++) {
      const span = states.spans[at] ?? 0;
      const lastSentence = this.sentenceOf(startOf(span)) + within - 1;
      const last = endOf(span) + gap + (states.slack[at] ?? 0);
      near = this.#reach(positions, span, last, lastSentence, startAt, near);
    }
    const slackAt = isOptional ? leaveOut(states, gap, startAt) : undefined;
    const spans = takeGathered(firstEnd);
    for (let at = 0; at < spans.length; at++) {
      const end = spans[at] ?? 0;
      spans[at] = toSpan((startAt[end] ?? 1) - 1, end);
      startAt[end] = 0;
    }
    sortNumbers(spans);
    return {
      spans,
      slack: slackAt ? spans.map((span) => slackAt?.get(span) ?? 0) : NO_SLACK,
    };
  }
}
