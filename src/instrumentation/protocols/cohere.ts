import type { Completion } from "../completion.ts";
import { toParts } from "../message.ts";
import { toKey, type Protocol } from "../protocol.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import { readCall, readChatRequest } from "./openai-chat.ts";

function readUsage(value: unknown, answer: Completion): void {
  const usage = toRecord(value);
  const tokens = toRecord(usage["tokens"] ?? usage["billed_units"]);
  answer.count({
    input: tokens["input_tokens"],
    output: tokens["output_tokens"],
    cacheRead: usage["cached_tokens"],
  });
}

const readError: Protocol["readError"] = (body) => ({
  type: toText(body["type"]),
  message: toText(body["message"] ?? body["error"]),
});

function end(source: JsonRecord, answer: Completion): void {
  answer.finish(source["finish_reason"]);
  readUsage(source["usage"], answer);
  if (source["finish_reason"] === "ERROR") answer.error = readError(source);
}

function readBody(body: JsonRecord, answer: Completion): void {
  answer.identify(body["id"], undefined);
  const { content, tool_calls: calls } = toRecord(body["message"]);
  for (const part of toParts(content)) answer.addPart(part);
  for (const [index, call] of toArray(calls).entries()) {
    answer.addCall(readCall(call), `call${index}`);
  }
  end(body, answer);
}

const readEvent: Protocol["readEvent"] = ({ data }, answer) => {
  const key = toKey(data["index"]);
  const delta = toRecord(data["delta"]);
  const message = toRecord(delta["message"]);
  switch (data["type"]) {
    case "message-start":
      answer.identify(data["id"], undefined);
      break;
    case "content-start":
    case "content-delta":
      answer.addText(toRecord(message["content"])["text"], `text${key}`);
      break;
    case "tool-call-start":
    case "tool-call-delta":
      answer.addCall(readCall(message["tool_calls"]), `call${key}`);
      break;
    case "message-end":
      end(delta, answer);
      answer.isTerminated = true;
      break;
    default:
      if (isRecord(data["message"])) readBody(data, answer);
  }
};

/**
 * Cohere's chat, version 2.
 *
 * @see https://docs.cohere.com/v2/reference/chat
 */
export const cohere: Protocol = {
  name: "cohere",
  endings: ["/v2/chat"],
  isPathEnough: true,
  provider: "cohere",
  readRequest: readChatRequest,
  readBody,
  readEvent,
  readError,
};
