import type { Completion } from "../completion.ts";
import * as genAi from "../message.ts";
import { readRequestSettings, type CallRequest, type Protocol, type Target } from "../protocol.ts";
import {
  isRecord,
  toArray,
  toNumber,
  toRecord,
  toText,
  type JsonRecord,
} from "../../util/values.ts";
import { readOpenAiError } from "./openai-chat.ts";

const MODEL = /\/(?:models|endpoints|tunedModels)\/([^/:]+):/;

function toPart(part: JsonRecord): genAi.Part | undefined {
  const call = part["functionCall"] ?? part["function_call"];
  if (isRecord(call)) return genAi.toCallPart(call["id"], call["name"], call["args"] ?? {});
  const result = part["functionResponse"] ?? part["function_response"];
  if (isRecord(result)) return genAi.toResultPart(result["id"], result["response"], result["name"]);
  const data = toRecord(part["inlineData"] ?? part["inline_data"] ?? part["fileData"]);
  const type = toText(data["mimeType"] ?? data["mime_type"]);
  return type === undefined ? undefined : genAi.toBlobPart(type);
}

function toContents(value: unknown): genAi.Message[] {
  const contents = Array.isArray(value) ? value : [value];
  return contents.map((content: unknown) => {
    if (typeof content === "string") return genAi.toMessage("user", genAi.toParts(content));
    const { role, parts } = toRecord(content);
    const name = role === "model" ? "assistant" : (toText(role) ?? "user");
    return genAi.toMessage(name, genAi.toParts(parts, toPart));
  });
}

function readUsage(usage: JsonRecord, answer: Completion): void {
  const add = (one: string, other: string): number | undefined => {
    const [first, second] = [toNumber(usage[one]), toNumber(usage[other])];
    return first === undefined ? second : first + (second ?? 0);
  };
  answer.count({
    // Input from the provider's own tools is counted apart, and so are thoughts, which may be the whole output.
    input: add("promptTokenCount", "toolUsePromptTokenCount"),
    output: add("candidatesTokenCount", "thoughtsTokenCount"),
    cacheRead: usage["cachedContentTokenCount"],
  });
}

/** Reads a whole response or a chunk, which have the same form. */
function readChunk(body: JsonRecord, answer: Completion): void {
  answer.identify(body["responseId"], body["modelVersion"]);
  for (const value of toArray(body["candidates"])) {
    const candidate = toRecord(value);
    const index = typeof candidate["index"] === "number" ? candidate["index"] : 0;
    for (const part of genAi.toParts(toRecord(candidate["content"])["parts"], toPart)) {
      // Several calls may have the same name and no id; each call comes whole.
      const key = part.type === "text" ? "text" : `call${answer.nextKey()}`;
      answer.addPart(part, key, index);
    }
    answer.finish(candidate["finishReason"], index);
  }
  const blocked = toText(toRecord(body["promptFeedback"])["blockReason"]);
  if (blocked !== undefined) answer.finish("content_filter");
  if (isRecord(body["usageMetadata"])) readUsage(body["usageMetadata"], answer);
  if (isRecord(body["error"])) answer.error = readOpenAiError(body);
}

function readTarget({ path }: Target): Pick<CallRequest, "model" | "isStreamed"> {
  return { model: MODEL.exec(path)?.[1], isStreamed: path.endsWith(":streamGenerateContent") };
}

/**
 * Gemini's `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const gemini: Protocol = {
  name: "gemini",
  endings: [":generateContent", ":streamGenerateContent"],
  isPathEnough: true,
  operation: "generate_content",
  provider: "gcp.gemini",
  readTarget,
  readRequest(body, target) {
    const { contents, tools } = body;
    if (contents === undefined) return undefined;
    const config = body["generationConfig"] ?? body["generation_config"];
    const system = body["systemInstruction"] ?? body["system_instruction"];
    return {
      ...readTarget(target),
      settings: readRequestSettings(toRecord(config)),
      toContent: () => ({
        input: toContents(contents),
        system: genAi.toParts(toRecord(system)["parts"]),
        tools,
      }),
    };
  },
  readBody: readChunk,
  readEvent: ({ data }, answer) => readChunk(data, answer),
  readError: (body) => {
    const { status, message } = toRecord(body["error"]);
    return { type: toText(status), message: toText(message) };
  },
};
