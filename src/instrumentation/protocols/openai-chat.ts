import type { Completion, ProviderError } from "../completion.ts";
import * as genAi from "../message.ts";
import { readRequestSettings, type CallRequest, type Protocol, type Target } from "../protocol.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";

/** Azure has the model in the path. */
const DEPLOYMENT = /\/deployments\/([^/]+)\//;

/** Reads a tool call: its id, name and arguments. */
export function readCall(value: unknown): Readonly<Record<"id" | "name" | "args", unknown>> {
  const { id, function: called } = toRecord(value);
  const { name, arguments: args } = toRecord(called);
  return { id, name, args };
}

/** Reads a message of a chat. */
export function toChatMessage(value: unknown): genAi.Message {
  const message = toRecord(value);
  const role = toText(message["role"]) ?? "user";
  if (role === "tool" || role === "function") {
    const { tool_call_id: id, name, tool_name: toolName, content } = message;
    const result = genAi.toResultPart(id, genAi.toResult(content), name ?? toolName);
    return { role: "tool", parts: [result] };
  }
  const calls = toArray(message["tool_calls"]).map((call) => {
    const { id, name, args } = readCall(call);
    return genAi.toCallPart(id, name, genAi.toArguments(args));
  });
  const content = message["content"] ?? message["refusal"];
  return genAi.toMessage(role, [...genAi.toParts(content), ...calls]);
}

function readDelta(delta: JsonRecord, answer: Completion, index: number): void {
  const { content, refusal } = delta;
  if (typeof content === "string") answer.addText(content, "text", index);
  else {
    // Mistral sends thoughts and text as parts of one list.
    for (const part of genAi.toParts(content)) answer.addPart(part, "text", index);
  }
  answer.addText(refusal, "text", index);
  if (!Array.isArray(delta["tool_calls"])) return;
  for (const [position, value] of delta["tool_calls"].entries()) {
    const { index: at = position } = toRecord(value);
    answer.addCall(readCall(value), `call${String(at)}`, index);
  }
}

function readUsage(usage: JsonRecord, answer: Completion): void {
  answer.count({
    input: usage["prompt_tokens"],
    output: usage["completion_tokens"],
    cacheRead:
      toRecord(usage["prompt_tokens_details"])["cached_tokens"] ?? usage["prompt_cache_hit_tokens"],
  });
}

/** Reads the error of OpenAI and of most compatible servers. */
export function readOpenAiError(body: JsonRecord): ProviderError {
  const error = isRecord(body["error"]) ? body["error"] : body;
  const { type, code, message, status } = error;
  const given = typeof body["error"] === "string" ? body["error"] : message;
  return { type: toText(type) ?? toText(code) ?? toText(status), message: toText(given) };
}

/** Reads a whole response or a chunk, which differ by one member's name only. */
function readCompletion(body: JsonRecord, answer: Completion): void {
  answer.identify(body["id"], body["model"]);
  for (const value of toArray(body["choices"])) {
    const choice = toRecord(value);
    const index = typeof choice["index"] === "number" ? choice["index"] : 0;
    readDelta(toRecord(choice["delta"] ?? choice["message"]), answer, index);
    answer.finish(choice["finish_reason"], index);
  }
  if (isRecord(body["usage"])) readUsage(body["usage"], answer);
  if (isRecord(body["error"]) || body["object"] === "error") answer.error = readOpenAiError(body);
}

/** Reads a request with `messages`, a model and tools in the format of OpenAI's chat. */
export function readChatRequest(body: JsonRecord): CallRequest | undefined {
  const { messages, model, stream, tools } = body;
  if (!Array.isArray(messages)) return undefined;
  return {
    model: toText(model),
    isStreamed: stream === true,
    settings: readRequestSettings(body),
    toContent: () => ({ input: messages.map(toChatMessage), tools }),
  };
}

function readTarget({ path }: Target): { readonly model: string | undefined } {
  return { model: DEPLOYMENT.exec(path)?.[1] };
}

/**
 * OpenAI's chat completions, which Azure, Groq, vLLM, LiteLLM, OpenRouter and many more speak.
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export const openAiChat: Protocol = {
  name: "openai-chat",
  endings: ["/chat/completions"],
  isPathEnough: true,
  provider: "openai",
  readTarget,
  readRequest(body, target) {
    const request = readChatRequest(body);
    return request && { ...request, model: request.model ?? readTarget(target).model };
  },
  readBody: readCompletion,
  readEvent: ({ data }, answer) => readCompletion(data, answer),
  readError: readOpenAiError,
};
