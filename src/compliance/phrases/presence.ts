import { isGranted, phraseIndex, type Element, type PhraseId } from "./elements.ts";
import { currentTables, type Lists } from "./tables.ts";
import { vocabulary, type WordId } from "./vocabulary.ts";

const ALL_SENTENCES = -1;

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

const NO_PHRASES: readonly PhraseId[] = [];

/** What a text needs room for; buffers of this size are dear to make anew for every text. */
interface Buffers {
  readonly wordMasks: Int32Array;
  readonly masks: Int32Array;
  readonly isKnown: Uint8Array;
}

const MAX_SPARE = 8;
let spare: Buffers[] = [];

function takeBuffers(elementCount: number): Buffers {
  const buffers = spare.pop();
  if (buffers?.masks.length === elementCount && buffers.wordMasks.length === vocabulary.size) {
    buffers.wordMasks.fill(0);
    buffers.isKnown.fill(0);
    return buffers;
  }
  spare = [];
  return {
    wordMasks: new Int32Array(vocabulary.size),
    masks: new Int32Array(elementCount),
    isKnown: new Uint8Array(elementCount),
  };
}

/**
 * The sentences in which each element may stand.
 *
 * The words of a text tell at once which phrases may be there, by the rarest element of each; masks of elements are
 * made only when such a phrase asks for them. Frequent words are taken for granted.
 */
export class Presence {
  readonly #tables = currentTables();
  readonly #numbers: { readonly classes: number; readonly mask: SentenceMask }[] = [];
  readonly #isPossible: Uint8Array;
  readonly #wordMasks: Int32Array;
  readonly #isKnown: Uint8Array;
  readonly #masks: Int32Array;
  #buffers: Buffers | undefined;

  constructor() {
    const { elementCount, phraseCount } = this.#tables;
    this.#isPossible = phraseIndex().isAlwaysPossible.slice(0, phraseCount);
    this.#buffers = takeBuffers(elementCount);
    ({ wordMasks: this.#wordMasks, masks: this.#masks, isKnown: this.#isKnown } = this.#buffers);
  }

  /** Gives the buffers back; nothing may be asked of this afterwards. */
  release(): void {
    if (this.#buffers && spare.length < MAX_SPARE) spare.push(this.#buffers);
    this.#buffers = undefined;
  }

  /** Takes down in which sentences a word stands. */
  addWord(word: WordId, mask: SentenceMask): void {
    this.#wordMasks[word] = mask;
    if (isGranted(word)) return;
    for (const phrase of phraseIndex().ofWord[word] ?? NO_PHRASES) this.#isPossible[phrase] = 1;
  }

  /** Takes down in which sentence a number of some classes stands. */
  addNumber(classes: number, mask: SentenceMask): void {
    this.#numbers.push({ classes, mask });
    for (const { id, numbers } of phraseIndex().withNumbers) {
      if ((numbers & classes) !== 0) this.#isPossible[id] = 1;
    }
  }

  /** Tells whether some passage has all that a phrase needs. */
  mayMatch(phrase: PhraseId, within: number): boolean {
    if (this.#isPossible[phrase] !== 1) return false;
    return this.#maskOfList(this.#tables.phraseNeeds, phrase, within) !== 0;
  }

  /** Gives the sentences in which an element may stand. */
  maskOf({ id }: Element): SentenceMask {
    return this.#maskOf(id);
  }

  /** Gives the sentences in which, or near which, all of some elements may stand. */
  maskOfAll(needed: readonly Element[], within: number): SentenceMask {
    let mask = ALL_SENTENCES;
    for (const { id } of needed) {
      mask &= spread(this.#maskOf(id), within);
      if (mask === 0) return 0;
    }
    return mask;
  }

  #maskOf(id: number): SentenceMask {
    if (this.#isKnown[id] === 1) return this.#masks[id] ?? 0;
    this.#isKnown[id] = 1;
    const mask = this.#makeMask(id);
    this.#masks[id] = mask;
    return mask;
  }

  #makeMask(id: number): SentenceMask {
    const { parts, rows, rowNeeds, numbers } = this.#tables;
    let mask = this.#maskOfWords(id);
    const classes = numbers[id] ?? 0;
    if (classes !== 0) mask |= this.#maskOfNumbers(classes);
    const endOfParts = parts.first[id + 1] ?? 0;
    for (let at = parts.first[id] ?? 0; at < endOfParts; at++)
      mask |= this.#maskOf(parts.items[at] ?? 0);
    const endOfRows = rows[id + 1] ?? 0;
    for (let row = rows[id] ?? 0; row < endOfRows; row++)
      mask |= this.#maskOfList(rowNeeds, row, 1);
    return mask;
  }

  #maskOfWords(id: number): SentenceMask {
    const { first, items } = this.#tables.words;
    const end = first[id + 1] ?? 0;
    let mask = 0;
    for (let at = first[id] ?? 0; at < end; at++) mask |= this.#wordMasks[items[at] ?? 0] ?? 0;
    return mask;
  }

  /** Gives the sentences that all elements of a list share. */
  #maskOfList({ first, items }: Lists, list: number, within: number): SentenceMask {
    let mask = ALL_SENTENCES;
    for (let at = first[list] ?? 0, end = first[list + 1] ?? 0; at < end; at++) {
      const own = this.#maskOf(items[at] ?? 0);
      mask &= within === 1 ? own : spread(own, within);
      if (mask === 0) return 0;
    }
    return mask;
  }

  #maskOfNumbers(numbers: number): SentenceMask {
    let mask = 0;
    for (const number of this.#numbers) if ((number.classes & numbers) !== 0) mask |= number.mask;
    return mask;
  }
}
