import type { Completion } from "../completion.ts";
import { toMessage, toParts, toTextPart } from "../message.ts";
import { readRequestSettings, type Protocol } from "../protocol.ts";
import { toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import { readCall, toChatMessage } from "./openai-chat.ts";

/** Reads a whole response or a line, which have the same form. */
function readLine(body: JsonRecord, answer: Completion): void {
  answer.identify(undefined, body["model"]);
  const { content, tool_calls: calls } = toRecord(body["message"]);
  answer.addText(content ?? body["response"]);
  for (const call of toArray(calls)) {
    const { name, args } = readCall(call);
    answer.addCall({ name, args }, `call${answer.nextKey()}`);
  }
  if (typeof body["error"] === "string") {
    answer.error = { type: undefined, message: toText(body["error"]) };
  }
  if (body["done"] !== true) return;
  answer.finish(body["done_reason"] ?? "stop");
  answer.count({ input: body["prompt_eval_count"], output: body["eval_count"] });
  answer.isTerminated = true;
}

/**
 * Ollama's chat and its older `generate`.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export const ollama: Protocol = {
  name: "ollama",
  endings: ["/api/chat", "/api/generate"],
  isPathEnough: false,
  provider: "ollama",
  readRequest(body) {
    const { messages, model, prompt, stream, tools } = body;
    if (typeof model !== "string") return undefined;
    if (!Array.isArray(messages) && typeof prompt !== "string") return undefined;
    return {
      model: toText(model),
      isStreamed: stream !== false,
      settings: readRequestSettings(toRecord(body["options"])),
      toContent: () => ({
        input: Array.isArray(messages)
          ? messages.map(toChatMessage)
          : [toMessage("user", [toTextPart(String(prompt))])],
        system: toParts(body["system"]),
        tools,
      }),
    };
  },
  readBody: readLine,
  readEvent: ({ data }, answer) => readLine(data, answer),
  readError: (body) => ({ type: undefined, message: toText(body["error"]) }),
};
