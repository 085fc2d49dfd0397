import * as z from "zod";
import { lazySchema } from "../events/lazy-schema.ts";
import { CUT_NOTES, type QuoteSource, type SentExchange } from "./sent-exchange.ts";

/** Why a reply can't be used. */
export type ReplyFailure = "empty" | "truncated" | "not_json" | "not_schema" | "too_long";

/** The model's reply: its claims, or why they can't be read. */
export interface JudgeReply {
  readonly claims?: readonly Claim[];
  readonly failure?: ReplyFailure;
  /** As the model's provider names it, `length`; absent if not reported. */
  readonly finishReason?: string | undefined;
  /** UTF-16 units of the reply. */
  readonly length: number;
  /** As the model's provider names it. */
  readonly model?: string | undefined;
  readonly usage?: JudgeUsage | undefined;
}

/** More than any judgement needs. */
const MAX_REPLY_LENGTH = 64 * 1024;
const MAX_NAME_LENGTH = 200;

/** What the prompt asks for; a quote is as the model copied it. */
const verdictSchema = lazySchema(() =>
  z.object({
    findings: z
      .array(
        z.object({
          ruleId: z.string().min(1).max(200),
          quote: z.string().min(1).max(4000),
          reason: z.string().max(4000),
          confidence: z.number().min(0).max(1),
        }),
      )
      .max(50),
  }),
);

/** A finding that the model claims. */
type Claim = Readonly<z.infer<typeof verdictSchema>["findings"][number]>;

const count = z.number().int().nonnegative();

/** A reply with the metadata that its provider reports. */
const envelopeSchema = lazySchema(() =>
  z.object({
    content: z.union([z.string(), z.record(z.string(), z.unknown())]),
    finishReason: z.string().max(MAX_NAME_LENGTH).optional().catch(undefined),
    model: z.string().max(MAX_NAME_LENGTH).optional().catch(undefined),
    usage: z
      .object({
        inputTokens: count,
        outputTokens: count,
        // USD. One invalid member must not cost the others.
        cost: z.number().nonnegative().optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
);

/** Usage of a call of the model. */
export type JudgeUsage = Readonly<NonNullable<z.infer<typeof envelopeSchema>["usage"]>>;

/** Finish reasons by which providers report that a reply was cut off. */
const CUT_SHORT = new Set(["length", "max_tokens", "max_output_tokens", "MAX_TOKENS"]);

const FENCE = "```";

/** Takes the fence off that many models put around JSON. */
function withoutFence(content: string): string {
  const text = content.trim();
  const head = text.indexOf("\n");
  const isFenced = head > 0 && text.startsWith(FENCE) && text.endsWith(FENCE);
  if (!isFenced || !["", "json"].includes(text.slice(FENCE.length, head).trim())) return text;
  return text.slice(head, -FENCE.length);
}

function parse(content: string): { readonly value?: unknown; readonly failure?: ReplyFailure } {
  if (content.length > MAX_REPLY_LENGTH) return { failure: "too_long" };
  if (content.trim() === "") return { failure: "empty" };
  try {
    return { value: JSON.parse(withoutFence(content)) as unknown };
  } catch {
    return { failure: "not_json" };
  }
}

type Envelope = Omit<JudgeReply, "claims" | "failure" | "length"> & { readonly content: unknown };

function openEnvelope(reply: unknown): Envelope {
  if (typeof reply !== "object" || reply === null || !("content" in reply))
    return { content: reply };
  const { success, data } = envelopeSchema.safeParse(reply);
  return success ? data : { content: undefined };
}

const lengthOf = (content: unknown): number => {
  try {
    return typeof content === "string" ? content.length : JSON.stringify(content ?? "").length;
  } catch {
    return 0;
  }
};

function readClaims(content: unknown, isCutShort: boolean): Pick<JudgeReply, "claims" | "failure"> {
  // The part may look complete: a reply that was cut off does not mean "nothing found".
  if (isCutShort) return { failure: "truncated" };
  const { value = content, failure } = typeof content === "string" ? parse(content) : {};
  if (failure) return { failure };
  const verdict = verdictSchema.safeParse(value);
  return verdict.success ? { claims: verdict.data.findings } : { failure: "not_schema" };
}

/**
 * Reads the result of the caller's function: the JSON as text, the parsed object, or one of them as `content` beside
 * `finishReason`, `model` and `usage`. Never throws.
 *
 * Only a complete object of the schema counts, "no findings" included.
 */
export function readReply(reply: unknown): JudgeReply {
  try {
    const { content, ...facts } = openEnvelope(reply);
    const isCutShort = facts.finishReason !== undefined && CUT_SHORT.has(facts.finishReason);
    return { ...readClaims(content, isCutShort), ...facts, length: lengthOf(content) };
  } catch {
    // A getter or a proxy of the caller's.
    return { failure: "not_schema", length: 0 };
  }
}

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
interface CheckedClaims {
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
