import { ATTR_GEN_AI_COMPLETION, ATTR_GEN_AI_OUTPUT_MESSAGES } from "../../semconv.ts";
import type { Attributes } from "./read-attributes.ts";
import { toCount } from "./read-usage.ts";

/** What the provider's answer says of itself, where a span has it as JSON text alone. */
export interface ResponseFacts {
  readonly responseId?: string | undefined;
  readonly finishReason?: string | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

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
/** Anthropic's; parts of OpenAI's responses have such ids as well. */
const MESSAGE_ID = /"id": ?"(msg_[\w-]{1,100})"/;
const GEMINI_ID = /"responseId": ?"([\w-]{1,100})"/;
const CACHE_READ =
  /"(?:cached_tokens|cachedContentTokenCount|cached_content_token_count|cacheReadInputTokens|cache_read_input_tokens)": ?(\d{1,15})/;
const CACHE_WRITE = /"(?:cacheWriteInputTokens|cache_creation_input_tokens)": ?(\d{1,15})/;

function find(text: string, ...patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Looks for the reason why an answer ended among its messages. */
export function scanFinishReason(attributes: Attributes): string | undefined {
  // The conventions had the reason on the messages, before it moved to the span.
  const given = attributes[ATTR_GEN_AI_OUTPUT_MESSAGES];
  return typeof given === "string" ? find(given.slice(-MAX_SCANNED), ...FINISH_REASONS) : undefined;
}

const NOTHING: ResponseFacts = {};

/** One look at an answer that says nothing of itself, in place of one for each name. */
const NAMED =
  /"(?:id|responseId|(?:finish|stop)_reason|(?:finish|stop)Reason|cache\w{1,40})": ?["\d]/;

/** Looks for what an answer says of itself, without parsing it once more. */
export function scanResponse(attributes: Attributes): ResponseFacts {
  for (const name of RESPONSES) {
    const given = attributes[name];
    if (typeof given !== "string" || given === "") continue;
    const text = given.slice(0, MAX_SCANNED);
    if (!NAMED.test(text)) return NOTHING;
    const isAnthropic = text.includes('"stop_reason"');
    return {
      responseId: find(text, RESPONSE_ID, ...(isAnthropic ? [MESSAGE_ID] : []), GEMINI_ID),
      finishReason: find(text, ...FINISH_REASONS),
      cacheRead: toCount(find(text, CACHE_READ)),
      cacheWrite: toCount(find(text, CACHE_WRITE)),
    };
  }
  return NOTHING;
}
