import { wordSet } from "../text/word-set.ts";
import { CASE_BIT } from "./characters.ts";
import { isSmallNumber } from "./numbers.ts";
import type { Reading } from "./token.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { hashOf, stemOf } from "./word-hash.ts";

const CLAUSE_WORDS = wordSet("but however though although yet whereas");

const FEW_SLOTS = 4096;
/** Texts use the same few thousand words again and again. */
const MAX_WORDS = 20_000;
/** Longer ones are seldom used twice. */
const MAX_LENGTH = 32;
/** V8 makes longer ones slices, which keep the whole text alive that they were cut from. */
const MAX_COPIED_LENGTH = 12;
const SLOTS_PER_WORD = 2;

/** Hash of no letters. */
export const EMPTY_HASH = 0;

/** Returns the hash of letters with an ASCII letter behind them, whatever its case. */
export function hashLetter(hash: number, code: number): number {
  return Math.imul(hash, 31) + (code | CASE_BIT);
}

const emptySlots = (length: number): (Reading | undefined)[] =>
  Array.from({ length }, () => undefined);

/** Returns a word that keeps no text alive. */
function detach(word: string): string {
  return word.length > MAX_COPIED_LENGTH ? Buffer.from(word).toString() : word;
}

/** The words of texts as a vocabulary knows them; those of ASCII letters that texts had before are found without cutting them out. */
export class KnownWords {
  readonly vocabulary: Vocabulary;
  #slots = emptySlots(FEW_SLOTS);
  #hashes = new Int32Array(FEW_SLOTS);
  #size = 0;
  /** Of every word, signs included, by its spelling. */
  readonly #readings = new Map<string, Reading>();

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Returns what a word in small letters is. */
  read(word: string): Reading {
    const known = this.#readings.get(word);
    if (known) return known;
    const copy = word.length > MAX_LENGTH ? undefined : detach(word);
    // Halves of surrogate pairs can't be copied.
    if (copy !== word) return this.#readNew(word);
    if (this.#readings.size >= MAX_WORDS) this.#readings.clear();
    const reading = this.#readNew(copy);
    this.#readings.set(copy, reading);
    return reading;
  }

  #readNew(word: string): Reading {
    return {
      word,
      ids: this.vocabulary.idsOf(word),
      stemHash: hashOf(stemOf(word)),
      isClauseStart: CLAUSE_WORDS.has(word),
      isNumeral: isSmallNumber(word),
    };
  }

  /** Returns the word that stands in a text, with its hash. */
  find(codes: Uint16Array, start: number, end: number, hash: number): Reading | undefined {
    const last = this.#slots.length - 1;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const known = this.#slots[slot];
      if (!known) return undefined;
      if (this.#hashes[slot] === hash && stands(known.word, codes, start, end)) return known;
    }
  }

  /** Takes up a word by its hash, to be found without being cut out; long ones are not. */
  add(known: Reading, hash: number): void {
    if (known.word.length > MAX_LENGTH) return;
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
