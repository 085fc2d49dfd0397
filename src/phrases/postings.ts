import type { CompiledPhrases } from "./compiled-phrases.ts";
import { collectTerms, slotOf } from "./collect-terms.ts";
import { layOutSentences, NO_SENTENCE } from "./layout.ts";
import { ELEMENT_HEAD, ELEMENT_HEAD_LENGTH, type PhraseTables } from "./phrase-tables.ts";
import { BITS_SHIFT, type BufferPool, type Buffers } from "./presence-buffers.ts";
import { ALL_SENTENCES, spread, type SentenceMask } from "./sentence-mask.ts";
import { mergeSpans, startOf, type Span } from "./spans.ts";
import type { TokenisedText } from "./tokenise.ts";

const NONE: readonly never[] = [];

/** The words of a text in order, and its sentences. */
export type WordsOfText = Pick<TokenisedText, "tokens" | "starts">;

/** Classes of numbers are bits below this one. */
const NUMBER_BITS = 8;

/**
 * The sentences in which each element may stand.
 *
 * The terms of the text are collected by marks, of which most phrases end at their key. What else a phrase needs is found
 * when it is asked for, once for all phrases.
 */
export class Postings {
  readonly #tables: PhraseTables;
  readonly #rarestKeys: Uint16Array;
  readonly #pool: BufferPool;
  readonly #buffers: Buffers;
  readonly #tokenCount: number;
  readonly #slotCount: number;
  #isReleased = false;
  #positionedCount = 0;
  /** The sentences of the numbers of each class. */
  readonly #numberMasks = new Int32Array(NUMBER_BITS);
  #numberClasses = 0;

  constructor(phrases: CompiledPhrases, { tokens, starts }: WordsOfText) {
    const { tables, buffers } = phrases;
    this.#tables = tables;
    this.#rarestKeys = phrases.rarestKeys;
    this.#pool = buffers;
    this.#buffers = buffers.take();
    this.#tokenCount = tokens.length;
    layOutSentences(this.#buffers, starts);
    this.#slotCount = collectTerms(tables, this.#buffers, tokens);
  }

  /** Returns the sentence that a token is in. */
  sentenceOf(token: number): number {
    return this.#buffers.sentenceOf[token] ?? NO_SENTENCE;
  }

  /** Returns a list with a zero for each token and one more, which has to be zeros again afterwards. */
  get startAt(): number[] {
    const { startAt } = this.#buffers;
    while (startAt.length <= this.#tokenCount) startAt.push(0);
    return startAt;
  }

  /** Returns the bit of that sentence. */
  maskAt(token: number): SentenceMask {
    return this.#buffers.maskOf[token] ?? 0;
  }

  /** Returns the buffers back; nothing may be asked of this afterwards. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const { termBits, slotTerms, marks, positioned, positions, covered } = this.#buffers;
    // A text uses a small part of the tables: taking that back is cheaper than wiping all.
    for (let slot = 1; slot <= this.#slotCount; slot++)
      termBits[(slotTerms[slot] ?? 0) >> BITS_SHIFT] = 0;
    for (let at = 0; at < this.#positionedCount; at++) {
      const element = positioned[at] ?? 0;
      positions[element] = undefined;
      covered[element] = 0;
    }
    marks.fill(0);
    this.#pool.give(this.#buffers);
  }

  /** Records in which sentences a number of some classes stands. */
  addNumber(classes: number, mask: SentenceMask): void {
    this.#numberClasses |= classes;
    for (let bit = 0; bit < NUMBER_BITS; bit++)
      if ((classes & (1 << bit)) !== 0)
        this.#numberMasks[bit] = (this.#numberMasks[bit] ?? 0) | mask;
  }

  /** Collects the marks, when all numbers are known. */
  complete(): void {
    const { markListOfTerm, markLists } = this.#tables;
    const { first, items } = markLists;
    const { slotTerms, slotMasks, marks } = this.#buffers;
    for (let slot = 1; slot <= this.#slotCount; slot++) {
      const list = markListOfTerm[slotTerms[slot] ?? 0] ?? 0;
      const mask = slotMasks[slot] ?? 0;
      for (let at = first[list] ?? 0, end = first[list + 1] ?? 0; at < end; at++) {
        const mark = items[at] ?? 0;
        marks[mark] = (marks[mark] ?? 0) | mask;
      }
    }
    if (this.#numberClasses !== 0) this.#collectNumbers();
  }

  #collectNumbers(): void {
    const { keysOfNumbers, classesOfKeys } = this.#tables;
    const { marks } = this.#buffers;
    for (let at = 0; at < keysOfNumbers.length; at++) {
      const key = keysOfNumbers[at] ?? 0;
      marks[key] = (marks[key] ?? 0) | this.#maskOfNumbers(classesOfKeys[at] ?? 0);
    }
  }

  /** Returns whether some phrase of a list may be there. */
  hasCandidate(list: number, within: number): boolean {
    const { first, items } = this.#tables.phrasesOfGroup;
    const keys = this.#rarestKeys;
    const { marks } = this.#buffers;
    for (let at = first[list] ?? 0, end = first[list + 1] ?? 0; at < end; at++) {
      const key = keys[at] ?? 0;
      if (key !== 0 && marks[key] === 0) continue;
      if (this.maskOfPhrase(items[at] ?? 0, within) !== 0) return true;
    }
    return false;
  }

  /** Returns the sentences in which, or near which, all that a phrase needs may stand. */
  maskOfPhrase(phrase: number, within: number): SentenceMask {
    const { first } = this.#tables.needsOfPhrase;
    const from = first[phrase] ?? 0;
    const to = first[phrase + 1] ?? 0;
    // Most phrases end here.
    const mask = this.#maskOfKeys(from, to, within);
    return mask === 0 ? 0 : this.#maskOfInexact(from, to, within, mask);
  }

  /** Returns the sentences that the keys of some needs of phrases share. */
  #maskOfKeys(from: number, to: number, within: number): SentenceMask {
    const { keysOfNeeds } = this.#tables;
    const { marks } = this.#buffers;
    let mask = ALL_SENTENCES;
    for (let at = from; at < to && mask !== 0; at++) {
      const key = keysOfNeeds[at] ?? 0;
      if (key !== 0) mask &= spread(marks[key] ?? 0, within);
    }
    return mask;
  }

  /** Returns those of some sentences that also have the needs of which a key does not say all. */
  #maskOfInexact(from: number, to: number, within: number, known: SentenceMask): SentenceMask {
    const { keysOfNeeds, needsOfPhrase, exactKeyCount } = this.#tables;
    let mask = known;
    for (let at = from; at < to && mask !== 0; at++) {
      const key = keysOfNeeds[at] ?? 0;
      if (key === 0 || key > exactKeyCount)
        mask &= spread(this.#maskOf(needsOfPhrase.items[at] ?? 0), within);
    }
    return mask;
  }

  /** Returns the sentences in which, or near which, all that a row needs may stand. */
  maskOfRow(row: number, within: number): SentenceMask {
    const { keyOfRow, needsOfRow, exactKeyCount } = this.#tables;
    const { first, items } = needsOfRow;
    const key = keyOfRow[row] ?? 0;
    const start = first[row] ?? 0;
    const marked = key === 0 ? ALL_SENTENCES : spread(this.#buffers.marks[key] ?? 0, within);
    const mask = this.#maskOfElements(start + 1, first[row + 1] ?? 0, within, marked);
    // A key stands for the first, which is more work to find than most others, so that it comes last.
    const isFound = mask === 0 || (key !== 0 && key <= exactKeyCount);
    return isFound ? mask : mask & spread(this.#maskOf(items[start] ?? 0), within);
  }

  /** Returns those of some sentences that also have elements which rows need. */
  #maskOfElements(from: number, to: number, within: number, known: SentenceMask): SentenceMask {
    const { items } = this.#tables.needsOfRow;
    let mask = known;
    for (let at = from; at < to && mask !== 0; at++)
      mask &= spread(this.#maskOf(items[at] ?? 0), within);
    return mask;
  }

  /**
   * Puts the places at which the terms of an element stand in some sentences into a list from an index on, and gives
   * the next index.
   */
  addTerms(element: number, mask: SentenceMask, found: Span[], from: number): number {
    let count = from;
    const buffers = this.#buffers;
    const { slotMasks } = buffers;
    const { first, items } = this.#tables.elements;
    for (let at = this.#termsOf(element), end = first[element + 1] ?? 0; at < end; at++) {
      const slot = slotOf(buffers, items[at] ?? 0);
      if (slot !== 0 && ((slotMasks[slot] ?? 0) & mask) !== 0)
        count = this.#addPlaces(slot, mask, found, count);
    }
    return count;
  }

  #addPlaces(slot: number, mask: SentenceMask, found: Span[], from: number): number {
    let count = from;
    const { slotPlaces, spanAt, nextPlaces } = this.#buffers;
    for (let place = slotPlaces[slot] ?? 0; place > 0; place = nextPlaces[place - 1] ?? 0) {
      const span = spanAt[place - 1] ?? 0;
      if ((this.maskAt(startOf(span)) & mask) !== 0) found[count++] = span;
    }
    return count;
  }

  /** Returns those of some sentences that may have an element and were not looked at yet. */
  missingOf(element: number, mask: SentenceMask): SentenceMask {
    return this.#maskOf(element) & mask & ~(this.#buffers.covered[element] ?? 0);
  }

  /** Returns where an element stands, as far as that is known. */
  positionsOf(element: number): readonly Span[] {
    return this.#buffers.positions[element] ?? NONE;
  }

  /** Records where an element stands in the sentences that were missing, and gives all that is known. */
  keep(element: number, missing: SentenceMask, found: readonly Span[]): readonly Span[] {
    const { positioned, positions, covered } = this.#buffers;
    covered[element] = (covered[element] ?? 0) | missing;
    const known = positions[element];
    if (!known) positioned[this.#positionedCount++] = element;
    else if (found.length === 0) return known;
    const all = known && known.length > 0 ? mergeSpans(known, found) : found;
    positions[element] = all;
    return all;
  }

  #maskOf(element: number): SentenceMask {
    const { masks, generation } = this.#buffers;
    const at = element << 1;
    if (masks[at] === generation) return masks[at + 1] ?? 0;
    const mask = this.#findMask(element);
    masks[at] = generation;
    masks[at + 1] = mask;
    return mask;
  }

  #findMask(element: number): SentenceMask {
    const { first, items } = this.#tables.elements;
    const head = first[element] ?? 0;
    const mark = items[head + ELEMENT_HEAD.mark] ?? 0;
    const marked = this.#buffers.marks[mark] ?? 0;
    if (mark !== 0 && mark <= this.#tables.exactKeyCount) return marked;
    const terms = this.#termsOf(element);
    const own = mark === 0 ? this.#searchTerms(terms, first[element + 1] ?? 0) : marked;
    return (
      own |
      this.#maskOfNumbers(items[head + ELEMENT_HEAD.numbers] ?? 0) |
      this.#maskOfInside(head + ELEMENT_HEAD_LENGTH, items[head + ELEMENT_HEAD.parts] ?? 0, terms)
    );
  }

  /** Returns the sentences of the parts and rows of an element, which stand up to its terms. */
  #maskOfInside(from: number, parts: number, to: number): SentenceMask {
    const { items } = this.#tables.elements;
    let mask = 0;
    for (let at = from; at < to; at++) {
      const inside = items[at] ?? 0;
      mask |= at < from + parts ? this.#maskOf(inside) : this.maskOfRow(inside, 1);
    }
    return mask;
  }

  /** Returns the sentences of the terms that stand in a stretch of the elements. */
  #searchTerms(from: number, to: number): SentenceMask {
    const buffers = this.#buffers;
    const { slotMasks } = buffers;
    const { items } = this.#tables.elements;
    let mask = 0;
    for (let at = from; at < to; at++) {
      const slot = slotOf(buffers, items[at] ?? 0);
      if (slot !== 0) mask |= slotMasks[slot] ?? 0;
    }
    return mask;
  }

  /** Returns where the terms of an element begin. */
  #termsOf(element: number): number {
    const { first, items } = this.#tables.elements;
    const head = first[element] ?? 0;
    const parts = items[head + ELEMENT_HEAD.parts] ?? 0;
    return head + ELEMENT_HEAD_LENGTH + parts + (items[head + ELEMENT_HEAD.rows] ?? 0);
  }

  #maskOfNumbers(classes: number): SentenceMask {
    if ((classes & this.#numberClasses) === 0) return 0;
    let mask = 0;
    for (let bit = 0; bit < NUMBER_BITS; bit++)
      if ((classes & (1 << bit)) !== 0) mask |= this.#numberMasks[bit] ?? 0;
    return mask;
  }
}
