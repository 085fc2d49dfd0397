import { countsCacheApart } from "../bridge/reading/read-usage.ts";
import type { AgentInfo } from "../events/agent.ts";
import type { MetadataReader } from "../events/metadata-reader.ts";
import type { ToCost } from "../config/price-table.ts";
import { isRecord, readString, toNumber } from "../util/values.ts";

/**
 * Fills in what a model call has cost, where the caller has not said it and the rates are known.
 *
 * The tokens are those of `tokensUsed`, and those of `cacheReadTokens` and `cacheWriteTokens`, which Anthropic and
 * Bedrock count beside the input.
 */
export function addCost(
  metadata: MetadataReader,
  agent: AgentInfo | undefined,
  toCost: ToCost | undefined,
): void {
  const tokens = metadata.peek("tokensUsed");
  if (!toCost || !isRecord(tokens) || metadata.has("cost")) return;
  const input = toNumber(tokens["input"]);
  const output = toNumber(tokens["output"]);
  if (input === undefined || output === undefined) return;
  const provider = readString(metadata.peek("provider")) ?? agent?.llmProvider;
  const model = readString(metadata.peek("model")) ?? agent?.model;
  const cost = toCost({
    provider,
    model,
    tokens: {
      input,
      output,
      cacheRead: toNumber(metadata.peek("cacheReadTokens")),
      cacheWrite: toNumber(metadata.peek("cacheWriteTokens")),
      isCacheApart: countsCacheApart(provider),
    },
  });
  metadata.complete("cost", cost);
}
