import { CASE_BIT } from "./characters.ts";
import { isSmallNumber } from "./numbers.ts";
import type { Reading } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";

const CLAUSE_WORDS = new Set("but however though although yet whereas".split(" "));

const FEW_SLOTS = 4096;
/** Texts use the same few thousand words again and again. */
const MAX_WORDS = 20_000;
const SLOTS_PER_WORD = 2;

/** Hash of no letters. */
export const EMPTY_HASH = 0;

/** Gives the hash of letters with an ASCII letter behind them, whatever its case. */
export function hashLetter(hash: number, code: number): number {
  return Math.imul(hash, 31) + (code | CASE_BIT);
}

const emptySlots = (length: number): (Reading | undefined)[] =>
  Array.from({ length }, () => undefined);

/** The words of texts as a vocabulary knows them; those of ASCII letters that texts had before are found without cutting them out. */
export class KnownWords {
  readonly vocabulary: Vocabulary;
  #slots = emptySlots(FEW_SLOTS);
  #hashes = new Int32Array(FEW_SLOTS);
  #size = 0;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Tells what a word in small letters is. */
  read(word: string): Reading {
    return {
      word,
      ids: this.vocabulary.idsOf(word),
      isClauseStart: CLAUSE_WORDS.has(word),
      isNumeral: isSmallNumber(word),
    };
  }

  /** Gives the word that stands in a text, with its hash. */
  find(codes: Uint16Array, start: number, end: number, hash: number): Reading | undefined {
    const last = this.#slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const known = this.#slots[slot];
      if (!known) return undefined;
      if (this.#hashes[slot] === hash && stands(known.word, codes, start, end)) return known;
    }
  }

  add(known: Reading, hash: number): void {
    if (this.#size >= MAX_WORDS) this.#clear();
    else if (this.#size * SLOTS_PER_WORD >= this.#slots.length) this.#grow();
    this.#put(known, hash);
    this.#size++;
  }

  #put(known: Reading, hash: number): void {
    const last = this.#slots.length - 1;
    let slot = hash & last;
    while (this.#slots[slot]) slot = (slot + 1) & last;
    this.#slots[slot] = known;
    this.#hashes[slot] = hash;
  }

  #grow(): void {
    const slots = this.#slots;
    const hashes = this.#hashes;
    this.#slots = emptySlots(slots.length * 2);
    this.#hashes = new Int32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot++) {
      const known = slots[slot];
      if (known) this.#put(known, hashes[slot] ?? 0);
    }
  }

  #clear(): void {
    this.#slots.fill(undefined);
    this.#size = 0;
  }
}

function stands(word: string, codes: Uint16Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++)
    if (((codes[start + at] ?? 0) | CASE_BIT) !== word.charCodeAt(at)) return false;
  return true;
}
