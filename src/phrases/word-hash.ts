import { linear } from "../text/pattern.ts";

const FNV_BASIS = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;
const MIN_STEM_LENGTH = 3;
/** Endings that carry no meaning here, the longest first, and what stands for them. */
const ENDINGS: readonly (readonly [ending: string, instead: string])[] = [
  ["ingly", ""],
  ["edly", ""],
  ["ing", ""],
  ["ies", "y"],
  ["ied", "y"],
  ["es", ""],
  ["ed", ""],
  ["ly", ""],
  ["s", ""],
];
const DOUBLED = linear(/([^lsz])\1$/);

/** Hashes a text. @see http://www.isthe.com/chongo/tech/comp/fnv/ */
export function hashOf(text: string): number {
  let hash = FNV_BASIS;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash >>> 0;
}

/** Hashes two hashes, their order included. */
export function hashOfTwo(one: number, other: number): number {
  return Math.imul(Math.imul(one ^ FNV_BASIS, FNV_PRIME) ^ other, FNV_PRIME) >>> 0;
}

/** Cuts an English word to a stem, roughly: what is learned of "guaranteed" holds for "guarantees". */
export function stemOf(word: string): string {
  if (word.length <= MIN_STEM_LENGTH) return word;
  for (const [ending, instead] of ENDINGS) {
    if (!word.endsWith(ending) || word.length - ending.length < MIN_STEM_LENGTH) continue;
    const stem = (word.slice(0, -ending.length) + instead).replace(DOUBLED, "$1");
    return stem.endsWith("e") ? stem.slice(0, -1) : stem;
  }
  return word.length > MIN_STEM_LENGTH + 1 && word.endsWith("e") ? word.slice(0, -1) : word;
}
