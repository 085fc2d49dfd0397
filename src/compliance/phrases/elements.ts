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
}

/** Makes a row of steps. */
export function createRow(steps: readonly Step[]): Row {
  const needed: Element[] = [];
  for (const { element, isOptional } of steps) {
    if (!isOptional && !needed.includes(element)) needed.push(element);
  }
  // In place: rows are made by the thousand.
  if (needed.length > 1) needed.sort((one, other) => one.breadth - other.breadth);
  return { steps, needed };
}

/** Every element made so far, by its id. */
export const elements: Element[] = [];

/** Makes an element. */
export function createElement(given: Omit<Element, "id">): Element {
  const { words, numbers, parts, rows, breadth } = given;
  const element = { id: elements.length, words, numbers, parts, rows, breadth };
  elements.push(element);
  return element;
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
/** What each phrase needs, the rarest element first. */
export const phraseNeeds: (readonly Element[])[] = [];

/** Has texts tell when a phrase may be there, by its rarest element. */
export function registerPhrase(needed: readonly Element[]): PhraseId {
  const [rarest] = needed;
  const id = phraseNeeds.length;
  phraseNeeds.push(needed);
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

/** What texts ask of the phrases read so far. */
export interface PhraseIndex {
  readonly ofWord: readonly (readonly PhraseId[] | undefined)[];
  readonly withNumbers: readonly { readonly id: PhraseId; readonly numbers: number }[];
  /** 1 for phrases that only frequent words tell of. */
  readonly isAlwaysPossible: Uint8Array;
}

/** Gives the phrases by what tells of them. */
export function phraseIndex(): PhraseIndex {
  return { ofWord: phrasesOfWord, withNumbers: phrasesWithNumbers, isAlwaysPossible };
}

/** Tells whether a word is taken for granted. */
export function isGranted(word: WordId): boolean {
  return granted.has(word);
}
