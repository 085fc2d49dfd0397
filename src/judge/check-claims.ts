import type { Claim } from "./judge-reply.ts";
import { CUT_NOTES, type QuoteSource, type SentExchange } from "./sent-exchange.ts";

/** A claim that was checked: its rule was in the list, and its quote occurs in the text that was sent. */
export interface CheckedClaim extends Claim {
  readonly source: QuoteSource;
  /** The passage as it was sent. */
  readonly passage: string;
  /** Offset in the text that was sent, UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Why a claim was dropped. */
export type ClaimProblem =
  | "unknown_rule"
  | "quote_not_found"
  | "quote_too_short"
  | "low_confidence";

/** Claims that hold, and how many of the others were dropped, by reason. */
export interface CheckedClaims {
  readonly claims: readonly CheckedClaim[];
  readonly dropped: Readonly<Record<ClaimProblem, number>>;
}

/** Below this confidence the model itself does not believe its claim; the prompt asks for more. */
const MIN_CONFIDENCE = 0.5;
/** Minimum letters and digits of a quote: "the" occurs in every text, and proves nothing. */
const MIN_QUOTE = 6;

/** A text as it is compared, and the offset of each of its units in the original text. */
interface Folded {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const IGNORED = /[\s\u00ad\u200b-\u200f\u2060\ufeff]/;
const QUOTES: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "-",
};

/**
 * Folds what models change when they copy: the form of characters (NFKC), case, dashes, quotation marks, white space.
 */
function fold(text: string): Folded {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  let offset = 0;
  // Composed first: a letter and its accent are one character.
  for (const cluster of text.match(/[\s\S][\p{M}]*/gu) ?? []) {
    const end = offset + cluster.length;
    for (const character of cluster.normalize("NFKC").toLowerCase()) {
      const unit = QUOTES[character] ?? character;
      if (IGNORED.test(unit)) continue;
      folded += unit;
      for (let index = 0; index < unit.length; index++) {
        starts.push(offset);
        ends.push(end);
      }
    }
    offset = end;
  }
  return { text: folded, starts, ends };
}

const SOURCES = ["agentResponse", "userMessage", "tools", "facts"] as const;

type QuotedText = readonly [QuoteSource, string, Folded];

/** Returns whether a quote could occur anywhere; a whole message that is as short could not. */
function isTooShort(quote: string, texts: readonly QuotedText[]): boolean {
  const signs = quote.replaceAll(/[^\p{L}\p{N}]/gu, "");
  return signs.length < MIN_QUOTE && !texts.some(([, , { text }]) => text === quote);
}

/** Finds a quote; the agent's answer is searched first. */
function locate(
  quote: string,
  texts: readonly QuotedText[],
): Pick<CheckedClaim, "source" | "passage" | "start" | "end"> | undefined {
  for (const [source, text, folded] of texts) {
    const index = folded.text.indexOf(quote);
    if (index < 0) continue;
    const start = folded.starts[index] ?? 0;
    const end = folded.ends[index + quote.length - 1] ?? text.length;
    return { source, passage: text.slice(start, end), start, end };
  }
  return undefined;
}

/** No claim was dropped. */
export const NONE_DROPPED: CheckedClaims["dropped"] = {
  unknown_rule: 0,
  quote_not_found: 0,
  quote_too_short: 0,
  low_confidence: 0,
};

/** The note where a text was cut is ours: no quote may match it. */
const withoutNote = (text: string): string =>
  text.replace(CUT_NOTES, (note) => " ".repeat(note.length));

/** Keeps one of several claims of the same finding at the same place. */
function withoutDoubles(claims: readonly CheckedClaim[]): CheckedClaim[] {
  const toKey = ({ ruleId, source, start, end }: CheckedClaim): string =>
    [ruleId, source, start, end].join(" ");
  return [
    ...new Map(claims.toReversed().map((claim) => [toKey(claim), claim])).values(),
  ].toReversed();
}

/** Checks a model's claims: the rule must be in the list that it got, and the quote in the text that it got. */
export function checkClaims(
  claims: readonly Claim[],
  ruleIds: readonly string[],
  sent: SentExchange,
): CheckedClaims {
  const dropped = { ...NONE_DROPPED };
  // Most replies claim nothing, and texts may be long.
  if (claims.length === 0) return { claims: [], dropped };
  const texts = SOURCES.flatMap((source): QuotedText[] => {
    const text = sent[source];
    return text === undefined ? [] : [[source, text, fold(withoutNote(text))] as const];
  });
  const checked = claims.flatMap((claim) => {
    const quote = fold(claim.quote).text;
    if (!ruleIds.includes(claim.ruleId)) dropped.unknown_rule++;
    else if (claim.confidence < MIN_CONFIDENCE) dropped.low_confidence++;
    else if (isTooShort(quote, texts)) dropped.quote_too_short++;
    else {
      const place = locate(quote, texts);
      if (place) return [{ ...claim, ...place }];
      dropped.quote_not_found++;
    }
    return [];
  });
  return { claims: withoutDoubles(checked), dropped };
}
