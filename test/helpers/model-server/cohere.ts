import type { Frame, ModelAnswer, ModelProtocol } from "./protocol.ts";
import { findQuestion, toPieces, toSse, toText } from "./protocol.ts";

function toUsage({ usage }: ModelAnswer) {
  if (!usage) return {};
  const tokens = { input_tokens: usage.input, output_tokens: usage.output };
  return { usage: { billed_units: tokens, tokens, cached_tokens: usage.cacheRead } };
}

function toCall({ id, name, args }: ModelAnswer["calls"][number], json = JSON.stringify(args)) {
  return { id, type: "function", function: { name, arguments: json } };
}

function toReason({ calls }: ModelAnswer): string {
  return calls.length > 0 ? "TOOL_CALL" : "COMPLETE";
}

const toFrame = (type: string, event: object = {}, text?: string): Frame => {
  const wire = toSse({ type, ...event }, type);
  return text === undefined ? { wire } : { wire, text };
};

function* toTextFrames(answer: ModelAnswer): Generator<Frame> {
  const open = { message: { content: { type: "text", text: "" } } };
  yield toFrame("content-start", { index: 0, delta: open });
  for (const text of answer.pieces()) {
    yield toFrame("content-delta", { index: 0, delta: { message: { content: { text } } } }, text);
  }
  yield toFrame("content-end", { index: 0 });
}

function* toCallFrames(answer: ModelAnswer): Generator<Frame> {
  for (const [index, call] of answer.calls.entries()) {
    const open = { message: { tool_calls: toCall(call, "") } };
    yield toFrame("tool-call-start", { index, delta: open });
    for (const json of toPieces(JSON.stringify(call.args), 10)) {
      const delta = { message: { tool_calls: { function: { arguments: json } } } };
      yield toFrame("tool-call-delta", { index, delta });
    }
    yield toFrame("tool-call-end", { index });
  }
}

/**
 * Cohere's chat, version 2.
 *
 * @see https://docs.cohere.com/v2/reference/chat
 */
export const cohere: ModelProtocol = {
  name: "cohere",
  matches: (path) => path.endsWith("/v2/chat"),
  read(body) {
    return {
      model: body.model ?? "",
      ...findQuestion(
        body.messages ?? [],
        ({ role, content }) => (role === "user" ? toText(content) : ""),
        ({ role }) => (role === "tool" ? 1 : 0),
      ),
      toolNames: (body.tools ?? []).map((tool: any) => tool.function?.name),
      streamed: body.stream === true,
      wantsUsage: true,
    };
  },
  toBody(answer) {
    const content = [{ type: "text", text: answer.text }];
    const tools = { tool_calls: answer.calls.map((call) => toCall(call)) };
    return {
      id: `cohere-${answer.id}`,
      message: { role: "assistant", ...(answer.calls.length > 0 ? tools : { content }) },
      finish_reason: toReason(answer),
      ...toUsage(answer),
    };
  },
  streamType: "text/event-stream",
  *toFrames(answer) {
    const opening = { id: `cohere-${answer.id}`, delta: { message: { role: "assistant" } } };
    yield toFrame("message-start", opening);
    yield* answer.calls.length > 0 ? toCallFrames(answer) : toTextFrames(answer);
    yield toFrame("message-end", {
      delta: { finish_reason: toReason(answer), ...toUsage(answer) },
    });
  },
  toError: (_status, message) => ({ id: "cohere-error", message }),
  toErrorFrame: (error) => toFrame("message-end", { delta: { finish_reason: "ERROR", error } }),
};
