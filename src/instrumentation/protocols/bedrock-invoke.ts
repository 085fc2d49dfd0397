import type { Completion } from "../completion.ts";
import type { Protocol } from "../protocol.ts";
import { isRecord, parseJson, toRecord, toText, type JsonRecord } from "../../util/values.ts";
import { anthropic } from "./anthropic.ts";
import { bedrock, readBedrockTarget } from "./bedrock.ts";
import { openAiChat } from "./openai-chat.ts";

const PATH = /\/model\/[^/]+\/invoke/;
/** Bedrock's own counts, beside those of the model's protocol. */
const METRICS = "amazon-bedrock-invocationMetrics";

/** Returns the protocol of a request: Converse for Nova, the model maker's for other models. */
function toRequestProtocol(body: JsonRecord): Protocol {
  if (body["anthropic_version"] !== undefined) return anthropic;
  const [message] = Array.isArray(body["messages"]) ? (body["messages"] as unknown[]) : [];
  const isBlocks = Array.isArray(toRecord(message)["content"]) && isRecord(body["inferenceConfig"]);
  return isBlocks ? bedrock : openAiChat;
}

/** Returns the protocol of a response, or of a piece of it. */
function toAnswerProtocol(body: JsonRecord): Protocol {
  if (Array.isArray(body["choices"])) return openAiChat;
  return typeof body["type"] === "string" || Array.isArray(body["content"]) ? anthropic : bedrock;
}

/** Reads one piece of a streamed response from its envelope. */
export function readInvokeChunk(body: JsonRecord, answer: Completion): void {
  const protocol = toAnswerProtocol(body);
  const [name = ""] = protocol === bedrock ? Object.keys(body) : [];
  const data = name === "" ? body : toRecord(body[name]);
  protocol.readEvent({ name, data }, answer);
  const { inputTokenCount: input, outputTokenCount: output } = toRecord(body[METRICS]);
  if (answer.usage.input === undefined) answer.count({ input, output });
}

const readEvent: Protocol["readEvent"] = (event, answer) => {
  const bytes = toText(event.data["bytes"]);
  if (bytes === undefined) bedrock.readEvent(event, answer);
  else readInvokeChunk(toRecord(parseJson(Buffer.from(bytes, "base64").toString())), answer);
};

/**
 * Bedrock's InvokeModel and InvokeModelWithResponseStream, which carry the model's own protocol, for clients that use
 * `fetch`, such as Anthropic's for Bedrock.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html
 */
export const bedrockInvoke: Protocol = {
  name: "bedrock-invoke",
  endings: ["/invoke", "/invoke-with-response-stream"],
  isPathEnough: true,
  matches: ({ path }) => PATH.test(path),
  provider: bedrock.provider,
  readTarget: readBedrockTarget,
  readRequest(body, target) {
    const request = toRequestProtocol(body).readRequest(body, target);
    return request && { ...request, ...readBedrockTarget(target) };
  },
  readBody: (body, answer) => toAnswerProtocol(body).readBody(body, answer),
  readEvent,
  readError: (body) => bedrock.readError(body),
};
