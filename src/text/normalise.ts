import { toLatinLookalike } from "./confusables.ts";
import { foldText } from "./fold-text.ts";
import { MappedText } from "./mapped-text.ts";
import { readMarkup } from "./markup.ts";
import { findAll, linear, type Range } from "./pattern.ts";
import { traitsOf } from "./traits.ts";

/** A way to hide words from a reader that compares letters. */
export type Evasion =
  | "invisible-characters"
  | "lookalike-letters"
  | "styled-letters"
  | "spaced-letters"
  | "leet";

/** A text as the rules read it. */
export interface NormalText {
  /** The text as it was given. */
  readonly original: string;
  /** The text with what hides words undone. */
  readonly text: string;
  /** What was undone to get here. */
  readonly evasions: readonly Evasion[];
  /** Returns the place in the original, in UTF-16 units. */
  toOriginal(range: Range): Range;
}

const NOT_ASCII = linear(/[^\0-\x7f]/);
const EVERY_FOREIGN = linear(/[^\0-\x7f]/g);
const FIRST_FOREIGN = 0x80;
const INVISIBLE = linear(
  /^[\p{Cf}\p{Variation_Selector}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]$/u,
);
const MARK = linear(/\p{M}/gu);
const LETTER = linear(/^\p{L}$/u);
const ASCII_LETTER = linear(/^[A-Za-z]$/);
const FULL_WIDTH_OR_STYLED = linear(
  /^[\uff01-\uff5e\u2100-\u214f\u2460-\u24ff\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}]$/u,
);
const FULL_WIDTH_LETTER = linear(/[\uff21-\uff3a\uff41-\uff5a]/);
/** One separator between all letters: "a S.A.R." is an article and an acronym. */
const SPACED_LETTERS = linear(
  /(?<![A-Za-z0-9])[A-Za-z]( [.\-*/] |[ .\-_*~|/])(?:[A-Za-z0134@$]\1){2,}[A-Za-z](?![A-Za-z0-9])/g,
);
/** "t o" between words whose letters stand apart as well. */
const SPACED_PAIR = linear(
  /(?<![^\s])(?<=\s\s|^)[A-Za-z] [A-Za-z](?=\s\s|[.,;:!?](?![A-Za-z])|$)/g,
);
/** "t w o"; read as a word anywhere, as initials stand before a name. */
const SPACED_THREE = linear(
  /(?<![A-Za-z0-9]|\b[A-Za-z] )[A-Za-z](?: [A-Za-z]){2}(?! ?[A-Za-z0-9](?![A-Za-z0-9]))(?![A-Za-z0-9])/g,
);
const DOTTED_ACRONYM = linear(
  /(?<![A-Za-z0-9.])[A-Za-z]\.(?:[A-Za-z]\.){1,6}(?:[A-Za-z](?![A-Za-z.]))?/g,
);
const ODD_SPACING = linear(
  /(?<![A-Za-z0-9])[A-Za-z](?:[ .\-_*~|/]|\s[.\-*/]\s)[A-Za-z0134@$](?:[ .\-_*~|/]|\s[.\-*/]\s)(?![A-Za-z0-9][A-Za-z0-9])|(?<![A-Za-z0-9])[A-Za-z]\.[A-Za-z]\./,
);
const SEPARATOR = linear(/[ .\-_*~|/]/);
const CAPITALS_WITH_POINTS = linear(/^(?:[A-Z]\.)+[A-Z]?$/);
const SENTENCE_END_BEHIND = linear(/^(?:\s+[A-Z]|\s*$)/);
/** Lists of options ("A, B, C") have commas; "A B C D" without is read as a word of four letters or more. */
const LATIN_SHARE = 4;

const DECOMPOSED = new Map<string, string>();
const MAX_DECOMPOSED = 4096;

/** Compatibility decomposition without accents; every reader of the rules spells English. */
function decompose(character: string): string {
  let decomposed = DECOMPOSED.get(character);
  if (decomposed === undefined) {
    decomposed = foldText(character.normalize("NFKD").replace(MARK, ""));
    if (DECOMPOSED.size < MAX_DECOMPOSED) DECOMPOSED.set(character, decomposed);
  }
  return decomposed;
}

function addForeign(
  mapped: MappedText,
  original: string,
  character: string,
  position: number,
  evasions: Set<Evasion>,
): void {
  const end = position + character.length;
  if (INVISIBLE.test(character)) {
    // Between letters it splits a word; elsewhere it belongs to emoji or to text of another direction.
    const isInWord =
      ASCII_LETTER.test(original.charAt(position - 1)) && ASCII_LETTER.test(original.charAt(end));
    if (isInWord) evasions.add("invisible-characters");
    return;
  }
  const decomposed = decompose(character);
  if (FULL_WIDTH_OR_STYLED.test(character) && ASCII_LETTER.test(decomposed))
    evasions.add("styled-letters");
  mapped.add(decomposed, position, end);
}

/** Decomposes what is not ASCII and drops what can't be seen. */
function toVisible(original: string, evasions: Set<Evasion>): MappedText {
  const mapped = new MappedText();
  let position = 0;
  while (position < original.length) {
    let end = position;
    while (end < original.length && original.charCodeAt(end) < FIRST_FOREIGN) end++;
    mapped.addVerbatim(original, position, end);
    if (end === original.length) break;
    const character = String.fromCodePoint(original.codePointAt(end) ?? 0);
    addForeign(mapped, original, character, end, evasions);
    position = end + character.length;
  }
  return mapped;
}

/** Whether the letters of a text are Latin, but for a few that only pose as such. */
function isLatin(text: string): boolean {
  let latin = 0;
  let other = 0;
  for (const character of text) {
    if (ASCII_LETTER.test(character)) latin++;
    else if (isForeignLetter(character) && toLatinLookalike(character) === undefined) other++;
  }
  return latin > LATIN_SHARE * other;
}

function isForeignLetter(character: string): boolean {
  return NOT_ASCII.test(character) && LETTER.test(character);
}

/** Finds the words that have letters of other scripts. */
function findForeignWords(text: string): Range[] {
  const words: Range[] = [];
  let position = 0;
  for (const { start } of findAll(EVERY_FOREIGN, text)) {
    if (start < position || !isForeignLetter(text.charAt(start))) continue;
    let from = start;
    while (from > position && LETTER.test(text.charAt(from - 1))) from--;
    let to = start + 1;
    while (to < text.length && LETTER.test(text.charAt(to))) to++;
    words.push({ start: from, end: to });
    position = to;
  }
  return words;
}

/** Writes lookalike letters as Latin ones, in words that mix scripts and in stray words of a Latin text. */
function foldLookalikes(text: string, evasions: Set<Evasion>): string {
  let isLatinText: boolean | undefined;
  let folded = "";
  let position = 0;
  for (const { start, end } of findForeignWords(text)) {
    const letters = text.slice(start, end).split("");
    const foreign = letters.filter((letter) => NOT_ASCII.test(letter));
    const isDisguised =
      foreign.every((letter) => toLatinLookalike(letter) !== undefined) &&
      (foreign.length < letters.length || (isLatinText ??= isLatin(text)));
    if (!isDisguised) continue;
    evasions.add("lookalike-letters");
    folded +=
      text.slice(position, start) +
      letters.map((letter) => toLatinLookalike(letter) ?? letter).join("");
    position = end;
  }
  return folded + text.slice(position);
}

interface Removal {
  readonly ranges: readonly Range[];
  readonly isEvasion: boolean;
}

/** Finds the separators inside `g u a r a n t e e d` and `S.A.R.`. */
function findSeparators(text: string): Removal[] {
  const inRange = ({ start, end }: Range): Range[] => {
    const separators: Range[] = [];
    for (let index = start; index < end; index++) {
      if (SEPARATOR.test(text.charAt(index))) separators.push({ start: index, end: index + 1 });
    }
    return separators;
  };
  const spaced = findAll(SPACED_LETTERS, text).map((range) => ({
    ranges: inRange(range),
    isEvasion: !CAPITALS_WITH_POINTS.test(text.slice(range.start, range.end)),
  }));
  const acronyms = findAll(DOTTED_ACRONYM, text).map((range) => {
    // The last point may end the sentence as well.
    const endsSentence = SENTENCE_END_BEHIND.test(text.slice(range.end, range.end + 3));
    const separators = inRange(range);
    return { ranges: endsSentence ? separators.slice(0, -1) : separators, isEvasion: false };
  });
  const isSpaced = spaced.some(({ isEvasion }) => isEvasion);
  const short = [...findAll(SPACED_THREE, text), ...(isSpaced ? findAll(SPACED_PAIR, text) : [])];
  return [
    ...spaced,
    ...acronyms,
    ...short.map((range) => ({ ranges: inRange(range), isEvasion: false })),
  ];
}

/** Takes the separators out of words whose letters stand apart. */
function joinLetters(text: string, evasions: Set<Evasion>): MappedText | undefined {
  if (!traitsOf(text).hasLettersApart || !ODD_SPACING.test(text)) return undefined;
  const removals = findSeparators(text);
  if (removals.some(({ isEvasion }) => isEvasion)) evasions.add("spaced-letters");
  const removed = removals
    .flatMap(({ ranges }) => ranges)
    .toSorted((one, other) => one.start - other.start);
  if (removed.length === 0) return undefined;
  const joined = new MappedText();
  let position = 0;
  for (const { start, end } of [...removed, { start: text.length, end: text.length }]) {
    if (start < position) continue;
    joined.addVerbatim(text, position, start);
    position = end;
  }
  return joined;
}

/**
 * Undoes what hides words: markup, invisible characters, lookalike and styled letters, accents, letters set apart.
 *
 * Case and digits stay. Sentences that really are of another script stay as they are.
 *
 * @see https://www.unicode.org/reports/tr15/ (NFKD)
 */
export function normalise(original: string): NormalText {
  const shown = readMarkup(original);
  const source = shown?.text ?? original;
  const isAscii = traitsOf(source).isAscii;
  const folded = isAscii ? source : foldText(source);
  const evasions = new Set<Evasion>();
  let visible: MappedText | undefined;
  let text = folded;
  if (!isAscii && NOT_ASCII.test(folded)) {
    visible = toVisible(source, evasions);
    text = NOT_ASCII.test(visible.text) ? foldLookalikes(visible.text, evasions) : visible.text;
  } else if (!isAscii && FULL_WIDTH_LETTER.test(source)) evasions.add("styled-letters");
  const joined = joinLetters(text, evasions);
  return {
    original,
    text: joined?.text ?? text,
    evasions: [...evasions],
    toOriginal: (range) => {
      const inVisible = joined?.toSource(range) ?? range;
      const inShown = visible?.toSource(inVisible) ?? inVisible;
      return shown?.toSource(inShown) ?? inShown;
    },
  };
}
