import { toOpenAiError } from "./openai-chat.ts";
import type { Frame, ModelAnswer, ModelProtocol } from "./protocol.ts";
import { findQuestion, toPieces, toSse, toText } from "./protocol.ts";

const CREATED = 1_780_000_000;

function toUsage({ usage }: ModelAnswer) {
  if (!usage) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
}

function toItems({ id, text, calls }: ModelAnswer) {
  if (calls.length > 0) {
    return calls.map((call) => ({
      id: `fc_${call.id}`,
      type: "function_call",
      status: "completed",
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.args),
    }));
  }
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  return [
    { id: `msg_${id}`, type: "message", status: "completed", role: "assistant", content: [part] },
  ];
}

function toResponse(answer: ModelAnswer, isDone: boolean) {
  return {
    id: `resp_${answer.id}`,
    object: "response",
    created_at: CREATED,
    status: isDone ? "completed" : "in_progress",
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: answer.model,
    output: isDone ? toItems(answer) : [],
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: isDone ? toUsage(answer) : null,
  };
}

interface StreamEvent {
  readonly type: string;
  /** The piece of the answer, told apart from what is sent. */
  readonly piece?: string;
  readonly [member: string]: unknown;
}

function* toTextEvents(answer: ModelAnswer): Generator<StreamEvent> {
  const [item] = toItems(answer);
  const part = { type: "output_text", text: answer.text, annotations: [] };
  const at = { item_id: item?.id, output_index: 0, content_index: 0 };
  const open = { ...item, status: "in_progress", content: [] };
  yield { type: "response.output_item.added", output_index: 0, item: open };
  yield { type: "response.content_part.added", ...at, part: { ...part, text: "" } };
  for (const piece of answer.pieces()) {
    yield { type: "response.output_text.delta", ...at, delta: piece, piece };
  }
  yield { type: "response.output_text.done", ...at, text: answer.text };
  yield { type: "response.content_part.done", ...at, part };
  yield { type: "response.output_item.done", output_index: 0, item };
}

function* toCallEvents(answer: ModelAnswer): Generator<StreamEvent> {
  for (const [index, item] of toItems(answer).entries()) {
    const args = "arguments" in item ? item.arguments : "";
    const at = { item_id: item.id, output_index: index };
    const open = { ...item, status: "in_progress", arguments: "" };
    yield { type: "response.output_item.added", output_index: index, item: open };
    for (const delta of toPieces(args, 10)) {
      yield { type: "response.function_call_arguments.delta", ...at, delta };
    }
    yield { type: "response.function_call_arguments.done", ...at, arguments: args };
    yield { type: "response.output_item.done", output_index: index, item };
  }
}

function* toEvents(answer: ModelAnswer): Generator<StreamEvent> {
  yield { type: "response.created", response: toResponse(answer, false) };
  yield { type: "response.in_progress", response: toResponse(answer, false) };
  yield* answer.calls.length > 0 ? toCallEvents(answer) : toTextEvents(answer);
  yield { type: "response.completed", response: toResponse(answer, true) };
}

function toFrame({ piece, ...event }: StreamEvent, sequence: number): Frame {
  const wire = toSse({ ...event, sequence_number: sequence }, event.type);
  return piece === undefined ? { wire } : { wire, text: piece };
}

/**
 * The Responses API.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export const openAiResponses: ModelProtocol = {
  name: "openai-responses",
  matches: (path) => path.endsWith("/responses"),
  read(body) {
    const items = Array.isArray(body.input)
      ? body.input
      : [{ role: "user", content: body.input ?? "" }];
    return {
      model: body.model ?? "",
      ...findQuestion(
        items,
        ({ role, content }) => (role === "user" ? toText(content) : ""),
        ({ type }) => (type === "function_call_output" ? 1 : 0),
      ),
      toolNames: (body.tools ?? []).map((tool: any) => tool.name),
      streamed: body.stream === true,
      wantsUsage: true,
    };
  },
  toBody: (answer) => toResponse(answer, true),
  streamType: "text/event-stream; charset=utf-8",
  *toFrames(answer) {
    let sequence = 0;
    for (const event of toEvents(answer)) yield toFrame(event, sequence++);
  },
  toError: toOpenAiError,
  toErrorFrame(message) {
    const event = { type: "error", code: "server_error", message, param: null };
    return { wire: toSse(event, "error") };
  },
};
