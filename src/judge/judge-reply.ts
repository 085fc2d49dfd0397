import * as z from "zod";
import { lazySchema } from "../events/lazy-schema.ts";

/** A finding that the model claims. */
export interface Claim {
  readonly ruleId: string;
  /** As the model copied it. */
  readonly quote: string;
  readonly reason: string;
  /** 0 to 1 */
  readonly confidence: number;
}

/** Usage of a call of the model. */
export interface JudgeUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** USD; absent if not reported. */
  readonly cost?: number | undefined;
}

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
        // One invalid member must not cost the others.
        cost: z.number().nonnegative().optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
  }),
);

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
