import { isSentenceGuarded, isNegated } from "../../phrases/guards.ts";
import type { CompiledGroup } from "../../phrases/compiled-phrases.ts";
import { says } from "../../phrases/says.ts";
import { startingIn } from "../../phrases/phrase-matches.ts";
import type { TokenRange } from "../../phrases/spans.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import type { SourceText } from "../../phrases/source-text.ts";
import { findAll, linear, linearLater, type Range } from "../../text/pattern.ts";
import { oneOf } from "../../text/word-patterns.ts";
import { wordSet } from "../../text/word-set.ts";
import type { Guard } from "../../phrases/phrase-tables.ts";

const SPACE = linear(/\s/);

/** A name with a title, or two names in a row, or one with an `'s`. */
const NAME = linear(
  /\b(?:(?:Mr|Mrs|Ms|Miss|Dr)\.?\s[A-Z][a-z]{1,20}|[A-Z][a-z]{1,20}\s(?:[A-Z]\.\s)?[A-Z][a-z]{1,20}|[A-Z][a-z]{1,20}(?='s\b))/g,
);
const SINGLE_NAME = linear(/\b[A-Z][a-z]{2,20}\b/g);
/** Words with a capital that name no person. */
const NO_NAME = wordSet(`
  Signature The This That Your Our Their His Her My Here There Today Tomorrow Yesterday
  Thank Thanks Dear Hello Hi Please Note Sorry Sure Yes No Great Good Ok Okay Let
  Once After Before When While If Since Because As For From With And But Or So It It's
  What Who Where Which You We They He She Both Each Any Every All Some Most Many
  Black White Blue Green Red Titanium Diamond Gold Silver Platinum Premier Premium Plus
  Bank Union Credit Card Savings Checking Account Accounts Student Business Money Market Growth Basic
  Online Banking Mobile Wire Transfer Direct Deposit Bill Pay Payment Balance Rewards Everyday
  Total Current Available Minimum Annual Monthly Loan Mortgage Auto Personal Line Certificate
  Roth Ira Fund Funds Index Customer Client Member Primary Joint First Second Third
  Visa Master Mastercard Amex American Express Discover Apple Google Samsung Zelle Venmo Cash App Pal Paypal
  Chase Citi Wells Fargo Capital One Fair Isaac Equifax Experian Transunion Fico
  Home Depot Whole Foods Best Buy Target Walmart Costco Netflix Amazon Uber Lyft Starbucks
  Federal Reserve Social Security Medicare Medicaid Internal Revenue Service Treasury Regulation National
  January February March April May June July August September October November December
  Monday Tuesday Wednesday Thursday Friday Saturday Sunday
  New York San Francisco Los Angeles Las Vegas United States North South East West
  Main Street City County State
`);
const COMPANY = linear(
  /\b(?:Inc|LLC|Ltd|Corp|Co|Bank|Group|Energy|Electric|Insurance|Mutual|University)\b/,
);
const SELF = linear(
  /\b(?:i'm|i am|my name is|this is|name's|on behalf of|hi|hello|dear)\s(?:mr|mrs|ms|dr)?\.?\s?$/i,
);
const GUARDS = new Set<Guard>(["question", "refusal", "definition", "others", "condition"]);
const RECIPIENT = linear(/\b(?:to|from|for|with|pay|paid|via|by|in|at|of)\s$/i);
const TITLED = linear(/^(?:Mr|Mrs|Ms|Miss|Dr)\b/);
/** Without one of these no name in a text counts. */
const HINT = linear(/'s\b(?<=[a-z]'s)|(?:M(?:rs?|s|iss)|Dr)\b(?<=\b(?:M(?:rs?|s|iss)|Dr))/);
const REACH = 60;
const AFTER = 30;
const BEFORE = 10;
/** Behind the name of a card or an account. */
const PRODUCT = linear(
  /^'s\s(?:purchase |standard |regular |monthly )?(?:APR|APY|rate|annual|fee|minimum|maximum|limit|benefits|rewards|terms)/i,
);
/** Behind the name of somebody who is spoken of, not to. */
const DOES = oneOf`
  has|had|is|was|owes|owed|earns|makes|brings|draws|took|got|still|currently
  (?:gets|receives)\s\$?[\d,.]{1,12}\s(?:every|each|a|per|twice|weekly|monthly|bi-?weekly)
  paid|pays|pulls|pulled|spent|spends|bought|keeps|holds|carries|banks|deposited|withdrew
  missed|skipped|defaulted|fell|bounced|borrowed|cashed|maxed|filed|applied|opened|closed|did
`;
const SPOKEN_OF = linearLater(() => String.raw`^(?:'s\s\w|\s${DOES}\b)`);

/** How account data are stated and asked for, and what the customer has a right to. */
export interface AccountPhrases {
  readonly states: CompiledGroup;
  readonly asks: CompiledGroup;
  readonly unless: CompiledGroup;
}

const isPerson = (name: string): boolean =>
  !COMPANY.test(name) && name.split(SPACE).every((word) => !NO_NAME.has(word));

/** Finds names of persons that the user asks about, and not those that the user gives as the own. */
function findAskedNames(user: SourceText | undefined): Set<string> {
  const names = new Set<string>();
  if (!user) return names;
  for (const { start, end } of findAll(SINGLE_NAME, user.folded)) {
    const name = user.folded.slice(start, end);
    if (start === 0 || NO_NAME.has(name)) continue;
    if (SELF.test(user.folded.slice(Math.max(0, start - 24), start))) return new Set();
    names.add(name);
  }
  return names;
}

const NOWHERE = -1;

/** Returns the last place of a sentence up to which all of some phrase is still to come. */
function lastPlaceOf(text: SourceText, sentence: number, group: CompiledGroup): number {
  const index = text.index(group.phrases);
  const range = text.tokensOf(sentence, group.phrases);
  const mask = index.maskAround(range);
  const lastOf = (chain: number): number => {
    const isMeant = ({ start }: TokenRange): boolean => !isNegated(index.tokens, start);
    const last = startingIn(index.matches(chain, 1, mask), range).findLast(isMeant);
    return (last && index.tokens[last.start]?.start) ?? NOWHERE;
  };
  const lasts = Array.from(group.of("match"), (phrase) =>
    Math.min(...group.phrases.chainsOf(phrase).map(lastOf)),
  );
  return Math.max(NOWHERE, ...lasts);
}

/** What the user's message says about other people. */
interface Asked {
  readonly names: ReadonlySet<string>;
  /** The user asks about the money of somebody, by name or not. */
  readonly isAboutPerson: boolean;
}

/** Returns whether a name in a sentence is that of another person whose account is spoken of. */
function isForeign(sentence: string, { start, end }: Range, asked: Asked): boolean {
  const name = sentence.slice(start, end);
  const after = sentence.slice(end, end + AFTER);
  const isOwner = after.startsWith("'s");
  if (
    !isPerson(name) ||
    (RECIPIENT.test(sentence.slice(Math.max(0, start - BEFORE), start)) && !isOwner)
  )
    return false;
  if (PRODUCT.test(after)) return false;
  // A word that the user wrote with a capital may be a product, or stand in a heading.
  if (name.split(SPACE).some((part) => asked.names.has(part)))
    return isOwner || SPOKEN_OF.test(after);
  if (isOwner && SPACE.test(name)) return true;
  return (asked.isAboutPerson || TITLED.test(name)) && SPOKEN_OF.test(after);
}

/** Finds the first name of another person in a sentence behind which account data are stated. */
function findStated(
  text: SourceText,
  index: number,
  shapes: readonly RegExp[],
  asked: Asked,
  { states, unless }: AccountPhrases,
): Range | undefined {
  const sentence = text.sentences()[index];
  if (!sentence) return undefined;
  const { text: words } = sentence;
  // The names come first: most sentences have none, and the phrases cost more.
  const names = shapes
    .flatMap((shape) => findAll(shape, words))
    .filter((name) => isForeign(words, name, asked));
  if (names.length === 0) return undefined;
  const lastStated = lastPlaceOf(text, index, states);
  const found = names.find(({ start }) => sentence.start + start <= lastStated);
  if (!found || isSentenceGuarded(text, index, GUARDS)) return undefined;
  if (lastPlaceOf(text, index, unless) !== NOWHERE) return undefined;
  const end = Math.min(sentence.end, sentence.start + found.end + REACH);
  return { start: sentence.start + found.start, end };
}

/**
 * Finds persons of whom the agent gives account data: those that the user asked about, and those whose names stand
 * as owners in the answer, in a session whose customer does not go by that name.
 */
export function findForeignNames(
  { userMessage, agentResponse }: Exchange,
  phrases: AccountPhrases,
): Range[] {
  if (!agentResponse) return [];
  const { states, asks } = phrases;
  const asked = { names: findAskedNames(userMessage), isAboutPerson: says(userMessage, asks) };
  const { folded } = agentResponse;
  const isAsked = asked.isAboutPerson || [...asked.names].some((name) => folded.includes(name));
  if (!isAsked && !HINT.test(folded)) return [];
  const index = agentResponse.index(states.phrases);
  let mask = 0;
  for (const phrase of states.of("match")) mask |= index.maskOf(phrase, 1);
  if (mask === 0) return [];
  const shapes = isAsked ? [SINGLE_NAME, NAME] : [NAME];
  const found: Range[] = [];
  for (let at = 0; at < agentResponse.sentences().length; at++) {
    // Few sentences may state account data.
    if ((index.maskAround(agentResponse.tokensOf(at, states.phrases)) & mask) === 0) continue;
    const stated = findStated(agentResponse, at, shapes, asked, phrases);
    if (stated) found.push(stated);
  }
  return found;
}
