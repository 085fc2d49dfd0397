import { openAiChat } from "./openai-chat.ts";
import { toSse, type ModelProtocol } from "./protocol.ts";

interface Completion {
  readonly object: string;
  readonly choices: readonly [
    { readonly message: { readonly tool_calls?: object }; readonly finish_reason: string },
  ];
  readonly usage?: object;
}

function toError(status: number, message: string): object {
  return {
    object: "error",
    message,
    type: status === 401 ? "invalid_api_key" : "server_error",
    param: null,
    code: String(status),
  };
}

/**
 * Mistral's chat, under the path `/mistral` because its own is that of OpenAI: a stream always tells the
 * usage and sends tool calls whole, and errors have another shape.
 *
 * @see https://docs.mistral.ai/api/#tag/chat
 */
export const mistral: ModelProtocol = {
  ...openAiChat,
  name: "mistral",
  matches: (path) => path.startsWith("/mistral/") && path.endsWith("/chat/completions"),
  read: (body, path) => ({ ...openAiChat.read(body, path), wantsUsage: true }),
  *toFrames(answer, request) {
    const { object: _, choices, ...whole } = openAiChat.toBody(answer, request) as Completion;
    const toWire = (delta: object, end?: object) => {
      const { usage, ...base } = whole;
      const choice = { index: 0, delta, finish_reason: null, ...end };
      const told = end && usage ? { usage } : {};
      return toSse({ ...base, object: "chat.completion.chunk", choices: [choice], ...told });
    };
    yield { wire: toWire({ role: "assistant", content: "" }) };
    if (answer.calls.length === 0) {
      for (const text of answer.pieces()) yield { wire: toWire({ content: text }), text };
    }
    // Tool calls come whole, in the last chunk.
    const calls = choices[0].message.tool_calls;
    const last = { content: "", ...(calls && { tool_calls: calls }) };
    yield { wire: toWire(last, { finish_reason: choices[0].finish_reason }) };
    yield { wire: toSse("[DONE]") };
  },
  toErrorFrame: (message) => ({ wire: toSse(toError(500, message)) }),
  toError,
};
