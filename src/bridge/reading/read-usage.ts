import * as semconv from "../../semconv.ts";
import type { CallUsage } from "../span-record.ts";
import { firstValue, type Attributes } from "./read-attributes.ts";

/** Reads a count of tokens, which some producers write as text. */
export function toCount(value: unknown): number | undefined {
  const count = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof count === "number" && count >= 0 && count < Infinity ? count : undefined;
}

/** Counts as a producer gives them. */
export interface GivenCounts extends Readonly<Partial<Record<keyof CallUsage, unknown>>> {
  /** Whether `input` has the cached tokens in it although the provider counts them beside it. */
  readonly isCacheAdded?: boolean | undefined;
}

/** Returns the tokens as the provider counts them; `undefined` when there is no count. */
export function toCallUsage(given: GivenCounts): CallUsage | undefined {
  const input = toCount(given.input);
  const output = toCount(given.output);
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = toCount(given.cacheRead);
  const cacheWrite = toCount(given.cacheWrite);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const added = given.isCacheAdded === true && cached <= (input ?? 0) ? cached : 0;
  return { input: (input ?? 0) - added, output: output ?? 0, cacheRead, cacheWrite };
}

/** Names of the attributes that hold counts, the surest first. */
export type UsageAttributes = Readonly<Partial<Record<keyof CallUsage, readonly string[]>>>;

/** Names of the conventions, older ones included. */
const GEN_AI: UsageAttributes = {
  input: [semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS, semconv.ATTR_GEN_AI_USAGE_PROMPT_TOKENS],
  output: [semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS, semconv.ATTR_GEN_AI_USAGE_COMPLETION_TOKENS],
  cacheRead: [
    semconv.ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
    semconv.ATTR_LLM_USAGE_CACHE_READ_INPUT_TOKENS,
    semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS_CACHED,
    semconv.ATTR_GEN_AI_USAGE_CACHED_INPUT_TOKENS,
  ],
  cacheWrite: [
    semconv.ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
    semconv.ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS,
    semconv.ATTR_LLM_USAGE_CACHE_CREATION_INPUT_TOKENS,
    semconv.ATTR_LLM_USAGE_CACHE_WRITE_INPUT_TOKENS,
    semconv.ATTR_GEN_AI_USAGE_INPUT_TOKENS_CACHE_WRITE,
  ],
};

/**
 * Reads the tokens of a model call from attributes.
 *
 * @param isCacheAdded - Whether the producer adds cached tokens to the input where the provider does not.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function readUsage(
  attributes: Attributes,
  isCacheAdded = false,
  { input, output, cacheRead, cacheWrite } = GEN_AI,
): CallUsage | undefined {
  return toCallUsage({
    input: firstValue(attributes, input),
    output: firstValue(attributes, output),
    cacheRead: firstValue(attributes, cacheRead),
    cacheWrite: firstValue(attributes, cacheWrite),
    isCacheAdded,
  });
}

/** Returns whether a provider counts cached tokens beside the input. */
export function countsCacheApart(...names: readonly unknown[]): boolean {
  return names.some(
    (name) => typeof name === "string" && /anthropic|claude|bedrock|vertex_ai_claude/i.test(name),
  );
}
