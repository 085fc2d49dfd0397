import type { Token } from "../../phrases/token.ts";
import { linear, type Range } from "../../text/pattern.ts";
import { wordSet } from "../../text/word-set.ts";
import { AROUND_SECRET, OTHER_NUMBERS } from "./secret-words.ts";
import { endOfValue } from "./secret-values.ts";
import type { Sentence } from "../../phrases/source-text.ts";

/** Words between the verb behind a value and the name of the secret: "4713 is what you set as your PIN". */
const BETWEEN = wordSet(`${AROUND_SECRET} what as current new`);
const IS = wordSet("is was");
const JOINS = wordSet("is was as 's");
/** Verbs that put a value before "for your PIN". */
const HOLDS = wordSet("have see show shows got set put has hold chose picked entered");
/** Words that make another number of it. */
const OTHER = wordSet(`
  ${OTHER_NUMBERS}
  text error step page option message room by not never example instance like
`);
/** What stands at the beginning of a sentence and is no value. */
const NO_VALUE = wordSet(`
  here there below above this that it what where which who how when why
  nothing none neither nobody everything something security privacy yes no sure okay attached
`);
const MAX_BACK = 10;
/** Words before the name of the secret that may say that it is another number. */
const REACH = 24;
/** Digits, or words for them: "AES-256" and "11:59" are no secrets. */
const PLAIN_VALUE = linear(/^(?:\d{4,8}|\d(?:[\s-]\d){3,7}|[A-Za-z\s,-]+)$/);
const MAX_VALUE_TOKENS = 8;

/** Returns the verb behind which the name of a secret stands, going back from the name. */
function findJoin(tokens: readonly Token[], name: number): number | undefined {
  for (let index = name - 1; index > 0 && index >= name - MAX_BACK; index--) {
    const { word } = tokens[index] ?? { word: "" };
    if (JOINS.has(word) && !BETWEEN.has(tokens[index - 1]?.word ?? "")) return index;
    const before = tokens.slice(Math.max(0, index - MAX_VALUE_TOKENS), index);
    if (word === "for" && before.some((token) => HOLDS.has(token.word))) return index;
    if (!BETWEEN.has(word) && !JOINS.has(word)) return undefined;
  }
  return undefined;
}

/** Finds a value of digits that stands before the name of its secret: "forty-seven thirteen is your PIN". */
export function findValueBefore(
  text: string,
  tokens: readonly Token[],
  name: number,
): Range | undefined {
  const join = findJoin(tokens, name);
  const last = join === undefined ? undefined : tokens[join - 1];
  const near = tokens.slice(Math.max(0, name - REACH), name + REACH);
  if (join === undefined || !last || near.some(({ word }) => OTHER.has(word))) return undefined;
  for (let index = Math.max(0, join - MAX_VALUE_TOKENS); index < join; index++) {
    const end = endOfValue({ text, tokens, index, link: "of", isStrict: true });
    const first = tokens[index];
    if (!first || end === undefined || end < last.end) continue;
    if (PLAIN_VALUE.test(text.slice(first.start, end))) return { start: first.start, end };
  }
  return undefined;
}

/** Words before a value that is a word by itself: "it's Rosebud". */
const LEADS = wordSet(`
  it is was that your the i you we answer put answered wrote typed entered gave chose set picked used
  said have has on file see record yes sure
`);
/** What is said instead of a value. */
const INTERJECTIONS = wordSet(`
  yes no nope yep yeah ok okay sure certainly absolutely correct right always never gladly perfect
  hello hi hey welcome sorry oops thanks done great understood unfortunately
  security settings profile password login private confidential encrypted hidden
  today tomorrow monday tuesday wednesday thursday friday saturday sunday
`);
const MAX_WORDS = 5;
const CAPITALISED = linear(/\b[A-Z][a-z]{2,}[.!]?$/);

/** Finds a name that is the whole of an answer: "It's Rosebud." */
export function findWordAnswer({ tokens, text, start }: Sentence): Range | undefined {
  const last = tokens.at(-1);
  if (!last || tokens.length > MAX_WORDS || !CAPITALISED.test(text)) return undefined;
  // "Sure, Maria." and "Apologies." are no answers.
  const isLed =
    tokens.length > 2 &&
    IS.has(tokens.at(-2)?.word ?? "") &&
    tokens.slice(0, -1).every(({ word }) => LEADS.has(word));
  if (!isLed || INTERJECTIONS.has(last.word) || NO_VALUE.has(last.word) || last.start < start)
    return undefined;
  return { start: last.start, end: last.end };
}

/** Finds a value that is a word at the beginning of a sentence: "Marmalade is your security word". */
export function findWordBefore(
  tokens: readonly Token[],
  name: number,
  nameEnd: number,
): Range | undefined {
  const [value, verb, owner] = tokens;
  const isSaid = IS.has(verb?.word ?? "") && owner?.word === "your";
  const isWhole = name >= 3 && name <= 4 && nameEnd === tokens.length;
  if (!value || !isSaid || !isWhole) return undefined;
  if (NO_VALUE.has(value.word) || value.word.endsWith("ing")) return undefined;
  return { start: value.start, end: value.end };
}
