import type { ModelAnswer, ModelProtocol } from "./protocol.ts";
import { findQuestion, toPieces, toSse, toText } from "./protocol.ts";
import type { ModelUsage } from "./script.ts";

const CREATED = 1_780_000_000;

function toUsage({ input, cacheRead, output }: ModelUsage) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function toMessage({ text, calls }: ModelAnswer) {
  if (calls.length === 0) return { role: "assistant", content: text, refusal: null };
  return {
    role: "assistant",
    content: null,
    refusal: null,
    tool_calls: calls.map(({ id, name, args }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    })),
  };
}

function* toDeltas(answer: ModelAnswer) {
  const { calls } = answer;
  yield { delta: { role: "assistant", content: calls.length > 0 ? null : "", refusal: null } };
  for (const [index, { id, name, args }] of calls.entries()) {
    const first = { index, id, type: "function", function: { name, arguments: "" } };
    yield { delta: { tool_calls: [first] } };
    for (const piece of toPieces(JSON.stringify(args), 10)) {
      yield { delta: { tool_calls: [{ index, function: { arguments: piece } }] } };
    }
  }
  if (calls.length === 0)
    for (const text of answer.pieces()) yield { delta: { content: text }, text };
}

function toReason({ calls }: ModelAnswer): string {
  return calls.length > 0 ? "tool_calls" : "stop";
}

/** Makes the error body that OpenAI and compatible servers send. */
export function toOpenAiError(status: number, message: string) {
  const type = status === 401 ? "invalid_request_error" : "server_error";
  return { error: { message, type, param: null, code: status === 401 ? "invalid_api_key" : null } };
}

/**
 * Chat completions, also at the paths of Azure, Groq, vLLM and other compatible servers.
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export const openAiChat: ModelProtocol = {
  name: "openai-chat",
  matches: (path) => path.endsWith("/chat/completions"),
  read(body) {
    const messages: any[] = body.messages ?? [];
    return {
      model: body.model ?? "",
      ...findQuestion(
        messages,
        ({ role, content }) => (role === "user" ? toText(content) : ""),
        ({ role }) => (role === "tool" ? 1 : 0),
      ),
      toolNames: (body.tools ?? []).map((tool: any) => tool.function?.name),
      streamed: body.stream === true,
      wantsUsage: body.stream_options?.include_usage === true,
    };
  },
  toBody(answer) {
    const message = toMessage(answer);
    return {
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion",
      created: CREATED,
      model: answer.model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: toReason(answer) }],
      ...(answer.usage && { usage: toUsage(answer.usage) }),
      service_tier: "default",
    };
  },
  streamType: "text/event-stream; charset=utf-8",
  *toFrames(answer, { wantsUsage }) {
    const base = {
      id: `chatcmpl-${answer.id}`,
      object: "chat.completion.chunk",
      created: CREATED,
      model: answer.model,
    };
    const toWire = (delta: object, reason: string | null) =>
      toSse({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] });
    for (const frame of toDeltas(answer)) {
      const wire = toWire(frame.delta, null);
      yield "text" in frame ? { wire, text: frame.text } : { wire };
    }
    yield { wire: toWire({}, toReason(answer)) };
    if (wantsUsage && answer.usage) {
      yield { wire: toSse({ ...base, choices: [], usage: toUsage(answer.usage) }) };
    }
    yield { wire: toSse("[DONE]") };
  },
  toError: toOpenAiError,
  toErrorFrame: (message) => ({ wire: toSse(toOpenAiError(500, message)) }),
};
