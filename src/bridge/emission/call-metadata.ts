import type { TokenUsage } from "../../events/metadata.ts";
import type { CallUsage, SpanRecord } from "../span-record.ts";

/** Adds the tokens of two calls. */
export function addUsage(
  one: CallUsage | undefined,
  other: CallUsage | undefined,
): CallUsage | undefined {
  if (!one || !other) return one ?? other;
  const add = (a?: number, b?: number): number | undefined =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: add(one.cacheRead, other.cacheRead),
    cacheWrite: add(one.cacheWrite, other.cacheWrite),
  };
}

/** Returns milliseconds, to the microsecond. */
export function toDuration({ start, end }: SpanRecord): number {
  return Math.round((end - start) * 1e3) / 1e3;
}

function toTokenUsage({ input, output }: CallUsage): TokenUsage {
  return { input, output, total: input + output };
}

/**
 * Says how a model was called, for the event that came of it.
 *
 * @param usage - The tokens that the event is to carry.
 */
export function toCallMetadata(
  call: SpanRecord,
  usage: CallUsage | undefined,
): Record<string, unknown> {
  const { identity, settings } = call;
  return {
    model: identity.model,
    provider: settings.provider,
    llmLatency: call.isAbandoned ? undefined : toDuration(call),
    temperature: settings.temperature,
    maxTokens: settings.maxTokens,
    finishReason: settings.finishReason,
    retries: settings.retries,
    timeToFirstChunk: settings.timeToFirstChunk,
    responseId: identity.responseId,
    providerRequestId: settings.providerRequestId,
    tokensUsed: usage && toTokenUsage(usage),
    cacheReadTokens: usage?.cacheRead,
    cacheWriteTokens: usage?.cacheWrite,
  };
}

/** Why an answer was not captured: whatever it came to, nobody has said so. */
const SPAN_NEVER_ENDED = "span_never_ended";

/** Returns whether a text is what had come of an answer when it was broken off. */
function isBrokenOff({ isAbandoned, saysWhyItEnded, settings, usage }: SpanRecord): boolean {
  if (isAbandoned) return true;
  const hasEnd = settings.finishReason !== undefined || (usage?.output ?? 0) > 0;
  return saysWhyItEnded === true && !hasEnd;
}

/** Adds how much of an answer there is, and what was judged of it: of most it is all, and nothing. */
export function markAnswer(
  metadata: Record<string, unknown>,
  record: SpanRecord,
  text: string | undefined,
): void {
  const { isAbandoned, output, evaluations } = record;
  if (text === undefined) metadata["captured"] = false;
  else if (isBrokenOff(record)) metadata["incomplete"] = true;
  if (isAbandoned) metadata["notCaptured"] = SPAN_NEVER_ENDED;
  if (output.isPartial) metadata["truncated"] = true;
  if (evaluations.length > 0) metadata["evaluations"] = evaluations;
}
