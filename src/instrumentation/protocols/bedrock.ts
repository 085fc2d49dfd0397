import type { Completion } from "../completion.ts";
import * as genAi from "../message.ts";
import { readRequestSettings, toKey, type Protocol, type Target } from "../protocol.ts";
import { isRecord, toArray, toRecord, toText, type JsonRecord } from "../../util/values.ts";

const PATH = /\/model\/[^/]+\/converse/;
const MODEL = /\/model\/([^/]+)\//;

function toPart(part: JsonRecord): genAi.Part | undefined {
  const { toolUse, toolResult } = part;
  if (isRecord(toolUse))
    return genAi.toCallPart(toolUse["toolUseId"], toolUse["name"], toolUse["input"]);
  if (isRecord(toolResult)) {
    const contents = toArray(toolResult["content"]);
    const json = contents.length === 1 ? toRecord(contents[0])["json"] : undefined;
    const content = json ?? genAi.toResult(contents);
    const isError = toolResult["status"] === "error";
    return genAi.toResultPart(toolResult["toolUseId"], isError ? { error: content } : content);
  }
  const [kind] = Object.keys(part);
  const isText = kind === "text" || typeof part["text"] === "string";
  return kind === undefined || isText ? undefined : genAi.toBlobPart(kind);
}

/** Reasoning and cache points are no content. */
const isSaid = (value: unknown): boolean =>
  !("reasoningContent" in toRecord(value)) && !("cachePoint" in toRecord(value));

function toBlocks(content: unknown): genAi.Part[] {
  return genAi.toParts(toArray(content).filter(isSaid), toPart);
}

function readUsage(value: unknown, answer: Completion): void {
  if (!isRecord(value)) return;
  answer.countCached({
    input: value["inputTokens"],
    output: value["outputTokens"],
    cacheRead: value["cacheReadInputTokens"],
    cacheWrite: value["cacheWriteInputTokens"],
  });
}

function readBody(body: JsonRecord, answer: Completion): void {
  const message = toRecord(toRecord(body["output"])["message"]);
  for (const [index, part] of toBlocks(message["content"]).entries()) {
    answer.addPart(part, String(index));
  }
  answer.finish(body["stopReason"]);
  readUsage(body["usage"], answer);
}

const readEvent: Protocol["readEvent"] = ({ name, data }, answer) => {
  const key = toKey(data["contentBlockIndex"]);
  const { text, toolUse } = toRecord(data["delta"]);
  switch (name) {
    case "contentBlockStart": {
      const { toolUseId: id, name: tool } = toRecord(toRecord(data["start"])["toolUse"]);
      if (tool !== undefined) answer.addCall({ id, name: tool }, key);
      break;
    }
    case "contentBlockDelta":
      answer.addText(text, key);
      if (isRecord(toolUse)) answer.addCall({ args: toolUse["input"] }, key);
      break;
    case "messageStop":
      answer.finish(data["stopReason"]);
      break;
    case "metadata":
      readUsage(data["usage"], answer);
      answer.isTerminated = true;
      break;
    case "":
      readBody(data, answer);
      break;
    default:
      if (name.endsWith("Exception"))
        answer.error = { type: name, message: toText(data["message"]) };
  }
};

/** Reads the model and the streaming flag from the path of a request. */
export function readBedrockTarget({ path }: Target): {
  readonly model?: string;
  readonly isStreamed: boolean;
} {
  const isStreamed = path.endsWith("-stream");
  const given = MODEL.exec(path)?.[1];
  if (given === undefined) return { isStreamed };
  try {
    return { model: decodeURIComponent(given), isStreamed };
  } catch {
    return { model: given, isStreamed };
  }
}

/**
 * Bedrock's Converse and ConverseStream, for clients that use `fetch`.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export const bedrock: Protocol = {
  name: "bedrock",
  endings: ["/converse", "/converse-stream"],
  isPathEnough: true,
  matches: ({ path }) => PATH.test(path),
  provider: "aws.bedrock",
  readTarget: readBedrockTarget,
  readRequest(body, target) {
    const { messages, system, inferenceConfig, toolConfig } = body;
    if (!Array.isArray(messages)) return undefined;
    return {
      model: undefined,
      ...readBedrockTarget(target),
      settings: readRequestSettings(toRecord(inferenceConfig)),
      toContent: () => ({
        input: messages.map((value: unknown) => {
          const { role, content } = toRecord(value);
          return genAi.toMessage(toText(role) ?? "user", toBlocks(content));
        }),
        system: toBlocks(system),
        tools: toRecord(toolConfig)["tools"],
      }),
    };
  },
  readBody,
  readEvent,
  readError: (body) => ({
    type: toText(body["__type"])?.split("#").at(-1),
    message: toText(body["message"] ?? body["Message"]),
  }),
};
