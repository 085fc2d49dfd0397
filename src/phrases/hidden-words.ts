import { CASE_BIT, isAsciiLetter, toLower } from "./characters.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Signs that may stand between letters, and hide a word so: "bi.rth", "ap-pro-val". */
const JOINERS = new Uint8Array(128);
for (const sign of "./-~`") JOINERS[sign.charCodeAt(0)] = 1;
const POINT = 46;
const MAX_LENGTH = 24;
/** Every letter by itself. */
const MAX_SPREAD = 2 * MAX_LENGTH;

/** Returns whether a single sign stands between two letters; "done.Next" ends a sentence. */
export function hasJoinerAt(codes: Uint16Array, index: number, to: number): boolean {
  const sign = codes[index] ?? 0;
  if (JOINERS[sign] !== 1 || index + 1 >= to) return false;
  const [before, after] = [codes[index - 1] ?? 0, codes[index + 1] ?? 0];
  if (!isAsciiLetter(before) || !isAsciiLetter(after)) return false;
  const endsSentence = (before & CASE_BIT) !== 0 && (after & CASE_BIT) === 0;
  return sign !== POINT || !endsSentence;
}

/** Returns whether parts are one word: "and/or" is none, "close-knit" is read as two, "o-n-e" as one. */
function isHidden(vocabulary: Vocabulary, parts: readonly string[]): boolean {
  const joined = parts.join("");
  return (
    parts.length > 1 &&
    joined.length <= MAX_LENGTH &&
    (joined.length === parts.length || parts.some((part) => !vocabulary.knows(part))) &&
    vocabulary.knowsMore(joined, parts[0] ?? "")
  );
}

/** What letters with single signs between them are. */
export interface HiddenWord {
  /** The word without the signs; `undefined` if there are too many to be one. */
  readonly word: string | undefined;
  /** The end of what was read. */
  readonly end: number;
}

/** Reads letters with single signs between them; `undefined` unless they are a word, or too many. */
export function readHiddenWord(
  vocabulary: Vocabulary,
  text: string,
  codes: Uint16Array,
  start: number,
  to: number,
): HiddenWord | undefined {
  const parts: string[] = [];
  let end = start;
  for (let from = start; ; from = ++end) {
    while (end < to && isAsciiLetter(codes[end] ?? 0)) end++;
    if (end === from || (parts.length === 0 && !hasJoinerAt(codes, end, to))) return undefined;
    if (end - start > MAX_SPREAD) return { word: undefined, end };
    parts.push(toLower(text.slice(from, end)));
    if (!hasJoinerAt(codes, end, to)) break;
  }
  return isHidden(vocabulary, parts) ? { word: parts.join(""), end } : undefined;
}

/** Reads a word that apostrophes hide: "no'bo'dy". */
export function withoutApostrophes(vocabulary: Vocabulary, word: string): string | undefined {
  const whole = word.replaceAll("'", "");
  return whole !== word && vocabulary.knows(whole) ? whole : undefined;
}
