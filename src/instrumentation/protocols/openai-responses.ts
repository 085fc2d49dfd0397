import type { Completion, ProviderError } from "../completion.ts";
import * as genAi from "../message.ts";
import { readRequestSettings, toKey, type Protocol } from "../protocol.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import { readOpenAiError } from "./openai-chat.ts";

/** Reads an item of the input; an item that only refers to another one has no content. */
function toMessages(value: unknown): genAi.Message[] {
  const item = toRecord(value);
  const { type, call_id: id, name, output } = item;
  switch (type) {
    case "function_call":
    case "custom_tool_call": {
      const args = genAi.toArguments(item["arguments"] ?? item["input"]);
      return [genAi.toMessage("assistant", [genAi.toCallPart(id, name, args)])];
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return [genAi.toMessage("tool", [genAi.toResultPart(id, genAi.toResult(output))])];
    case undefined:
    case "message":
      return [genAi.toRoleMessage(item)];
    default:
      return [];
  }
}

/** Adds a tool call. @param args - `undefined` when they follow. */
function addCall(item: JsonRecord, key: string, answer: Completion, args?: unknown): void {
  const { type, call_id: id, name } = item;
  if (type === "function_call" || type === "custom_tool_call") {
    answer.addCall({ id, name, args }, key);
  }
}

function readItem(value: unknown, key: string, answer: Completion): void {
  const item = toRecord(value);
  addCall(item, key, answer, item["arguments"] ?? item["input"]);
  if (item["type"] !== "message") return;
  for (const [index, part] of genAi.toParts(item["content"]).entries()) {
    answer.addPart(part, `${key}.${index}`);
  }
}

function readUsage(usage: JsonRecord, answer: Completion): void {
  answer.count({
    input: usage["input_tokens"],
    output: usage["output_tokens"],
    cacheRead: toRecord(usage["input_tokens_details"])["cached_tokens"],
  });
}

function readResponse(response: JsonRecord, answer: Completion): void {
  const { id, model, output, status, usage } = response;
  answer.identify(id, model);
  const items = toArray(output);
  if (items.length > 0) {
    answer.clear();
    for (const [index, item] of items.entries()) readItem(item, String(index), answer);
  }
  if (isRecord(usage)) readUsage(usage, answer);
  if (isRecord(response["error"])) answer.error = readOpenAiError(response);
  if (status === "completed") answer.finish("stop");
  else if (status === "incomplete") {
    answer.finish(toRecord(response["incomplete_details"])["reason"] ?? "length");
  }
}

function readStreamError(data: JsonRecord): ProviderError {
  if (isRecord(data["error"])) return readOpenAiError(data);
  return { type: toText(data["code"]), message: toText(data["message"]) };
}

const readEvent: Protocol["readEvent"] = ({ data }, answer) => {
  const { type, delta, item } = data;
  const key = toKey(data["output_index"]);
  switch (type) {
    case "response.output_text.delta":
    case "response.refusal.delta":
      answer.addText(delta, `${key}.${toKey(data["content_index"])}`);
      break;
    case "response.output_item.added":
      addCall(toRecord(item), key, answer);
      break;
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
      answer.addCall({ args: delta }, key);
      break;
    case "response.created":
      readResponse(toRecord(data["response"]), answer);
      break;
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
      readResponse(toRecord(data["response"]), answer);
      answer.isTerminated = true;
      break;
    case "error":
      answer.error = readStreamError(data);
      break;
    default:
      // Without a type, the data are a whole response instead of an event.
      if (data["object"] === "response") readResponse(data, answer);
  }
};

/**
 * OpenAI's Responses API.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export const openAiResponses: Protocol = {
  name: "openai-responses",
  endings: ["/responses"],
  isPathEnough: false,
  provider: "openai",
  readRequest(body) {
    const { model, input, instructions, stream, tools, prompt } = body;
    if (typeof input !== "string" && !Array.isArray(input)) return undefined;
    if (typeof model !== "string" && !isRecord(prompt)) return undefined;
    return {
      model: toText(model),
      isStreamed: stream === true,
      settings: readRequestSettings(body),
      toContent: () => ({
        input:
          typeof input === "string"
            ? [genAi.toMessage("user", [genAi.toTextPart(input)])]
            : toArray(input).flatMap(toMessages),
        system: genAi.toParts(instructions),
        tools,
      }),
    };
  },
  readBody: readResponse,
  readEvent,
  readError: readOpenAiError,
};
