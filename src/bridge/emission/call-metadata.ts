import type { CallUsage, SpanRecord } from "../span-record.ts";

function toTokens(usage: CallUsage | undefined): Record<string, unknown> {
  if (!usage) return {};
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    tokensUsed: { input, output, total: input + output },
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  };
}

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
    ...toTokens(usage),
  };
}
