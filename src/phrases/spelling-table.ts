import type { VocabularyBuilder } from "./vocabulary-builder.ts";

/** The spellings of words as numbers, to be looked up without a map of strings. */
export interface SpellingTables {
  /** The words and beginnings one behind the other, in ASCII. */
  readonly spellings: Uint8Array;
  /** Where each starts, and the end of the last. */
  readonly spellingStarts: Uint32Array;
  /** Hash tables of words and of beginnings: id plus one. */
  readonly wordSlots: Uint16Array;
  readonly stemSlots: Uint16Array;
}

const MIN_SLOTS = 16;
/** Few slots are taken: most words of texts are none of them, and a search for one goes on to the next free slot. */
const SLOTS_PER_WORD = 3;
const FACTOR = 31;

/** Hash of no letters. */
const EMPTY_HASH = 0;
/** Returned for a spelling that is not in the table. */
export const NO_WORD = -1;

const addLetter = (hash: number, code: number): number => (Math.imul(hash, FACTOR) + code) | 0;

/** Hashes the first letters of a word. */
function hashOf(word: string, length: number): number {
  let hash = EMPTY_HASH;
  for (let at = 0; at < length; at++) hash = addLetter(hash, word.charCodeAt(at));
  return hash;
}

function toSlots(words: ReadonlyMap<string, number>): Uint16Array {
  let size = MIN_SLOTS;
  while (size < words.size * SLOTS_PER_WORD) size *= 2;
  const slots = new Uint16Array(size);
  for (const [word, id] of words) {
    let slot = hashOf(word, word.length) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = id + 1;
  }
  return slots;
}

/** Makes tables of the words of a compilation. */
export function toSpellingTables({ words, stems, size }: VocabularyBuilder): SpellingTables {
  const ofId: string[] = Array.from({ length: size }, () => "");
  for (const [word, id] of [...words, ...stems]) ofId[id] = word;
  const spellingStarts = new Uint32Array(size + 1);
  for (const [id, word] of ofId.entries())
    spellingStarts[id + 1] = (spellingStarts[id] ?? 0) + word.length;
  const spellings = Uint8Array.from(ofId.join(""), (character) => character.charCodeAt(0));
  return { spellings, spellingStarts, wordSlots: toSlots(words), stemSlots: toSlots(stems) };
}

function isSpelt(
  { spellings, spellingStarts }: SpellingTables,
  id: number,
  text: string,
  length: number,
): boolean {
  const start = spellingStarts[id] ?? 0;
  if ((spellingStarts[id + 1] ?? 0) - start !== length) return false;
  for (let at = 0; at < length; at++)
    if (spellings[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

function find(
  tables: SpellingTables,
  slots: Uint16Array,
  hash: number,
  text: string,
  length: number,
): number {
  const last = slots.length - 1;
  for (let slot = hash & last; ; slot = (slot + 1) & last) {
    const id = (slots[slot] ?? 0) - 1;
    if (id === NO_WORD || isSpelt(tables, id, text, length)) return id;
  }
}

/** Finds the id of a whole word, or `NO_WORD`. */
export function findWord(tables: SpellingTables, word: string): number {
  return find(tables, tables.wordSlots, hashOf(word, word.length), word, word.length);
}

/** Returns the number of letters of the longest beginning. */
export function longestStem({ stemSlots, spellingStarts }: SpellingTables): number {
  let longest = 0;
  for (const slot of stemSlots)
    if (slot > 0)
      longest = Math.max(longest, (spellingStarts[slot] ?? 0) - (spellingStarts[slot - 1] ?? 0));
  return longest;
}

/** Finds the ids of the beginnings that a word has, the shortest first. */
export function findStems(
  tables: SpellingTables,
  word: string,
  minLength: number,
  maxLength: number,
): readonly number[] {
  const found: number[] = [];
  const longest = Math.min(word.length, maxLength);
  if (longest < minLength) return found;
  let hash = hashOf(word, minLength - 1);
  for (let length = minLength; length <= longest; length++) {
    hash = addLetter(hash, word.charCodeAt(length - 1));
    const id = find(tables, tables.stemSlots, hash, word, length);
    if (id !== NO_WORD) found.push(id);
  }
  return found;
}
