import type { JudgeModel } from "agent-monitor";
import type OpenAI from "openai";

/**
 * Has a model judge that speaks OpenAI's chat API: a provider's, or one on your own machines (vLLM, Ollama, llama.cpp), by the
 * client's `baseURL`.
 */
export function toOpenAiJudge(client: OpenAI, model: string): JudgeModel {
  return async ({ system, user, schema }, { signal }) => {
    const reply = await client.chat.completions.create(
      {
        model,
        // The system message is the same for all exchanges of a family: providers cache it.
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
        response_format: {
          type: "json_schema",
          json_schema: { name: "findings", strict: true, schema },
        },
      },
      // The judge retries, waits after a 429 and counts the calls itself.
      { signal, maxRetries: 0 },
    );
    const [choice] = reply.choices;
    return {
      content: choice?.message.content ?? "",
      finishReason: choice?.finish_reason,
      model: reply.model,
      usage: reply.usage && {
        inputTokens: reply.usage.prompt_tokens,
        outputTokens: reply.usage.completion_tokens,
      },
    };
  };
}
