import type { Frame, ModelAnswer, ModelProtocol } from "./protocol.ts";
import { findQuestion, toPieces, toSse, toText } from "./protocol.ts";

interface StreamEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function toUsage({ usage }: ModelAnswer, output: number) {
  return {
    input_tokens: usage?.input ?? 0,
    cache_creation_input_tokens: usage?.cacheWrite ?? 0,
    cache_read_input_tokens: usage?.cacheRead ?? 0,
    output_tokens: output,
  };
}

function toMessage(answer: ModelAnswer) {
  return {
    id: `msg_${answer.id}`,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: answer.calls.length > 0 ? answer.calls.map(toBlock) : [toTextBlock(answer.text)],
    stop_reason: answer.calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: toUsage(answer, answer.usage?.output ?? 0),
  };
}

const toTextBlock = (text: string) => ({ type: "text", text });
const toBlock = ({ id, name, args }: ModelAnswer["calls"][number]) => ({
  type: "tool_use",
  id,
  name,
  input: args,
});

const toFrame = (event: StreamEvent): Frame => ({ wire: toSse(event, event.type) });
const toDelta = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });

function* toBlockFrames(answer: ModelAnswer): Generator<Frame> {
  if (answer.calls.length === 0) {
    yield toFrame({ type: "content_block_start", index: 0, content_block: toTextBlock("") });
    for (const text of answer.pieces()) {
      yield { ...toFrame(toDelta(0, { type: "text_delta", text })), text };
    }
    yield toFrame({ type: "content_block_stop", index: 0 });
  }
  for (const [index, call] of answer.calls.entries()) {
    const block = { ...toBlock(call), input: {} };
    yield toFrame({ type: "content_block_start", index, content_block: block });
    for (const json of toPieces(JSON.stringify(call.args), 10)) {
      yield toFrame(toDelta(index, { type: "input_json_delta", partial_json: json }));
    }
    yield toFrame({ type: "content_block_stop", index });
  }
}

function toError(status: number, message: string): StreamEvent {
  return { type: "error", error: { type: ERROR_TYPES[status] ?? "api_error", message } };
}

/**
 * The Messages API.
 *
 * @see https://docs.anthropic.com/en/api/messages-streaming
 */
export const anthropic: ModelProtocol = {
  name: "anthropic",
  matches: (path) => path.endsWith("/v1/messages"),
  read(body) {
    const countResults = ({ content }: any) =>
      Array.isArray(content) ? content.filter(({ type }: any) => type === "tool_result").length : 0;
    return {
      model: body.model ?? "",
      ...findQuestion(
        body.messages ?? [],
        ({ role, content }) => (role === "user" ? toText(content) : ""),
        countResults,
      ),
      toolNames: (body.tools ?? []).map((tool: any) => tool.name),
      streamed: body.stream === true,
      wantsUsage: true,
    };
  },
  toBody: toMessage,
  streamType: "text/event-stream; charset=utf-8",
  *toFrames(answer) {
    const { stop_reason, stop_sequence, ...message } = toMessage(answer);
    const opening = {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence,
      usage: toUsage(answer, 1),
    };
    yield toFrame({ type: "message_start", message: opening });
    yield toFrame({ type: "ping" });
    yield* toBlockFrames(answer);
    const delta = { stop_reason, stop_sequence };
    const usage = { output_tokens: answer.usage?.output ?? 0 };
    yield toFrame({ type: "message_delta", delta, usage });
    yield toFrame({ type: "message_stop" });
  },
  toError,
  toErrorFrame: (message) => toFrame(toError(529, message)),
};
