import { readNumber } from "./numbers.ts";
import { elements, type Element, type Step } from "./elements.ts";
import { Presence, toSentenceMask, type SentenceMask } from "./presence.ts";
import type { Chain, Phrase } from "./parse-phrase.ts";
import type { Token } from "./tokenise.ts";
import { vocabulary, type WordId } from "./vocabulary.ts";

/** Tokens from `start` up to `end`, which is not part of it. */
export interface TokenRange {
  readonly start: number;
  readonly end: number;
}

/** A match that is being followed. */
interface State extends TokenRange {
  /** Words that an absent step left to the next one. */
  readonly slack: number;
}

const MAX_SLACK = 24;
const NOWHERE: readonly State[] = [];

const byStart = (one: TokenRange, other: TokenRange): number =>
  one.start - other.start || one.end - other.end;

/**
 * Where the words of a text stand, and with them the elements of phrases.
 *
 * Every element is looked up once for all phrases that share it. Most phrases end at an element that the text does
 * not have at all.
 */
export class TextIndex {
  readonly tokens: readonly Token[];
  /** The sentence of each token. */
  readonly #sentenceOf: Uint32Array;
  #isReleased = false;
  readonly #vocabularySize = vocabulary.size;
  readonly #elementCount = elements.length;
  /** The tokens at which each word stands. */
  readonly #occurrences = new Map<WordId, State[]>();
  readonly #numbers: { readonly range: State; readonly classes: number }[] = [];
  readonly #presence = new Presence();
  readonly #positions = new Map<number, readonly State[]>();
  readonly #matches = new Map<number, readonly TokenRange[]>();

  constructor(sentences: readonly (readonly Token[])[]) {
    this.tokens = sentences.length === 1 ? (sentences[0] ?? []) : sentences.flat();
    this.#sentenceOf = new Uint32Array(this.tokens.length);
    let start = 0;
    for (const [sentence, { length }] of sentences.entries()) {
      this.#sentenceOf.fill(sentence, start, start + length);
      start += length;
    }
    for (let index = 0; index < this.tokens.length; index++) this.#addToken(index);
    for (const [word, ranges] of this.#occurrences)
      this.#presence.addWord(word, this.#maskOf(ranges));
    for (const { range, classes } of this.#numbers)
      this.#presence.addNumber(classes, this.#maskOf([range]));
  }

  /** Gives the tokens of the sentences that a range touches. */
  sentencesAround({ start, end }: TokenRange): TokenRange {
    const [first, last] = [this.sentenceOf(start), this.sentenceOf(Math.max(start, end - 1))];
    let from = start;
    while (from > 0 && this.#sentenceOf[from - 1] === first) from--;
    let to = end;
    while (to < this.tokens.length && this.#sentenceOf[to] === last) to++;
    return { start: from, end: to };
  }

  /** Gives the sentence that a token is in. */
  sentenceOf(token: number): number {
    return this.#sentenceOf[token] ?? 0;
  }

  /** Tells whether some passage has all that a phrase needs. */
  mayMatch({ id }: Phrase, within: number): boolean {
    return this.#presence.mayMatch(id, within);
  }

  /** Whether phrases have been read since, whose words this index does not know. */
  get isStale(): boolean {
    return (
      this.#isReleased ||
      this.#vocabularySize !== vocabulary.size ||
      this.#elementCount !== elements.length
    );
  }

  /** Gives back what it was made with; it is stale then. */
  release(): void {
    this.#isReleased = true;
    this.#presence.release();
  }

  /**
   * Finds where a chain matches, in the order of the text: for every end the nearest start.
   *
   * Linear in the length of the text: of the matches with one end only one is followed.
   *
   * @param within - Neighbouring sentences over which a match may spread.
   */
  matches(chain: Chain, within: number): readonly TokenRange[] {
    const key = chain.id * 4 + within;
    let found = this.#matches.get(key);
    if (!found) {
      const mask = this.#presence.maskOfAll(chain.needed, within);
      found = mask === 0 ? NOWHERE : this.#follow(chain.steps, within, mask, chain.isAtStart);
      this.#matches.set(key, found);
    }
    return found;
  }

  #addToken(index: number): void {
    const { ids } = this.tokens[index] ?? { ids: NONE };
    if (ids.length > 0) {
      const range = { start: index, end: index + 1, slack: 0 };
      for (const id of ids) {
        const known = this.#occurrences.get(id);
        if (known) known.push(range);
        else this.#occurrences.set(id, [range]);
      }
    }
    const number = readNumber(this.tokens, index);
    if (!number || number.classes === 0) return;
    const range = { start: index, end: index + number.length, slack: 0 };
    this.#numbers.push({ range, classes: number.classes });
  }

  #maskOf(ranges: readonly TokenRange[]): SentenceMask {
    let mask = 0;
    for (const { start } of ranges) mask |= toSentenceMask(this.sentenceOf(start));
    return mask;
  }

  #isSentenceStart(token: number): boolean {
    return token === 0 || this.#sentenceOf[token] !== this.#sentenceOf[token - 1];
  }

  #positionsOf(element: Element): readonly State[] {
    let positions = this.#positions.get(element.id);
    if (!positions) {
      positions = this.#presence.maskOf(element) === 0 ? NOWHERE : this.#find(element);
      this.#positions.set(element.id, positions);
    }
    return positions;
  }

  #find(element: Element): readonly State[] {
    const { words, numbers, parts } = element;
    const found: State[] = [];
    for (const id of words) found.push(...(this.#occurrences.get(id) ?? NOWHERE));
    if (numbers !== 0) {
      for (const { range, classes } of this.#numbers)
        if ((classes & numbers) !== 0) found.push(range);
    }
    for (const part of parts) found.push(...this.#positionsOf(part));
    for (const { steps, needed } of element.rows) {
      const mask = this.#presence.maskOfAll(needed, 1);
      if (mask !== 0) found.push(...this.#follow(steps, 1, mask));
    }
    return found.length < 2 ? found : withoutDoubles(found.toSorted(byStart));
  }

  /** @param mask - Sentences in which, or near which, all that is needed may stand. */
  #follow(
    [first, ...rest]: readonly Step[],
    within: number,
    mask: SentenceMask,
    isAtStart = false,
  ): readonly State[] {
    if (!first) return NOWHERE;
    let states: readonly State[] = this.#positionsOf(first.element).filter(
      ({ start }) =>
        (mask & toSentenceMask(this.sentenceOf(start))) !== 0 &&
        (!isAtStart || this.#isSentenceStart(start)),
    );
    for (const step of rest) {
      if (states.length === 0) return NOWHERE;
      states = this.#followStep(step, states, within);
    }
    return states;
  }

  #followStep(
    { element, gap, isOptional }: Step,
    states: readonly State[],
    within: number,
  ): readonly State[] {
    const positions = this.#positionsOf(element);
    const next = new Map<number, State>();
    for (const { start, end, slack } of states) {
      const lastSentence = this.sentenceOf(start) + within - 1;
      const last = end + gap + slack;
      for (let index = firstFrom(positions, end); index < positions.length; index++) {
        const position = positions[index];
        if (!position || position.start > last || this.sentenceOf(position.end - 1) > lastSentence)
          break;
        const known = next.get(position.end);
        if (!known || known.start < start)
          next.set(position.end, { start, end: position.end, slack: 0 });
      }
    }
    if (isOptional) {
      for (const state of states) {
        if (!next.has(state.end))
          next.set(state.end, { ...state, slack: Math.min(MAX_SLACK, state.slack + gap) });
      }
    }
    return [...next.values()].toSorted(byStart);
  }
}

const NONE: readonly number[] = [];

/** Gives the index of the first range that starts at a token or behind it; ranges are in order. */
export function firstFrom(positions: readonly TokenRange[], token: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((positions[middle]?.start ?? 0) < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withoutDoubles(sorted: readonly State[]): readonly State[] {
  return sorted.filter(({ start, end }, index) => {
    const before = sorted[index - 1];
    return before?.start !== start || before.end !== end;
  });
}
