import { ATTR_GEN_AI_COMPLETION, ATTR_GEN_AI_OUTPUT_MESSAGES } from "../../semconv.ts";
import { toText } from "../../util/values.ts";
import type { CallSettings, CallUsage, ExchangeIdentity } from "../span-record.ts";
import { findFirst, findMatch, type Attributes } from "./read-attributes.ts";
import { toCount } from "./read-usage.ts";

/** What the provider's answer says of itself, where a span has it as JSON text alone. */
export type ResponseFacts = Pick<ExchangeIdentity, "responseId"> &
  Pick<CallSettings, "finishReason"> &
  Pick<CallUsage, "cacheRead" | "cacheWrite">;

/** Attributes that hold an answer as it came. */
const RESPONSES = [
  "output.value",
  "genkit:output",
  "gcp.vertex.agent.llm_response",
  "langfuse.observation.output",
  ATTR_GEN_AI_COMPLETION,
] as const;
/** UTF-16 units of an answer that are looked through. */
const MAX_SCANNED = 256 * 1024;

// In texts of an answer the quotes are escaped, so that only names of members match.
const FINISH_REASONS = [
  /"(?:finish_reason|stop_reason)": ?"(\w{1,40})"/,
  /"(?:finishReason|stopReason)": ?"(\w{1,40})"/,
] as const;
const RESPONSE_ID = /"(?:id|responseId)": ?"((?:chatcmpl|resp)[-_][\w-]{1,100})"/;
const GEMINI_ID = /"responseId": ?"([\w-]{1,100})"/;
const IDS = [RESPONSE_ID, GEMINI_ID] as const;
/** Anthropic's stand between them; parts of OpenAI's responses have such ids as well. */
const ANTHROPIC_IDS = [RESPONSE_ID, /"id": ?"(msg_[\w-]{1,100})"/, GEMINI_ID] as const;
const CACHE_READ =
  /"(?:cached_tokens|cachedContentTokenCount|cached_content_token_count|cacheReadInputTokens|cache_read_input_tokens)": ?(\d{1,15})/;
const CACHE_WRITE = /"(?:cacheWriteInputTokens|cache_creation_input_tokens)": ?(\d{1,15})/;

/** Looks for the reason why an answer ended among its messages. */
export function scanFinishReason(attributes: Attributes): string | undefined {
  // The conventions had the reason on the messages, before it moved to the span.
  const given = attributes[ATTR_GEN_AI_OUTPUT_MESSAGES];
  if (typeof given !== "string") return undefined;
  return findMatch(given.slice(-MAX_SCANNED), FINISH_REASONS);
}

/** Stands for an answer that says nothing of itself. */
export const NO_FACTS: ResponseFacts = {};

/** One look at an answer that says nothing of itself, in place of one for each name. */
const NAMED =
  /"(?:id|responseId|(?:finish|stop)_reason|(?:finish|stop)Reason|cache\w{1,40})": ?["\d]/;

/** Looks for what an answer says of itself, without parsing it once more. */
export function scanResponse(attributes: Attributes): ResponseFacts {
  const given = findFirst(RESPONSES, (name) => toText(attributes[name]));
  const text = given?.slice(0, MAX_SCANNED) ?? "";
  if (!NAMED.test(text)) return NO_FACTS;
  return {
    responseId: findMatch(text, text.includes('"stop_reason"') ? ANTHROPIC_IDS : IDS),
    finishReason: findMatch(text, FINISH_REASONS),
    cacheRead: toCount(CACHE_READ.exec(text)?.[1]),
    cacheWrite: toCount(CACHE_WRITE.exec(text)?.[1]),
  };
}
