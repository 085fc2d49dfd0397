import { ConverseCommand, type BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import type { JudgeModel } from "agent-monitor";

/**
 * Has a model of Amazon Bedrock judge.
 *
 * @param client - With `maxAttempts: 1`: the judge retries, waits after a 429 and counts the calls itself.
 */
export function toBedrockJudge(client: BedrockRuntimeClient, modelId: string): JudgeModel {
  return async ({ system, user }, { signal }) => {
    const { output, stopReason, usage } = await client.send(
      new ConverseCommand({
        modelId,
        // What stands before the cache point is the same for all exchanges of a family. Leave the point out for models without one.
        system: [{ text: system }, { cachePoint: { type: "default" } }],
        messages: [{ role: "user", content: [{ text: user }] }],
        inferenceConfig: { temperature: 0, maxTokens: 2000 },
      }),
      { abortSignal: signal },
    );
    const texts = output?.message?.content?.map(({ text }) => text ?? "") ?? [];
    return {
      content: texts.join(""),
      finishReason: stopReason,
      model: modelId,
      usage: usage && {
        inputTokens:
          (usage.inputTokens ?? 0) +
          (usage.cacheReadInputTokens ?? 0) +
          (usage.cacheWriteInputTokens ?? 0),
        outputTokens: usage.outputTokens ?? 0,
      },
    };
  };
}
