import type { CompiledPhrases } from "./compiled-phrases.ts";
import { layOutSentences, layOutWords, NO_SENTENCE } from "./layout.ts";
import { LITERAL_ROOT, nextLiteral, type LiteralNode } from "./literal-trie.ts";
import type { Lists, PhraseTables } from "./phrase-tables.ts";
import type { BufferPool, Buffers } from "./presence-buffers.ts";
import { ALL_SENTENCES, spread, type SentenceMask } from "./sentence-mask.ts";
import { mergeSpans, startOf, toSpan, type Span } from "./spans.ts";
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
export class Presence {
  readonly #tables: PhraseTables;
  readonly #pool: BufferPool;
  readonly #buffers: Buffers;
  readonly #tokenCount: number;
  #isReleased = false;
  #slotCount = 0;
  #placeCount: number;
  #knownCount = 0;
  #positionedCount = 0;
  /** The sentences of the numbers of each class. */
  readonly #numberMasks = new Int32Array(NUMBER_BITS);
  #numberClasses = 0;

  constructor({ tables, buffers }: CompiledPhrases, { tokens, starts }: WordsOfText) {
    this.#tables = tables;
    this.#pool = buffers;
    this.#buffers = buffers.take();
    this.#tokenCount = tokens.length;
    layOutSentences(this.#buffers, starts);
    this.#placeCount = layOutWords(this.#buffers, tokens);
    // From the end, because each term's places are a list to which the first is added last.
    for (let place = this.#placeCount - 1; place >= 0; place--) this.#addPlace(place);
    for (let token = this.#tokenCount - 1; token >= 0; token--) this.#startLiterals(token);
  }

  /** Gives the sentence that a token is in. */
  sentenceOf(token: number): number {
    return this.#buffers.sentenceOf[token] ?? NO_SENTENCE;
  }

  /** Gives a list with a zero for each token and one more, which has to be zeros again afterwards. */
  get startAt(): number[] {
    const { startAt } = this.#buffers;
    while (startAt.length <= this.#tokenCount) startAt.push(0);
    return startAt;
  }

  /** Gives the bit of that sentence. */
  maskAt(token: number): SentenceMask {
    return this.#buffers.maskOf[token] ?? 0;
  }

  /** Gives the buffers back; nothing may be asked of this afterwards. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const { slotOfTerm, slotTerms, marks, isKnown, known, positioned, positions, covered } =
      this.#buffers;
    // A text uses a small part of the tables: taking that back is cheaper than wiping all.
    for (let slot = 1; slot <= this.#slotCount; slot++) slotOfTerm[slotTerms[slot] ?? 0] = 0;
    for (let at = 0; at < this.#knownCount; at++) isKnown[known[at] ?? 0] = 0;
    for (let at = 0; at < this.#positionedCount; at++) {
      const element = positioned[at] ?? 0;
      positions[element] = undefined;
      covered[element] = 0;
    }
    marks.fill(0);
    this.#pool.give(this.#buffers);
  }

  /** Takes down in which sentences a number of some classes stands. */
  addNumber(classes: number, mask: SentenceMask): void {
    this.#numberClasses |= classes;
    for (let bit = 0; bit < NUMBER_BITS; bit++)
      if ((classes & (1 << bit)) !== 0)
        this.#numberMasks[bit] = (this.#numberMasks[bit] ?? 0) | mask;
  }

  /** Collects the marks, when all numbers are known. */
  complete(): void {
    const { first, items } = this.#tables.marksOfTerm;
    const { slotTerms, slotMasks, marks } = this.#buffers;
    for (let slot = 1; slot <= this.#slotCount; slot++) {
      const term = slotTerms[slot] ?? 0;
      const mask = slotMasks[slot] ?? 0;
      for (let at = first[term] ?? 0, end = first[term + 1] ?? 0; at < end; at++) {
        const mark = items[at] ?? 0;
        marks[mark] = (marks[mark] ?? 0) | mask;
      }
    }
    if (this.#numberClasses !== 0) this.#collectNumbers();
  }

  #collectNumbers(): void {
    const { numbersOfKey } = this.#tables;
    const { marks } = this.#buffers;
    for (let key = 0; key < numbersOfKey.length; key++)
      marks[key] = (marks[key] ?? 0) | this.#maskOfNumbers(numbersOfKey[key] ?? 0);
  }

  /** Tells whether some phrase of a list may be there. */
  hasCandidate(list: number, within: number): boolean {
    const { phrasesOfGroup, keyOfPhrase } = this.#tables;
    const { first, items } = phrasesOfGroup;
    const { marks } = this.#buffers;
    for (let at = first[list] ?? 0, end = first[list + 1] ?? 0; at < end; at++) {
      const phrase = items[at] ?? 0;
      // Most phrases end here.
      if (marks[keyOfPhrase[phrase] ?? 0] !== 0 && this.maskOfPhrase(phrase, within) !== 0)
        return true;
    }
    return false;
  }

  /** Gives the sentences in which, or near which, all that a phrase needs may stand. */
  maskOfPhrase(phrase: number, within: number): SentenceMask {
    const { keyOfPhrase, needsOfPhrase } = this.#tables;
    return this.#maskOfNeeds(keyOfPhrase[phrase] ?? 0, needsOfPhrase, phrase, within);
  }

  /** Gives the sentences in which, or near which, all that a row needs may stand. */
  maskOfRow(row: number, within: number): SentenceMask {
    const { keyOfRow, needsOfRow } = this.#tables;
    return this.#maskOfNeeds(keyOfRow[row] ?? 0, needsOfRow, row, within);
  }

  /**
   * Puts the places at which the terms of an element stand in some sentences into a list from an index on, and gives
   * the next index.
   */
  addTerms(element: number, mask: SentenceMask, found: Span[], from: number): number {
    let count = from;
    const { slotOfTerm, slotMasks } = this.#buffers;
    const { first, items } = this.#tables.termsOfElement;
    for (let at = first[element] ?? 0, end = first[element + 1] ?? 0; at < end; at++) {
      const slot = slotOfTerm[items[at] ?? 0] ?? 0;
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

  /** Gives those of some sentences that may have an element and were not looked at yet. */
  missingOf(element: number, mask: SentenceMask): SentenceMask {
    return this.#maskOf(element) & mask & ~(this.#buffers.covered[element] ?? 0);
  }

  /** Gives where an element stands, as far as that is known. */
  positionsOf(element: number): readonly Span[] {
    return this.#buffers.positions[element] ?? NONE;
  }

  /** Takes down where an element stands in the sentences that were missing, and gives all that is known. */
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
    const { isKnown, masks } = this.#buffers;
    return isKnown[element] === 1 ? (masks[element] ?? 0) : this.#findMask(element);
  }

  #findMask(element: number): SentenceMask {
    const { marks, masks, isKnown, known } = this.#buffers;
    const { markOfElement, numbersOfKey, numbersOfElement } = this.#tables;
    const mark = markOfElement[element] ?? 0;
    const isKey = mark !== 0 && mark < numbersOfKey.length;
    let mask = mark === 0 ? this.#searchTerms(element) : (marks[mark] ?? 0);
    if (!isKey) {
      mask |= this.#maskOfNumbers(numbersOfElement[element] ?? 0);
      mask |= this.#maskOfParts(element) | this.#maskOfRows(element);
    }
    masks[element] = mask;
    isKnown[element] = 1;
    known[this.#knownCount++] = element;
    return mask;
  }

  #searchTerms(element: number): SentenceMask {
    const { slotOfTerm, slotMasks } = this.#buffers;
    const { first, items } = this.#tables.termsOfElement;
    let mask = 0;
    for (let at = first[element] ?? 0, end = first[element + 1] ?? 0; at < end; at++) {
      const slot = slotOfTerm[items[at] ?? 0] ?? 0;
      if (slot !== 0) mask |= slotMasks[slot] ?? 0;
    }
    return mask;
  }

  #maskOfParts(element: number): SentenceMask {
    const { first, items } = this.#tables.partsOfElement;
    let mask = 0;
    for (let at = first[element] ?? 0, end = first[element + 1] ?? 0; at < end; at++)
      mask |= this.#maskOf(items[at] ?? 0);
    return mask;
  }

  #maskOfRows(element: number): SentenceMask {
    const { first, items } = this.#tables.rowsOfElement;
    let mask = 0;
    for (let at = first[element] ?? 0, end = first[element + 1] ?? 0; at < end; at++)
      mask |= this.maskOfRow(items[at] ?? 0, 1);
    return mask;
  }

  #maskOfNumbers(classes: number): SentenceMask {
    if ((classes & this.#numberClasses) === 0) return 0;
    let mask = 0;
    for (let bit = 0; bit < NUMBER_BITS; bit++)
      if ((classes & (1 << bit)) !== 0) mask |= this.#numberMasks[bit] ?? 0;
    return mask;
  }

  /** Gives the sentences that all elements of a list share, of which the first has the key. */
  #maskOfNeeds(key: number, { first, items }: Lists, list: number, within: number): SentenceMask {
    let mask = ALL_SENTENCES;
    if (key !== 0) {
      mask = spread(this.#buffers.marks[key] ?? 0, within);
      if (mask === 0) return 0;
    }
    const start = first[list] ?? 0;
    // The key stands for the first, which is dearer to find than most others, so that it comes last.
    for (let at = (first[list + 1] ?? 0) - 1; at >= start; at--) {
      mask &= spread(this.#maskOf(items[at] ?? 0), within);
      if (mask === 0) return 0;
    }
    return mask;
  }

  #addPlace(place: number): void {
    const { slotOfTerm, slotTerms, slotMasks, slotPlaces, termAt, spanAt, nextPlaces } =
      this.#buffers;
    const term = termAt[place] ?? 0;
    const mask = this.maskAt(startOf(spanAt[place] ?? 0));
    const slot = slotOfTerm[term] ?? 0;
    if (slot === 0) {
      const added = ++this.#slotCount;
      slotOfTerm[term] = added;
      slotTerms[added] = term;
      slotMasks[added] = mask;
      slotPlaces[added] = place + 1;
      nextPlaces[place] = 0;
      return;
    }
    nextPlaces[place] = slotPlaces[slot] ?? 0;
    slotPlaces[slot] = place + 1;
    slotMasks[slot] = (slotMasks[slot] ?? 0) | mask;
  }

  /** Takes down the literals that begin at a token. */
  #startLiterals(token: number): void {
    const { literalStarts } = this.#tables;
    const { termAt, firstPlaceOf } = this.#buffers;
    const end = firstPlaceOf[token + 1] ?? 0;
    for (let place = firstPlaceOf[token] ?? 0; place < end; place++) {
      const node = literalStarts[termAt[place] ?? 0] ?? LITERAL_ROOT;
      if (node !== LITERAL_ROOT) this.#followLiterals(node, token, token + 1);
    }
  }

  /** Takes down the literals that go on from a node with the words from a token on. */
  #followLiterals(node: LiteralNode, start: number, at: number): void {
    const { termAt, firstPlaceOf, sentenceOf } = this.#buffers;
    if (sentenceOf[at] !== sentenceOf[start]) return;
    const end = firstPlaceOf[at + 1] ?? 0;
    for (let place = firstPlaceOf[at] ?? 0; place < end; place++) {
      const next = nextLiteral(this.#tables, node, termAt[place] ?? 0);
      if (next === LITERAL_ROOT) continue;
      if (this.#tables.literalEnds[next] === 1) this.#addLiteral(next, toSpan(start, at + 1));
      this.#followLiterals(next, start, at + 1);
    }
  }

  #addLiteral(node: LiteralNode, span: Span): void {
    const { termAt, spanAt } = this.#buffers;
    const place = this.#placeCount++;
    termAt[place] = this.#tables.literalStarts.length + node;
    spanAt[place] = span;
    this.#addPlace(place);
  }
}
