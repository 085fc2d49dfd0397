import type { Attributes } from "@opentelemetry/api";
import * as semconv from "../../semconv.ts";
import { readMember, readText } from "../../util/untrusted-values.ts";
import { isRecord, toArray, toNumber, toText } from "../../util/values.ts";
import { toUsageAttributes } from "../completion.ts";
import * as genAi from "../message.ts";

const ROLES: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  AIMessageChunk: "assistant",
};
const CALL_BLOCKS = /^(?:tool_use|tool_call|function_call|functionCall|input_json_delta)/;

function readType(message: unknown): string | undefined {
  const ownType = readMember(message, "type");
  if (typeof ownType === "string") return ownType;
  const getType = readMember(message, "getType") ?? readMember(message, "_getType");
  if (typeof getType !== "function") return undefined;
  return toText(getType.call(message));
}

function readRole(message: unknown): string {
  const role = readType(message);
  const given = role === undefined || role === "generic" ? readMember(message, "role") : role;
  const name = toText(given) ?? "user";
  return ROLES[name] ?? name;
}

/** Removes tool calls from the content blocks, where some providers repeat them: the list of calls counts. */
function withoutCalls(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter((block: unknown) => !CALL_BLOCKS.test(readText(block, "type") ?? ""));
}

/** Reads a message of LangChain: an instance of its classes, a plain object, a pair of role and text, a text. */
export function toLangChainMessage(message: unknown): genAi.Message {
  if (typeof message === "string") return { role: "user", parts: [genAi.toTextPart(message)] };
  if (Array.isArray(message)) {
    const [role, content] = message as unknown[];
    const name = toText(role) ?? "user";
    return genAi.toMessage(ROLES[name] ?? name, genAi.toParts(content));
  }
  const content = readMember(message, "content");
  const id = readMember(message, "tool_call_id");
  if (id !== undefined) {
    return genAi.toMessage("tool", [genAi.toResultPart(id, content, readMember(message, "name"))]);
  }
  return genAi.toMessage(readRole(message), [
    ...genAi.toParts(withoutCalls(content)),
    ...genAi.readToolCalls(message),
  ]);
}

/** Reads the messages of a state, or a single message to a model. */
export function toLangChainMessages(given: unknown): genAi.Message[] {
  const messages = readMember(given, "messages") ?? given;
  return toArray(messages).map(toLangChainMessage);
}

/** Reads the question to an agent: messages of its state, else its one text. */
export function toQuestion(inputs: unknown): genAi.Message[] {
  if (typeof inputs === "string") return [toLangChainMessage(inputs)];
  const messages = readMember(inputs, "messages");
  if (Array.isArray(messages)) return messages.map(toLangChainMessage);
  if (messages !== undefined) return [toLangChainMessage(messages)];
  const text = readText(inputs, "input", "question");
  return text === undefined ? [] : [toLangChainMessage(text)];
}

/** Reads the answer of an agent: the last message of its state if it is the model's, else its one text. */
export function toReply(outputs: unknown): genAi.OutputMessage[] {
  const last: unknown = toArray(readMember(outputs, "messages")).at(-1);
  const text = readText(outputs, "output");
  const message = isRecord(last)
    ? toLangChainMessage(last)
    : { role: "assistant", parts: text === undefined ? [] : [genAi.toTextPart(text)] };
  return message.role === "assistant" ? [{ ...message, finish_reason: "stop" }] : [];
}

/** LangChain's names of providers that differ from the conventions' names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  amazon_bedrock: "aws.bedrock",
  azure: "azure.ai.openai",
  google_genai: "gcp.gemini",
  google_vertexai: "gcp.vertex_ai",
  mistral: "mistral_ai",
};

/** Reads conversation, session and user from the metadata of a run's configuration, in LangSmith's names. */
export function readOwner(metadata: unknown): Attributes {
  return {
    [semconv.ATTR_GEN_AI_CONVERSATION_ID]: readText(metadata, "thread_id", "conversation_id"),
    [semconv.ATTR_SESSION_ID]: readText(metadata, "session_id"),
    [semconv.ATTR_USER_ID]: readText(metadata, "user_id", "ls_user_id"),
  };
}

/** Returns whether a chain is an agent: a graph or one of the older executors, never a node of a graph. */
export function isAgentRun(serialized: unknown): boolean {
  const id = toArray(readMember(serialized, "id"));
  return (id[0] === "langgraph" && id[1] === "pregel") || id.at(-1) === "AgentExecutor";
}

/** Default name of a graph. */
const UNNAMED = "LangGraph";

/** Reads an agent's name, conversation, session and user. */
export function readAgent(runName: unknown, metadata: unknown): Attributes {
  const given = toText(runName);
  const name = given === UNNAMED ? undefined : given;
  return {
    ...readOwner(metadata),
    [semconv.ATTR_GEN_AI_AGENT_NAME]: name ?? readText(metadata, "lc_agent_name"),
  };
}

/** Reads the provider, the model and the settings of a call. */
export function readCall(extra: unknown, metadata: unknown): Attributes {
  const settings = readMember(extra, "invocation_params");
  const provider = readText(metadata, "ls_provider");
  return {
    ...readOwner(metadata),
    [semconv.ATTR_GEN_AI_PROVIDER_NAME]: provider && (PROVIDERS[provider] ?? provider),
    [semconv.ATTR_GEN_AI_REQUEST_MODEL]:
      readText(metadata, "ls_model_name") ?? readText(settings, "model", "model_name", "modelId"),
    [semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE]: toNumber(readMember(metadata, "ls_temperature")),
    [semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS]: toNumber(readMember(metadata, "ls_max_tokens")),
  };
}

/** Reads the provider's id; LangChain derives an id from the run's where there is none. */
function readResponseId(message: unknown): string | undefined {
  const id = readText(readMember(message, "response_metadata"), "id") ?? readText(message, "id");
  return id === undefined || /^(?:lc_)?run-/.test(id) ? undefined : id;
}

function readUsage(message: unknown, output: unknown): Attributes {
  const usage = readMember(message, "usage_metadata");
  const details = readMember(usage, "input_token_details");
  // Older packages report tokens in `llmOutput` only.
  const older = readMember(readMember(output, "llmOutput"), "tokenUsage");
  const count = (name: string, olderName: string): number | undefined =>
    toNumber(readMember(usage, name)) ?? toNumber(readMember(older, olderName));
  return toUsageAttributes({
    input: count("input_tokens", "promptTokens"),
    output: count("output_tokens", "completionTokens"),
    cacheRead: readMember(details, "cache_read"),
    cacheWrite: readMember(details, "cache_creation"),
  });
}

function readFinish(generation: unknown): string | undefined {
  const info = readMember(generation, "generationInfo");
  const metadata = readMember(readMember(generation, "message"), "response_metadata");
  const names = ["finish_reason", "stop_reason", "finishReason", "stopReason"];
  return readText(info, ...names) ?? readText(metadata, ...names);
}

function toOutput(generation: unknown): genAi.OutputMessage {
  const message = readMember(generation, "message");
  const text = readMember(generation, "text");
  const { role, parts } = toLangChainMessage(message ?? ["ai", text]);
  return { role, parts, finish_reason: readFinish(generation) ?? "" };
}

/** Reads the response of a model. */
export function readAnswer(output: unknown): [attributes: Attributes, content: Attributes] {
  const generations = toArray(toArray(readMember(output, "generations"))[0]);
  const message = readMember(generations[0], "message");
  const messages = generations.map(toOutput);
  const reasons = messages.map((answer) => answer.finish_reason).filter((reason) => reason !== "");
  const metadata = readMember(message, "response_metadata");
  const attributes: Attributes = {
    ...readUsage(message, output),
    [semconv.ATTR_GEN_AI_RESPONSE_ID]: readResponseId(message),
    [semconv.ATTR_GEN_AI_RESPONSE_MODEL]: readText(metadata, "model_name", "model"),
    ...(reasons.length > 0 && { [semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: reasons }),
  };
  return [attributes, genAi.toOutputContent(messages)];
}
