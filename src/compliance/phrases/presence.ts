import type { Element, PhraseId, PhraseListId, Row } from "./elements.ts";
import { layOutSentences, layOutWords, NO_SENTENCE } from "./layout.ts";
import type { Lists } from "./lists.ts";
import { LITERAL_ROOT, NO_TERM, type LiteralNode, type Term } from "./literals.ts";
import { ALL_SENTENCES, spread, type SentenceMask } from "./sentence-mask.ts";
import { mergeSpans, startOf, toSpan, type Span } from "./spans.ts";
import { giveBuffers, takeBuffers } from "./presence-buffers.ts";
import { currentTables } from "./current-tables.ts";
import type { Token } from "./token.ts";

const NONE: readonly never[] = [];

/**
 * The sentences in which each element may stand.
 *
 * Each term of the text tells its sentences to the elements that have it, so that whether a phrase may be there is a
 * look at as many numbers as it needs elements.
 */
export class Presence {
  readonly #tables = currentTables();
  readonly #buffers = takeBuffers(this.#tables);
  readonly #tokenCount: number;
  #isReleased = false;
  #termCount = 0;
  #placeCount: number;
  #positionedCount = 0;
  readonly #numbers: { readonly classes: number; readonly mask: SentenceMask }[] = [];

  /** @param starts - The first token of each sentence, and the number of all. */
  constructor(tokens: readonly Token[], starts: readonly number[]) {
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
    const { terms, termMasks, positioned, positions, covered } = this.#buffers;
    // Most texts have few terms: taking these back is cheaper than wiping all.
    for (let at = 0; at < this.#termCount; at++) termMasks[terms[at] ?? 0] = 0;
    for (let at = 0; at < this.#positionedCount; at++) {
      const number = positioned[at] ?? 0;
      positions[number] = undefined;
      covered[number] = 0;
    }
    this.#buffers.masks.fill(0);
    this.#buffers.looseMasks.fill(0);
    giveBuffers(this.#buffers);
  }

  /**
   * Puts the places at which the terms of an element stand in some sentences into a list from an index on, and gives
   * the next index.
   */
  addTerms(element: Element, mask: SentenceMask, found: Span[], from: number): number {
    let count = from;
    const { termMasks, firstPlaces, spanAt, nextPlaces } = this.#buffers;
    const { first, items } = this.#tables.termsOf;
    const number = this.#numberOf(element);
    for (let at = first[number] ?? 0, end = first[number + 1] ?? 0; at < end; at++) {
      const term = items[at] ?? 0;
      if (((termMasks[term] ?? 0) & mask) === 0) continue;
      for (let place = firstPlaces[term] ?? 0; place > 0; place = nextPlaces[place - 1] ?? 0) {
        const span = spanAt[place - 1] ?? 0;
        if ((this.maskAt(startOf(span)) & mask) !== 0) found[count++] = span;
      }
    }
    return count;
  }

  /** Takes down in which sentences numbers of some classes stand. */
  addNumber(classes: number, mask: SentenceMask): void {
    this.#numbers.push({ classes, mask });
  }

  /** Tells which phrases may be there, when all numbers are. */
  complete(): void {
    const { ofTerm, ofNumbers } = this.#tables;
    const { terms, termMasks } = this.#buffers;
    for (let at = 0; at < this.#termCount; at++) {
      const term = terms[at] ?? 0;
      this.#tell(ofTerm, term, termMasks[term] ?? 0);
    }
    for (const { classes, elements } of ofNumbers) {
      const mask = this.#maskOfNumbers(classes);
      if (mask !== 0) for (const element of elements) this.#add(element, mask);
    }
    // From the end as well, so that the rows of each element come in order.
    this.#completeLoose();
  }

  /** Gives the sentences in which, or near which, all that a phrase needs may stand. */
  maskOfPhrase(phrase: PhraseId, within: number): SentenceMask {
    return this.#maskOfList(this.#tables.phraseNeeds, phrase, within);
  }

  /** Tells whether some phrase of a list may match. */
  hasCandidate(list: PhraseListId): boolean {
    const { listedNeeds, withinOfList } = this.#tables;
    const { first, items } = listedNeeds;
    const { masks } = this.#buffers;
    const within = withinOfList[list] ?? 1;
    const end = first[list + 1] ?? 0;
    for (let at = first[list] ?? 0; at < end;) {
      const needs = at + 1;
      at = needs + (items[at] ?? 0);
      // The rarest comes first, so that most phrases end here.
      if (masks[items[needs] ?? 0] === 0) continue;
      if (this.#maskOfSlice(items, needs, at, within) !== 0) return true;
    }
    return false;
  }

  /** Whether phrases have been read since. */
  get isStale(): boolean {
    return this.#isReleased || this.#tables !== currentTables();
  }

  /** Gives the rows of an element that are more than words one behind the other and may stand in some sentences. */
  looseRowsOf(element: Element, mask: SentenceMask): readonly Row[] {
    if (element.rows.length === 0) return NONE;
    const { looseOf, loose } = this.#tables;
    const number = this.#numberOf(element);
    const rows: Row[] = [];
    for (let at = looseOf.first[number] ?? 0; at < (looseOf.first[number + 1] ?? 0); at++) {
      const index = looseOf.items[at] ?? 0;
      const row = loose[index];
      if (row && ((this.#buffers.looseMasks[index] ?? 0) & mask) !== 0) rows.push(row);
    }
    return rows;
  }

  /** Gives those of some sentences that may have an element and were not looked at yet. */
  missingOf(element: Element, mask: SentenceMask): SentenceMask {
    const number = this.#numberOf(element);
    const { masks, covered } = this.#buffers;
    return (masks[number] ?? 0) & mask & ~(covered[number] ?? 0);
  }

  /** Gives where an element stands, as far as that is known. */
  positionsOf(element: Element): readonly Span[] {
    return this.#buffers.positions[this.#numberOf(element)] ?? NONE;
  }

  /** Takes down where an element stands in the sentences that were missing, and gives all that is known. */
  keep(element: Element, missing: SentenceMask, found: readonly Span[]): readonly Span[] {
    const number = this.#numberOf(element);
    const { positioned, positions, covered } = this.#buffers;
    covered[number] = (covered[number] ?? 0) | missing;
    const known = positions[number];
    if (!known) positioned[this.#positionedCount++] = number;
    else if (found.length === 0) return known;
    const all = known && known.length > 0 ? mergeSpans(known, found) : found;
    positions[number] = all;
    return all;
  }

  /** Gives the sentences in which an element may stand. */
  #maskOf(element: Element): SentenceMask {
    return this.#buffers.masks[this.#numberOf(element)] ?? 0;
  }

  /** Gives the sentences in which, or near which, all of some elements may stand. */
  maskOfAll(needed: readonly Element[], within: number): SentenceMask {
    let mask = ALL_SENTENCES;
    for (const element of needed) {
      mask &= spread(this.#maskOf(element), within);
      if (mask === 0) return 0;
    }
    return mask;
  }

  #numberOf({ id }: Element): number {
    return this.#tables.numberOf[id] ?? 0;
  }

  #addPlace(place: number): void {
    const { termMasks, firstPlaces, terms, termAt, spanAt, nextPlaces } = this.#buffers;
    const term = termAt[place] ?? 0;
    const mask = this.maskAt(startOf(spanAt[place] ?? 0));
    const before = termMasks[term] ?? 0;
    nextPlaces[place] = before === 0 ? 0 : (firstPlaces[term] ?? 0);
    firstPlaces[term] = place + 1;
    if (before === 0) terms[this.#termCount++] = term;
    termMasks[term] = before | mask;
  }

  /** Takes down the literal rows that begin at a token. */
  #startLiterals(token: number): void {
    const { literalStarts } = this.#tables;
    const { termAt, firstPlaceOf } = this.#buffers;
    const end = firstPlaceOf[token + 1] ?? 0;
    for (let place = firstPlaceOf[token] ?? 0; place < end; place++) {
      const node = literalStarts[termAt[place] ?? 0] ?? LITERAL_ROOT;
      if (node !== LITERAL_ROOT) this.#followLiterals(node, token, token + 1);
    }
  }

  /** Takes down the literal rows that go on from a node with the words from a token on. */
  #followLiterals(node: LiteralNode, start: number, at: number): void {
    const { literals } = this.#tables;
    const { termAt, firstPlaceOf, wordBits, sentenceOf } = this.#buffers;
    if (!literals.mayGoOn(node, wordBits[at] ?? 0) || sentenceOf[at] !== sentenceOf[start]) return;
    const end = firstPlaceOf[at + 1] ?? 0;
    for (let place = firstPlaceOf[at] ?? 0; place < end; place++) {
      const next = literals.next(node, termAt[place] ?? 0);
      if (next === LITERAL_ROOT) continue;
      const term = literals.termAt(next);
      if (term !== NO_TERM) this.#addLiteral(term, toSpan(start, at + 1));
      this.#followLiterals(next, start, at + 1);
    }
  }

  #addLiteral(term: Term, span: Span): void {
    const { termAt, spanAt } = this.#buffers;
    const place = this.#placeCount++;
    termAt[place] = term;
    spanAt[place] = span;
    this.#addPlace(place);
  }

  /** Tells the elements of a list that they stand in some sentences. */
  #tell({ first, items }: Lists, list: number, mask: SentenceMask): void {
    for (let at = first[list] ?? 0, end = first[list + 1] ?? 0; at < end; at++)
      this.#add(items[at] ?? 0, mask);
  }

  #add(element: number, mask: SentenceMask): void {
    const { masks } = this.#buffers;
    masks[element] = (masks[element] ?? 0) | mask;
  }

  /** Tells which loose rows may be there: what one needs is known before its turn. */
  #completeLoose(): void {
    const { looseRarest, looseNeeds, looseOwners, wholesOf } = this.#tables;
    const { masks, looseMasks } = this.#buffers;
    for (let row = 0; row < looseRarest.length; row++) {
      if (masks[looseRarest[row] ?? 0] === 0) continue;
      const mask = this.#maskOfList(looseNeeds, row, 1);
      if (mask === 0) continue;
      looseMasks[row] = mask;
      this.#tell(wholesOf, looseOwners[row] ?? 0, mask);
    }
  }

  #maskOfNumbers(classes: number): SentenceMask {
    let mask = 0;
    for (const number of this.#numbers) if ((number.classes & classes) !== 0) mask |= number.mask;
    return mask;
  }

  /** Gives the sentences that all elements of a list share. */
  #maskOfList({ first, items }: Lists, list: number, within: number): SentenceMask {
    return this.#maskOfSlice(items, first[list] ?? 0, first[list + 1] ?? 0, within);
  }

  #maskOfSlice(items: Int32Array, start: number, end: number, within: number): SentenceMask {
    const { masks } = this.#buffers;
    let mask = ALL_SENTENCES;
    for (let at = start; at < end; at++) {
      const own = masks[items[at] ?? 0] ?? 0;
      mask &= within === 1 ? own : spread(own, within);
      if (mask === 0) return 0;
    }
    return mask;
  }
}
