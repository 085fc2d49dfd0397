import type { Completion } from "../completion.ts";
import * as genAi from "../message.ts";
import { readRequestSettings, toKey, type Protocol } from "../protocol.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";

/** Vertex AI has the model in the path. */
const VERTEX_MODEL = /\/publishers\/anthropic\/models\/([^/:]+):/;

function toPart(part: JsonRecord): genAi.Part | undefined {
  switch (part["type"]) {
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return genAi.toCallPart(part["id"], part["name"], part["input"]);
    case "tool_result":
    case "mcp_tool_result": {
      const content = genAi.toResult(part["content"]);
      const result = part["is_error"] === true ? { error: content } : content;
      return genAi.toResultPart(part["tool_use_id"], result);
    }
    default:
      return undefined;
  }
}

function readUsage(value: unknown, answer: Completion): void {
  if (!isRecord(value)) return;
  answer.countCached({
    input: value["input_tokens"],
    output: value["output_tokens"],
    cacheRead: value["cache_read_input_tokens"],
    cacheWrite: value["cache_creation_input_tokens"],
  });
}

function readBlock(value: unknown, key: string, answer: Completion): void {
  const block = toRecord(value);
  const part = toPart(block);
  if (part?.type === "tool_call") {
    // A stream opens a call with an empty input and sends the rest as text.
    const { id, name, arguments: args } = part;
    const isOpen = Object.keys(toRecord(args)).length === 0;
    answer.addCall({ id, name, args: isOpen ? undefined : args }, key);
  } else if (block["type"] === "text") answer.addText(block["text"], key);
}

const readError: Protocol["readError"] = (body) => {
  const { type, message } = toRecord(body["error"] ?? body);
  return { type: toText(type), message: toText(message) };
};

function readMessage(body: JsonRecord, answer: Completion): void {
  answer.identify(body["id"], body["model"]);
  for (const [index, block] of toArray(body["content"]).entries()) {
    readBlock(block, String(index), answer);
  }
  answer.finish(body["stop_reason"]);
  readUsage(body["usage"], answer);
  if (body["type"] === "error") answer.error = readError(body);
}

const readEvent: Protocol["readEvent"] = ({ data }, answer) => {
  const key = toKey(data["index"]);
  const delta = toRecord(data["delta"]);
  switch (data["type"]) {
    case "message_start":
      readMessage(toRecord(data["message"]), answer);
      break;
    case "content_block_start":
      readBlock(data["content_block"], key, answer);
      break;
    case "content_block_delta":
      if (delta["type"] === "text_delta") answer.addText(delta["text"], key);
      else if (delta["type"] === "input_json_delta") {
        answer.addCall({ args: delta["partial_json"] }, key);
      }
      break;
    case "message_delta":
      answer.finish(delta["stop_reason"]);
      readUsage(data["usage"], answer);
      break;
    case "message_stop":
      answer.isTerminated = true;
      break;
    case "message":
    case "error":
      readMessage(data, answer);
      break;
    default:
  }
};

/**
 * Anthropic's Messages API, also as Vertex AI and gateways offer it.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
export const anthropic: Protocol = {
  name: "anthropic",
  endings: ["/messages", ":rawPredict", ":streamRawPredict"],
  isPathEnough: false,
  provider: "anthropic",
  readRequest(body, target) {
    const { messages, model, stream, system, tools } = body;
    const isMessages = body["max_tokens"] !== undefined || body["anthropic_version"] !== undefined;
    if (!Array.isArray(messages) || !isMessages) return undefined;
    return {
      model: toText(model) ?? VERTEX_MODEL.exec(target.path)?.[1],
      isStreamed: stream === true,
      settings: readRequestSettings(body),
      toContent: () => ({
        input: messages.map((value: unknown) => genAi.toRoleMessage(value, toPart)),
        system: genAi.toParts(system),
        tools,
      }),
    };
  },
  readBody: readMessage,
  readEvent,
  readError,
};
