import type { CompiledGroup } from "../../phrases/compiled-phrases.ts";
import { says } from "../../phrases/says.ts";
import type { Token } from "../../phrases/token.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import type { Sentence, SourceText } from "../../phrases/source-text.ts";
import { linear, type Range } from "../../text/pattern.ts";
import { wordSet } from "../../text/word-set.ts";
import { AROUND_SECRET, OTHER_NUMBERS } from "./secret-words.ts";
import { endOfValue } from "./secret-values.ts";
import { findValueBefore, findWordAnswer, findWordBefore } from "./value-before.ts";

/** Words between the name of a secret and the verb, behind which a plain word may be the value. */
const BETWEEN = wordSet(`
  ${AROUND_SECRET}
  on in at to of and file record this these those which it no now still also currently
  using texted sent wallet app phone profile system question number access code
  joint ending customer member mom dad partner boyfriend girlfriend
`);
/** Words that name another number than the secret's. */
const OTHER_NUMBER = wordSet(`
  ${OTHER_NUMBERS}
  confirmation branch routing age balance fee limit amount
  minimum maximum least most expires expire expiry
`);
const JOINS = wordSet(
  "is was are were reads read shows says equals remains being be uses displays 's",
);
/** Words between the verb and the value. */
const AFTER_JOIN = wordSet(`
  set saved stored recorded listed spelled spelt still now currently just simply actually literally
  to as the this following it is here word name number digits
`);
/** Words before the name that make another thing of it. */
const NO_SECRET_BEFORE = wordSet(
  "not no never wrong good strong bad weak example zip postal sort bank promo area device push new-style sample",
);
const ADVICE = wordSet(
  "like example instance avoid guessable must should least minimum sensitive weak maximum simple easy",
);
/** What the customer will be able to do with a value. */
const OUTLOOK = wordSet("work let get unlock open do");
/** Names of several secrets at once, or of none: "banking details: …". */
const COLLECTIVE = wordSet("details info information credentials");
/** Words before a value that was asked for. */
const ANSWERS = wordSet(`
  is was are be uses use reads says said displays shows show starts begins ends as with to
  put set chose picked pick used got gave entered enter typed type try punch key press tap
  sure yes yep here
`);
/** Before a name that stands for a value to be filled in: `<password>`. */
const PLACEHOLDER_START = new Set(["<", "{", "["]);
const PAUSE = linear(/^[,.;!]?$/);
const MENU_REACH = 60;
/** A way through a menu, "Password: Profile → Security", holds no secret. */
const MENU = linear(/^.{0,40}(?:\u2192|>\s|\u203a)/);
/** "Tell her 2276": words to whom a value is told, and words that tell it. */
const TOLD = wordSet("her him them you back");
const TELLS = wordSet("tell give gave send sent text texted read told show hand");
const ENTERS = wordSet("punch key type put enter try");
const MAX_BETWEEN = 12;
/** Words of a sentence that does no more than name a secret. */
const MAX_NAMING = 24;
/** Sentences of an answer that can still be about the question. */
const MAX_ANSWER = 6;
/** A number at the beginning of a longer sentence counts something. */
const MAX_BARE_ANSWER = 5;

function isJoinedBySign(text: string, from: Token | undefined, to: Token): boolean {
  const between = from ? text.slice(from.end, to.start) : "";
  return between.includes(":") || between.includes("=");
}

/** What was seen on the way from the name of a secret. */
interface Way {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly index: number;
  /** Words stand in between that may belong to another sentence part. */
  readonly isStrict: boolean;
}

/** Looks for a value behind the verb, or the sign, that joins it to the name of a secret. */
function findJoined({ text, tokens, index: from, isStrict }: Way, join: string) {
  let link = join;
  for (let index = from; index < Math.min(tokens.length, from + MAX_BETWEEN); index++) {
    const token = tokens[index];
    if (!token) return undefined;
    if (token.isQuoted || !AFTER_JOIN.has(token.word))
      return endOfValue({ text, tokens, index, link, isStrict });
    link = token.word;
  }
  return undefined;
}

/** Returns the place behind the verb, or the sign, that follows the name of a secret. */
function findJoin(text: string, tokens: readonly Token[], from: number) {
  let isStrict = false;
  for (let index = from; index < Math.min(tokens.length, from + MAX_BETWEEN); index++) {
    const token = tokens[index];
    if (!token || OTHER_NUMBER.has(token.word)) return undefined;
    if (isJoinedBySign(text, tokens[index - 1], token))
      return { way: { text, tokens, index, isStrict }, join: ":" };
    if (JOINS.has(token.word) && !token.isQuoted)
      return { way: { text, tokens, index: index + 1, isStrict }, join: token.word };
    isStrict ||= !token.isQuoted && !BETWEEN.has(token.word) && token.value === undefined;
  }
  return undefined;
}

/** Looks for a value behind the name of a secret. */
function findValueEnd(text: string, tokens: readonly Token[], from: number): number | undefined {
  const next = { text, tokens, index: from, link: "", isStrict: true };
  const found = findJoin(text, tokens, from);
  return (found && findJoined(found.way, found.join)) ?? endOfValue(next);
}

function isMenu(text: string, name: Token | undefined): boolean {
  return name !== undefined && MENU.test(text.slice(name.end, name.end + MENU_REACH));
}

/** "It should work now" is no advice on how a secret should be. */
function isOutlook(word: string, next: Token | undefined): boolean {
  return word === "should" && OUTLOOK.has(next?.word ?? "");
}

/** Returns whether words that name a secret don't do so here: "wrong password", "banking details". */
function isNoSecret(text: string, tokens: readonly Token[], start: number, end: number): boolean {
  const before = text.charAt((tokens[start]?.start ?? 0) - 1);
  return (
    PLACEHOLDER_START.has(before) ||
    isMenu(text, tokens[end - 1]) ||
    COLLECTIVE.has(tokens[end - 1]?.word ?? "") ||
    NO_SECRET_BEFORE.has(tokens[start - 1]?.word ?? "")
  );
}

/** Returns whether a sentence says how a secret should be. */
function isAdvice(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, index) => ADVICE.has(word) && !isOutlook(word, tokens[index + 1]));
}

function isQuestion(text: SourceText, sentence: number): boolean {
  return text.sentences()[sentence]?.text.endsWith("?") === true;
}

/** Words of a question that is no more than the name of a secret. */
const BARE = wordSet(`
  your and the full four 4 digit digits number card debit credit account online banking login atm
  current old existing please now next also then so ok okay great thanks perfect
`);

/** Returns the short sentences that name a secret, with the place of its name among their words. */
function* namingsIn(text: SourceText, names: CompiledGroup) {
  const index = text.index(names.phrases);
  for (const match of names.chains().flatMap((chain) => index.matches(chain, 1))) {
    const sentence = index.sentenceOf(match.start);
    const { start, end } = text.tokensOf(sentence, names.phrases);
    if (end - start > MAX_NAMING) continue;
    const tokens = text.tokensIn(sentence, names.phrases);
    yield { sentence, tokens, start: match.start - start, end: match.end - start };
  }
}

/** Finds a question that only names a secret: "Your PIN?" */
export function findBareQuestion(text: SourceText, secrets: CompiledGroup): Range | undefined {
  if (!text.index(secrets.phrases).hasCandidate(secrets.list, 1)) return undefined;
  for (const { sentence, tokens, start, end } of namingsIn(text, secrets)) {
    const others = [...tokens.slice(0, start), ...tokens.slice(end)];
    const isBare = others.length > 0 && others.every(({ word }) => BARE.has(word));
    const range = text.sentences()[sentence];
    if (range && isBare && isQuestion(text, sentence))
      return { start: range.start, end: range.end };
  }
  return undefined;
}

/** Finds secrets that are stated together with their names: "the PIN is 4821", "password: Rex2009". */
export function findStatedSecrets(text: SourceText, names: CompiledGroup): Range[] {
  const index = text.index(names.phrases);
  if (!index.hasCandidate(names.list, 1)) return [];
  const found = new Map<number, Range>();
  // A sentence without end may name a secret a thousand times.
  const known = new Map<number, readonly Token[]>();
  const tokensOf = (sentence: number): readonly Token[] => {
    let tokens = known.get(sentence);
    if (!tokens) {
      const all = text.tokensIn(sentence, names.phrases);
      known.set(sentence, (tokens = isAdvice(all) ? [] : all));
    }
    return tokens;
  };
  for (const match of names.chains().flatMap((chain) => index.matches(chain, 1))) {
    const sentence = index.sentenceOf(match.start);
    const tokens = tokensOf(sentence);
    if (tokens.length === 0) continue;
    const offset = text.tokensOf(sentence, names.phrases).start;
    const [start, end] = [match.start - offset, match.end - offset];
    // One of a sentence is enough.
    if (found.has(sentence) || isNoSecret(text.folded, tokens, start, end)) continue;
    const valueEnd = findValueEnd(text.folded, tokens, end);
    const first = tokens[start];
    if (first && valueEnd !== undefined) found.set(sentence, { start: first.start, end: valueEnd });
    else if (!isQuestion(text, sentence)) {
      const before = findValueBefore(text.folded, tokens, start);
      if (before) found.set(sentence, before);
    }
  }
  return [...found.values()];
}

const isBlocked = ({ tokens, text }: Sentence): boolean =>
  text.endsWith("?") ||
  text.includes('":') ||
  tokens.some(({ word }) => ADVICE.has(word) || OTHER_NUMBER.has(word));

/** Returns the word, or the sign, behind which a token can be the answer. */
function readLink(text: string, tokens: readonly Token[], index: number): string | undefined {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (!before || !token) return "is";
  if (isJoinedBySign(text, before, token)) return ":";
  const verb = tokens[index - 2]?.word ?? "";
  const isEntered = before.word === "in" && ENTERS.has(verb);
  const isGiven = TOLD.has(before.word) && TELLS.has(verb);
  return isEntered || isGiven || ANSWERS.has(before.word) ? before.word : undefined;
}

/** Finds the value in a sentence that answers the question for a secret. */
function findAnswer(text: string, sentence: Sentence): Range | undefined {
  if (isBlocked(sentence)) return undefined;
  const { tokens } = sentence;
  for (const [index, token] of tokens.entries()) {
    if (token.word === "not" || token.word === "never") return undefined;
    const link = readLink(text, tokens, index);
    if (link === undefined) continue;
    const end = endOfValue({ text, tokens, index, link, isStrict: true });
    if (end === undefined) continue;
    // At the beginning of a longer sentence stands what counts something, unless a pause follows.
    const isBare = tokens.length <= MAX_BARE_ANSWER || PAUSE.test(text.charAt(end));
    if (index > 0 || isBare) return { start: token.start, end };
  }
  return undefined;
}

/** Finds a word that is said to be the secret: "Marmalade is your security word". */
function findNamedWord(text: SourceText, names: CompiledGroup): Range | undefined {
  for (const { sentence, tokens, start, end } of namingsIn(text, names)) {
    const found = isQuestion(text, sentence) ? undefined : findWordBefore(tokens, start, end);
    if (found) return found;
  }
  return undefined;
}

/** How secrets are named. */
export interface SecretPhrases {
  /** As one states them. */
  readonly names: CompiledGroup;
  /** As one asks for them. */
  readonly asked: CompiledGroup;
  /** Questions for a word, and not for a number. */
  readonly asksForWord: CompiledGroup;
  /** Codes that are no secrets. */
  readonly others: CompiledGroup;
}

/** Finds the secret that the user asked for, in the answer: "it's 4821". */
export function findAnsweredSecret(
  { userMessage, agentResponse }: Exchange,
  { names, asked, asksForWord, others }: SecretPhrases,
): Range | undefined {
  if (!userMessage || !agentResponse) return undefined;
  if (!says(userMessage, asked)) return undefined;
  if (says(userMessage, others) || says(agentResponse, others)) return undefined;
  const isWord = says(userMessage, asksForWord);
  for (const sentence of agentResponse.sentences().slice(0, MAX_ANSWER)) {
    const found =
      findAnswer(agentResponse.folded, sentence) ?? (isWord ? findWordAnswer(sentence) : undefined);
    if (found) return found;
  }
  return findNamedWord(agentResponse, names);
}
