import { toEventMessage } from "./event-stream.ts";
import type { Frame, ModelAnswer, ModelProtocol } from "./protocol.ts";
import { findQuestion, toPieces, toText } from "./protocol.ts";

const PATH = /\/model\/(?<model>[^/]+)\/(?<method>converse|converse-stream)$/;
const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "AccessDeniedException",
  429: "ThrottlingException",
  500: "InternalServerException",
};
const METRICS = { latencyMs: 4 };

function toUsage({ usage }: ModelAnswer) {
  if (!usage) return {};
  const { input, output, cacheRead, cacheWrite } = usage;
  return {
    usage: {
      inputTokens: input,
      outputTokens: output,
      totalTokens: input + output + cacheRead + cacheWrite,
      cacheReadInputTokens: cacheRead,
      cacheWriteInputTokens: cacheWrite,
    },
  };
}

function toReason({ calls }: ModelAnswer): string {
  return calls.length > 0 ? "tool_use" : "end_turn";
}

const toFrame = (event: string, data: object): Frame => ({ wire: toEventMessage(event, data) });

function* toTextFrames(answer: ModelAnswer): Generator<Frame> {
  for (const text of answer.pieces()) {
    const data = { contentBlockIndex: 0, delta: { text } };
    yield { ...toFrame("contentBlockDelta", data), text };
  }
  yield toFrame("contentBlockStop", { contentBlockIndex: 0 });
}

function* toCallFrames({ calls }: ModelAnswer): Generator<Frame> {
  for (const [contentBlockIndex, { id: toolUseId, name, args }] of calls.entries()) {
    const start = { toolUse: { toolUseId, name } };
    yield toFrame("contentBlockStart", { contentBlockIndex, start });
    for (const input of toPieces(JSON.stringify(args), 10)) {
      yield toFrame("contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input } } });
    }
    yield toFrame("contentBlockStop", { contentBlockIndex });
  }
}

/**
 * Bedrock's Converse and ConverseStream.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export const bedrock: ModelProtocol = {
  name: "bedrock",
  matches: (path) => PATH.test(path),
  read(body, path) {
    const { model = "", method } = PATH.exec(path)?.groups ?? {};
    return {
      model: decodeURIComponent(model),
      ...findQuestion(
        body.messages ?? [],
        ({ role, content }) => (role === "user" ? toText(content) : ""),
        ({ content }) => content?.filter((part: any) => part.toolResult).length ?? 0,
      ),
      toolNames: (body.toolConfig?.tools ?? []).map((tool: any) => tool.toolSpec?.name),
      streamed: method === "converse-stream",
      wantsUsage: true,
    };
  },
  toBody(answer) {
    const calls = answer.calls.map(({ id: toolUseId, name, args: input }) => ({
      toolUse: { toolUseId, name, input },
    }));
    const content = calls.length > 0 ? calls : [{ text: answer.text }];
    return {
      output: { message: { role: "assistant", content } },
      stopReason: toReason(answer),
      ...toUsage(answer),
      metrics: METRICS,
    };
  },
  streamType: "application/vnd.amazon.eventstream",
  *toFrames(answer) {
    yield toFrame("messageStart", { role: "assistant" });
    yield* answer.calls.length > 0 ? toCallFrames(answer) : toTextFrames(answer);
    yield toFrame("messageStop", { stopReason: toReason(answer) });
    yield toFrame("metadata", { ...toUsage(answer), metrics: METRICS });
  },
  toError: (status, message) => ({ __type: ERROR_TYPES[status] ?? "ModelErrorException", message }),
  toErrorFrame: (message) => ({
    wire: toEventMessage("modelStreamErrorException", { message }, "exception"),
  }),
};
