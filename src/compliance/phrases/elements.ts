import { vocabulary, type WordId } from "./vocabulary.ts";

/** Words that nearly every text has: an element with one of them tells nothing. */
export const FREQUENT_WORDS: ReadonlySet<string> = new Set(
  "a an the is are was be to of in on for and or you your we our i it this that with can will not do have as at by from if".split(
    " ",
  ),
);

/** One place in a phrase: the words, numbers and word groups that may stand there. */
export interface Element {
  readonly id: number;
  readonly words: readonly WordId[];
  /** Bits of the classes of numbers that may stand here. */
  readonly numbers: number;
  /** Other elements that may stand here, shared with the phrases that name them as well. */
  readonly parts: readonly Element[];
  /** Alternatives of several places. */
  readonly rows: readonly Row[];
  /** About how often it occurs: a phrase is given up at its rarest element first. */
  readonly breadth: number;
}

/** An element in its place behind the one before. */
export interface Step {
  readonly element: Element;
  /** Words that may stand in between. */
  readonly gap: number;
  readonly isOptional: boolean;
}

/** Steps in their order. */
export interface Row {
  readonly steps: readonly Step[];
  /** Elements without which it is not there, the rarest first. */
  readonly needed: readonly Element[];
  /** The words of the rarest, if it is nothing but words. */
  readonly rarestWords: readonly WordId[] | undefined;
}

/** Makes a row of steps. */
export function createRow(steps: readonly Step[]): Row {
  const needed: Element[] = [];
  for (const { element, isOptional } of steps) {
    if (!isOptional && !needed.includes(element)) needed.push(element);
  }
  // In place: rows are made by the thousand.
  if (needed.length > 1) needed.sort((one, other) => one.breadth - other.breadth);
  const [rarest] = needed;
  const isPlain = rarest?.numbers === 0 && rarest.parts.length === 0 && rarest.rows.length === 0;
  return { steps, needed, rarestWords: isPlain ? rarest.words : undefined };
}

let elementCount = 0;

/** Number of elements made so far; ids are below it. */
export function countElements(): number {
  return elementCount;
}

/** Makes an element. */
export function createElement(given: Omit<Element, "id">): Element {
  const { words, numbers, parts, rows, breadth } = given;
  return { id: elementCount++, words, numbers, parts, rows, breadth };
}

/** Words that many answers of a bank have; a phrase is told by its other words. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    "my is so no t s what how when which who there here has was were been but they he she his her their any all some one two more other than then now just only also after before out up time day days " +
    "get got make made take need want would could should may please help know tell see go give let send sent use like new good right thanks " +
    "account accounts card cards money payment payments transfer bank balance check checking savings credit loan loans rate rates fee fees amount cash funds pay paid charge charges charged app transaction transactions number customer customers"
  ).split(" "),
);

/** Words that nearly every text has: to look for them costs more than to take them for granted. */
const granted: ReadonlySet<WordId> = new Set(
  [...FREQUENT_WORDS, ...COMMON_WORDS].map((word) => vocabulary.addWord(word)),
);

/** Words and classes of numbers of which one must be there for an element to be there. */
interface Anchors {
  readonly words: ReadonlySet<WordId>;
  readonly numbers: number;
}

const anchorsOf = new WeakMap<Element, Anchors>();

function findAnchors(element: Element): Anchors {
  const known = anchorsOf.get(element);
  if (known) return known;
  const words = new Set(element.words);
  let { numbers } = element;
  const rarest = element.rows.flatMap(({ needed }) => needed.slice(0, 1));
  for (const other of [...element.parts, ...rarest]) {
    const anchors = findAnchors(other);
    for (const word of anchors.words) words.add(word);
    numbers |= anchors.numbers;
  }
  const anchors = { words, numbers };
  anchorsOf.set(element, anchors);
  return anchors;
}

/** Number of a phrase, by which texts tell whether it may be there. */
export type PhraseId = number;

const phrasesOfWord: (PhraseId[] | undefined)[] = [];
const phrasesWithNumbers: { readonly id: PhraseId; readonly numbers: number }[] = [];
/** 1 for phrases that only frequent words tell of. */
let isAlwaysPossible = new Uint8Array(256);
let phraseCount = 0;

/** Has texts tell when a phrase may be there, by its rarest element. */
export function registerPhrase(rarest: Element | undefined): PhraseId {
  const id = phraseCount++;
  if (id >= isAlwaysPossible.length) {
    const larger = new Uint8Array(2 * isAlwaysPossible.length);
    larger.set(isAlwaysPossible);
    isAlwaysPossible = larger;
  }
  const { words, numbers } = rarest ? findAnchors(rarest) : { words: [], numbers: 0 };
  if (numbers !== 0) phrasesWithNumbers.push({ id, numbers });
  for (const word of words) {
    if (granted.has(word)) isAlwaysPossible[id] = 1;
    const phrases = phrasesOfWord[word];
    if (phrases) phrases.push(id);
    else phrasesOfWord[word] = [id];
  }
  return id;
}

const ALL_SENTENCES = -1;

/** The sentences of a text as bits; beyond the 32nd they are counted from the first again. */
export type SentenceMask = number;

/** Gives the bit of a sentence. */
export function toSentenceMask(sentence: number): SentenceMask {
  // A shift counts modulo 32 by itself.
  return 1 << sentence;
}

/** Adds the neighbours of sentences, as far as a passage may reach. */
export function spread(mask: SentenceMask, within: number): SentenceMask {
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

function takeBuffers(): Buffers {
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
  readonly #numbers: { readonly classes: number; readonly mask: SentenceMask }[] = [];
  readonly #isPossible = isAlwaysPossible.slice(0, phraseCount);
  readonly #wordMasks: Int32Array;
  readonly #isKnown: Uint8Array;
  readonly #masks: Int32Array;
  #buffers: Buffers | undefined;

  constructor() {
    this.#buffers = takeBuffers();
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
    if (granted.has(word)) return;
    for (const phrase of phrasesOfWord[word] ?? NO_PHRASES) this.#isPossible[phrase] = 1;
  }

  /** Takes down in which sentence a number of some classes stands. */
  addNumber(classes: number, mask: SentenceMask): void {
    this.#numbers.push({ classes, mask });
    for (const { id, numbers } of phrasesWithNumbers) {
      if ((numbers & classes) !== 0) this.#isPossible[id] = 1;
    }
  }

  /** Tells whether the rarest element of a phrase may be there. */
  isPossible(phrase: PhraseId): boolean {
    return this.#isPossible[phrase] === 1;
  }

  /** Gives the sentences in which an element may stand. */
  maskOf(element: Element): SentenceMask {
    const { id } = element;
    if (this.#isKnown[id] === 1) return this.#masks[id] ?? 0;
    this.#isKnown[id] = 1;
    let mask = this.#maskOfWords(element.words);
    if (element.numbers !== 0) mask |= this.#maskOfNumbers(element.numbers);
    for (const part of element.parts) mask |= this.maskOf(part);
    for (const row of element.rows) mask |= this.#maskOfRow(row);
    this.#masks[id] = mask;
    return mask;
  }

  /** Gives the sentences in which, or near which, all of some elements may stand. */
  maskOfAll(needed: readonly Element[], within: number): SentenceMask {
    let mask = ALL_SENTENCES;
    for (const element of needed) {
      mask &= within === 1 ? this.maskOf(element) : spread(this.maskOf(element), within);
      if (mask === 0) return 0;
    }
    return mask;
  }

  #maskOfRow({ needed, rarestWords }: Row): SentenceMask {
    return rarestWords && this.#maskOfWords(rarestWords) === 0 ? 0 : this.maskOfAll(needed, 1);
  }

  #maskOfWords(words: readonly WordId[]): SentenceMask {
    let mask = 0;
    for (const word of words) mask |= this.#wordMasks[word] ?? 0;
    return mask;
  }

  #maskOfNumbers(numbers: number): SentenceMask {
    let mask = 0;
    for (const number of this.#numbers) if ((number.classes & numbers) !== 0) mask |= number.mask;
    return mask;
  }
}
