import type { Element, PhraseId, Row } from "./elements.ts";
import { toSpan, type Span } from "./spans.ts";
import { currentTables, type Lists, type Tables } from "./tables.ts";
import type { WordId } from "./vocabulary.ts";

const ALL_SENTENCES = -1;
const BITS = 32;
const NO_ROWS: readonly Row[] = [];

/** The sentences of a text as bits; beyond the 32nd they are counted from the first again. */
export type SentenceMask = number;

/** Gives the bit of a sentence. */
export function toSentenceMask(sentence: number): SentenceMask {
  // A shift counts modulo 32 by itself.
  return 1 << sentence;
}

/** Adds the neighbours of sentences, as far as a passage may reach. */
function spread(mask: SentenceMask, within: number): SentenceMask {
  let spreadMask = mask;
  for (let reach = 1; reach < within; reach++) {
    spreadMask |= (spreadMask << 1) | (spreadMask >>> 31) | (spreadMask >>> 1) | (spreadMask << 31);
  }
  return spreadMask;
}

/** What a text needs room for; buffers of this size are dear to make anew for every text. */
interface Buffers {
  readonly tables: Tables;
  /** The sentences of each word. */
  readonly wordMasks: Int32Array;
  /** For each word its first place in the list of places, plus one. */
  readonly firstPlaces: Int32Array;
  /** The sentences of each element. */
  readonly masks: Int32Array;
  readonly noted: Int32Array;
  /** For each element the first of its rows that may be there, plus one. */
  readonly firstRows: Int32Array;
  /** For each row the next one of the same element, both plus one. */
  readonly nextRows: Int32Array;
  /** A bit for each element that is known by now, but not to those that depend on it. */
  readonly waiting: Int32Array;
}

const MAX_SPARE = 8;
let spare: Buffers[] = [];

/** Gives buffers in which nothing is noted. */
function takeBuffers(tables: Tables): Buffers {
  const buffers = spare.pop();
  if (buffers?.tables === tables) return buffers;
  spare = [];
  return {
    tables,
    wordMasks: new Int32Array(tables.vocabularySize),
    firstPlaces: new Int32Array(tables.vocabularySize),
    masks: new Int32Array(tables.elementCount),
    noted: new Int32Array(tables.elementCount),
    firstRows: new Int32Array(tables.elementCount),
    nextRows: new Int32Array(tables.rows.length + 1),
    waiting: new Int32Array(Math.ceil(tables.elementCount / BITS)),
  };
}

/**
 * The sentences in which each element may stand.
 *
 * They are told from the words of the text up, so that only the elements that it has cost anything.
 */
export class Presence {
  readonly #tables = currentTables();
  readonly #masks: Int32Array;
  readonly #waiting: Int32Array;
  readonly #firstRows: Int32Array;
  readonly #nextRows: Int32Array;
  readonly #firstPlaces: Int32Array;
  readonly #wordMasks: Int32Array;
  /** The elements that may be in the text. */
  readonly #noted: Int32Array;
  #notedCount = 0;
  /** The words of the text. */
  readonly #words: WordId[] = [];
  /** The token of each place. */
  readonly #tokens: number[] = [];
  /** The next place of the same word, plus one. */
  readonly #nextPlaces: number[] = [];
  #buffers: Buffers | undefined;

  constructor() {
    this.#buffers = takeBuffers(this.#tables);
    this.#masks = this.#buffers.masks;
    this.#noted = this.#buffers.noted;
    this.#waiting = this.#buffers.waiting;
    this.#firstRows = this.#buffers.firstRows;
    this.#nextRows = this.#buffers.nextRows;
    this.#wordMasks = this.#buffers.wordMasks;
    this.#firstPlaces = this.#buffers.firstPlaces;
  }

  /** Gives the buffers back; nothing may be asked of this afterwards. */
  release(): void {
    if (!this.#buffers) return;
    // Most texts note little: taking that back is cheaper than wiping all.
    for (const word of this.#words) {
      this.#wordMasks[word] = 0;
      this.#firstPlaces[word] = 0;
    }
    for (let at = 0; at < this.#notedCount; at++) {
      const id = this.#noted[at] ?? 0;
      this.#masks[id] = 0;
      this.#firstRows[id] = 0;
    }
    if (spare.length < MAX_SPARE) spare.push(this.#buffers);
    this.#buffers = undefined;
  }

  /** Takes down that a word stands at a token, which no token taken down before precedes. */
  addWord(word: WordId, token: number, mask: SentenceMask): void {
    this.#tokens.push(token);
    this.#nextPlaces.push(this.#firstPlaces[word] ?? 0);
    this.#firstPlaces[word] = this.#tokens.length;
    const before = this.#wordMasks[word] ?? 0;
    if (before === 0) this.#words.push(word);
    this.#wordMasks[word] = before | mask;
  }

  /** Adds the places at which a word stands, in the order of the text. */
  addPlaces(word: WordId, found: Span[]): void {
    for (let place = this.#firstPlaces[word] ?? 0; place > 0;) {
      const token = this.#tokens[place - 1] ?? 0;
      found.push(toSpan(token, token + 1));
      place = this.#nextPlaces[place - 1] ?? 0;
    }
  }

  /** Takes down in which sentences numbers of some classes stand. */
  addNumber(classes: number, mask: SentenceMask): void {
    for (const element of this.#tables.withNumbers)
      if ((element.classes & classes) !== 0) this.#add(element.id, mask);
  }

  /** Tells the elements that are made of others, when all words and numbers are there. */
  complete(): void {
    const waiting = this.#waiting;
    this.#addElementsOfWords();
    for (let chunk = 0; chunk < waiting.length; chunk++) {
      // What depends on an element has a higher number, so it may wait in the same chunk.
      for (let bits = waiting[chunk] ?? 0; bits !== 0; bits = waiting[chunk] ?? 0) {
        const lowest = bits & -bits;
        waiting[chunk] = bits ^ lowest;
        this.#addDependants(chunk * BITS + (BITS - 1 - Math.clz32(lowest)));
      }
    }
  }

  /** Tells whether some passage has all that a phrase needs. */
  mayMatch(phrase: PhraseId, within: number): boolean {
    const { rarestOfPhrase, phraseNeeds } = this.#tables;
    return (
      this.#masks[rarestOfPhrase[phrase] ?? 0] !== 0 &&
      this.#maskOfList(phraseNeeds, phrase, within) !== 0
    );
  }

  /** Gives the rows of an element that some sentence has all words for, in no order. */
  rowsOf({ id }: Element): readonly Row[] {
    let row = this.#firstRows[id] ?? 0;
    if (row === 0) return NO_ROWS;
    const rows: Row[] = [];
    for (; row > 0; row = this.#nextRows[row] ?? 0) {
      const found = this.#tables.rows[row - 1];
      if (found) rows.push(found);
    }
    return rows;
  }

  /** Gives the sentences in which an element may stand. */
  maskOf({ id }: Element): SentenceMask {
    return this.#masks[id] ?? 0;
  }

  /** Gives the sentences in which, or near which, all of some elements may stand. */
  maskOfAll(needed: readonly Element[], within: number): SentenceMask {
    let mask = ALL_SENTENCES;
    for (const { id } of needed) {
      mask &= spread(this.#masks[id] ?? 0, within);
      if (mask === 0) return 0;
    }
    return mask;
  }

  #addDependants(id: number): void {
    const { first, items } = this.#tables.dependants;
    const own = this.#masks[id] ?? 0;
    const end = first[id + 1] ?? 0;
    for (let at = first[id] ?? 0; at < end;) {
      const owner = items[at] ?? 0;
      const row = items[at + 1] ?? 0;
      const others = at + 3;
      at = others + (items[at + 2] ?? 0);
      const mask = this.#maskOfSlice(items, others, at, own);
      if (mask === 0) continue;
      if (row !== 0) {
        this.#nextRows[row] = this.#firstRows[owner] ?? 0;
        this.#firstRows[owner] = row;
      }
      this.#add(owner, mask);
    }
  }

  /** Gives those of some sentences that have all elements of a part of a list. */
  #maskOfSlice(items: Int32Array, start: number, end: number, among: SentenceMask): SentenceMask {
    let mask = among;
    for (let at = start; at < end && mask !== 0; at++) mask &= this.#masks[items[at] ?? 0] ?? 0;
    return mask;
  }

  #addElementsOfWords(): void {
    const { first, items } = this.#tables.ofWord;
    for (const word of this.#words) {
      const mask = this.#wordMasks[word] ?? 0;
      for (let at = first[word] ?? 0, end = first[word + 1] ?? 0; at < end; at++)
        this.#add(items[at] ?? 0, mask);
    }
  }

  #add(id: number, mask: SentenceMask): void {
    const before = this.#masks[id] ?? 0;
    if (before === 0) this.#noted[this.#notedCount++] = id;
    this.#masks[id] = before | mask;
    if (this.#tables.isAwaited[id] !== 1) return;
    const chunk = id >>> 5;
    this.#waiting[chunk] = (this.#waiting[chunk] ?? 0) | (1 << id);
  }

  /** Gives the sentences that all elements of a list share. */
  #maskOfList({ first, items }: Lists, list: number, within: number): SentenceMask {
    const masks = this.#masks;
    let mask = ALL_SENTENCES;
    for (let at = first[list] ?? 0, end = first[list + 1] ?? 0; at < end; at++) {
      const own = masks[items[at] ?? 0] ?? 0;
      mask &= within === 1 ? own : spread(own, within);
      if (mask === 0) return 0;
    }
    return mask;
  }
}
