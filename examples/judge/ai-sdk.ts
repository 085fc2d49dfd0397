import type { JudgeModel } from "agent-monitor";
import { generateText, jsonSchema, NoObjectGeneratedError, Output, type LanguageModel } from "ai";

/** Gives what was generated even where it is no JSON: the judge counts why. */
function toReply(error: unknown): NoObjectGeneratedError {
  if (NoObjectGeneratedError.isInstance(error)) return error;
  throw error;
}

/** Has any model of the AI SDK judge: `toAiSdkJudge(openai("gpt-5-mini"))`. */
export function toAiSdkJudge(model: LanguageModel): JudgeModel {
  return async ({ system, user, schema }, { signal }) => {
    const { text, finishReason, usage, response } = await generateText({
      model,
      // The same for all exchanges of a family: providers cache it.
      system,
      prompt: user,
      output: Output.object({ schema: jsonSchema(schema) }),
      abortSignal: signal,
      // The judge retries, waits after a 429 and counts the calls itself.
      maxRetries: 0,
    }).catch(toReply);
    return {
      content: text ?? "",
      finishReason,
      model: response?.modelId,
      usage: {
        inputTokens: usage?.inputTokens ?? 0,
        outputTokens: usage?.outputTokens ?? 0,
      },
    };
  };
}
