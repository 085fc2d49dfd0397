import type { Token } from "../../phrases/token.ts";
import { linear } from "../../text/pattern.ts";
import { wordSet } from "../../text/word-set.ts";
import { readSpoken } from "./spoken-value.ts";

/** A place where the value of a secret may stand. */
export interface ValuePlace {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly index: number;
  /** Word before the value, or the sign. */
  readonly link: string;
  /** Only what can hardly be a word counts: digits, letters mixed with digits, a quotation. */
  readonly isStrict: boolean;
}

/** Verbs behind which a plain word can only be the value. */
const QUOTING = wordSet("reads says as spelled spelt word name literally");
/** What a number counts when it is no value. */
const UNITS = wordSet(`
  digit digits character characters chars letter letters symbol symbols word words
  minute minutes min mins hour hours day days week weeks month months year years second seconds am pm
  time times attempt attempts try tries step steps option options ways business or to percent more
  failed wrong shops stores people other different
`);
const QUOTES = new Set(["'", "`", '"', "\u2018", "\u201C"]);

const MAX_VALUE = 40;
const MIN_DIGITS = 3;
const MAX_DIGITS = 9;
const MAX_QUOTED_WORDS = 4;
const NO_DIGIT = linear(/\D/g);
const VALUE_END = linear(/[\s,;]/);
const OPENING = linear(/^["'`([*]+/);
/** A pattern for them at the end of a word would be slow: it would begin anew at each of them. */
const CLOSING = new Set("\"'`)]*.!?:");
const PLACEHOLDER = linear(
  /[x*#\u2022_.]{3}|^[<{]|your|example|^\d{1,2}(?:st|nd|rd|th)?$|^\d{11,}|^\d+[-/]\d|^1?-?8\d\d-|^24|^https?:|^\$|%$|^[^a-z0-9]+$/i,
);
const YEAR = linear(/^(?:19|20)\d\d$/);
const MIXED = linear(/\d/);
const CAPITALISED = linear(/^[A-Z][a-z]{2,}$/);
const PLAIN = linear(/^[a-z]{3,}$/);
const DIGIT_GROUPS = linear(/^\d{1,4}(?:[ -]\d{1,4}){1,8}(?![\d%/:]|,\d)/);
/** Labels of buttons and pages, which are quoted as well. */
const LABEL = linear(/forg[eo]t|reset|change|secur|setting|profile|verif|sign|log|password|pin\b/i);

/** Digits that are no secret by themselves: fewer than three. */
const FEW_DIGITS = linear(/^\d{1,2}$/);

/** Returns the end of digits spelt out, "nine four two one" or "ninety-four twenty-one". */
function endOfSpeltDigits(place: ValuePlace): number | undefined {
  const { tokens, index } = place;
  const spoken = readSpoken(tokens, index);
  if (!spoken || UNITS.has(tokens[spoken.next]?.word ?? "")) return undefined;
  const { length } = spoken.digits;
  if (length < MIN_DIGITS || length > MAX_DIGITS || isYear(spoken.digits, place)) return undefined;
  return tokens[spoken.next - 1]?.end;
}

/** Returns the end of digits in groups, "77 14 02". */
function endOfDigitGroups({ text, tokens, index }: ValuePlace): number | undefined {
  const { start } = tokens[index] ?? { start: text.length };
  const [groups = ""] = DIGIT_GROUPS.exec(text.slice(start, start + MAX_VALUE)) ?? [];
  const digits = groups.replaceAll(NO_DIGIT, "").length;
  return digits >= MIN_DIGITS && digits <= MAX_DIGITS ? start + groups.length : undefined;
}

/** Returns the end of a few quoted words. */
function endOfQuotation({ text, tokens, index, link }: ValuePlace): number | undefined {
  const first = tokens[index];
  if (!first?.isQuoted || link === "") return undefined;
  let last = index;
  while (last - index < MAX_QUOTED_WORDS && tokens[last + 1]?.isQuoted) last++;
  const end = tokens[last]?.end ?? first.end;
  const isShort = last - index < MAX_QUOTED_WORDS;
  return isShort && !LABEL.test(text.slice(first.start, end)) ? end : undefined;
}

/** Returns whether a word that is no number can be the value. */
function isWordValue(word: string, { text, tokens, index, link, isStrict }: ValuePlace): boolean {
  if (link === "" || isStrict) return false;
  const isQuoted = QUOTES.has(text.charAt((tokens[index]?.start ?? 0) - 1));
  return isQuoted || CAPITALISED.test(word) || (PLAIN.test(word) && QUOTING.has(link));
}

function isYear(word: string, { link }: ValuePlace): boolean {
  return YEAR.test(word) && link !== "is" && link !== "uses";
}

/** Takes quotes, brackets and full stops off both ends of a word. */
function withoutEdges(word: string): string {
  const rest = word.replace(OPENING, "");
  let end = rest.length;
  while (end > 0 && CLOSING.has(rest.charAt(end - 1))) end--;
  return rest.slice(0, end);
}

function endOfWord(place: ValuePlace): number | undefined {
  const { text, tokens, index } = place;
  const { start } = tokens[index] ?? { start: text.length };
  const tail = text.slice(start, start + MAX_VALUE);
  const length = tail.search(VALUE_END);
  const word = withoutEdges(length < 0 ? tail : tail.slice(0, length));
  if (word === "" || FEW_DIGITS.test(word) || PLACEHOLDER.test(word) || isYear(word, place))
    return undefined;
  if (!MIXED.test(word) && !isWordValue(word, place)) return undefined;
  const end = start + word.length;
  const next = tokens.slice(index, index + MAX_VALUE).find((token) => token.start >= end);
  return UNITS.has(next?.word ?? "") ? undefined : end;
}

/** Returns the end of the value that stands in a place, unless it is no value. */
export function endOfValue(place: ValuePlace): number | undefined {
  if (!place.tokens[place.index]) return undefined;
  return (
    endOfSpeltDigits(place) ?? endOfDigitGroups(place) ?? endOfQuotation(place) ?? endOfWord(place)
  );
}
