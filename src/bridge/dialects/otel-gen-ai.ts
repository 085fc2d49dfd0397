import type { ChatMessage, ReadMessages } from "../reading/chat-message.ts";
import { pickValue, toCapturedText } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { countsCacheApart, readGenAiUsage } from "../reading/read-usage.ts";
import { readJson } from "../reading/tolerant-json.ts";
import type {
  Dialect,
  ExchangeIdentity,
  SpanLike,
  SpanMessages,
  SpanRole,
} from "../span-record.ts";
import {
  ATTR_ENDUSER_ID,
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_AGENT_VERSION,
  ATTR_GEN_AI_COMPLETION,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_EVENT_CONTENT,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_INVOCATION_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROMPT,
  ATTR_GEN_AI_PROMPT_0_CONTENT,
  ATTR_GEN_AI_PROMPT_0_ROLE,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_GEN_AI_RESPONSE_TEXT,
  ATTR_GEN_AI_SYSTEM,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_GEN_AI_USER_ID,
  ATTR_SESSION_ID,
  ATTR_USER_ID,
  EVENT_GEN_AI_CHOICE,
} from "../../semconv.ts";

type Attributes = SpanLike["attributes"];

/** Values of `gen_ai.operation.name`, in lower case: producers write them in both. */
const ROLES: Readonly<Record<string, SpanRole>> = {
  chat: "call",
  text_completion: "call",
  textcompletion: "call",
  generate_content: "call",
  completion: "call",
  generate: "call",
  generate_text: "call",
  generate_object: "call",
  stream_text: "call",
  responses: "call",
  messages: "call",
  inferencecall: "call",
  output_messages: "call",
  invoke_agent: "agent",
  invoke_workflow: "agent",
  invocation: "agent",
  handle_conversation_turn: "agent",
  execute_tool: "tool",
};

/** A model was asked for, even if the instrumentation could not make out its name. */
const hasRequestModel = (attributes: Attributes): boolean =>
  typeof attributes[ATTR_GEN_AI_REQUEST_MODEL] === "string";

/** Returns what a span stands for, by its operation. */
export function readGenAiRole(attributes: Attributes): SpanRole {
  const operation = attributes[ATTR_GEN_AI_OPERATION_NAME];
  if (typeof operation === "string") return ROLES[operation.toLowerCase()] ?? "other";
  if (
    hasRequestModel(attributes) ||
    pickValue(
      attributes[ATTR_GEN_AI_RESPONSE_MODEL],
      attributes[ATTR_GEN_AI_INPUT_MESSAGES],
      attributes[ATTR_GEN_AI_OUTPUT_MESSAGES],
      attributes[ATTR_GEN_AI_PROMPT],
      attributes[ATTR_GEN_AI_PROMPT_0_ROLE],
      attributes[ATTR_GEN_AI_PROMPT_0_CONTENT],
      attributes["llm.request.type"],
    ) !== undefined
  )
    return "call";
  return attributes[ATTR_GEN_AI_TOOL_NAME] === undefined ? "other" : "tool";
}

/** Reads who took part from attributes of the conventions and the names that were used for the same before. */
export function readGenAiIdentity(attributes: Attributes): ExchangeIdentity {
  return {
    agentId: toCapturedText(attributes[ATTR_GEN_AI_AGENT_ID]),
    agentName:
      toCapturedText(attributes[ATTR_GEN_AI_AGENT_NAME]) ??
      toCapturedText(attributes["agent.name"]) ??
      toCapturedText(attributes[ATTR_GEN_AI_INVOCATION_NAME]),
    agentVersion: toCapturedText(attributes[ATTR_GEN_AI_AGENT_VERSION]),
    sessionId: toCapturedText(attributes[ATTR_SESSION_ID]),
    conversationId: toCapturedText(attributes[ATTR_GEN_AI_CONVERSATION_ID]),
    userId:
      toCapturedText(attributes[ATTR_USER_ID]) ??
      toCapturedText(attributes[ATTR_ENDUSER_ID]) ??
      toCapturedText(attributes[ATTR_GEN_AI_USER_ID]),
    model:
      toCapturedText(attributes[ATTR_GEN_AI_RESPONSE_MODEL]) ??
      toCapturedText(attributes[ATTR_GEN_AI_REQUEST_MODEL]),
    responseId: toCapturedText(attributes[ATTR_GEN_AI_RESPONSE_ID]),
  };
}

/** Reads the messages of a span, an event or a log record that carries whole lists of them. */
export function readGenAiMessages(attributes: Attributes): SpanMessages {
  return {
    input: readMessages(
      pickValue(attributes[ATTR_GEN_AI_INPUT_MESSAGES], attributes[ATTR_GEN_AI_PROMPT]),
      "user",
    ),
    output: readMessages(
      pickValue(
        attributes[ATTR_GEN_AI_OUTPUT_MESSAGES],
        attributes[ATTR_GEN_AI_COMPLETION],
        attributes[ATTR_GEN_AI_RESPONSE_TEXT],
      ),
      "assistant",
    ),
  };
}

const MESSAGE_EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** The value of a message event: its body on a log record, an attribute on a span event. */
function toEventMessage(name: string, value: unknown): object | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const role = MESSAGE_EVENT.exec(name)?.[1];
  // A tool's message names its call `id`.
  return role === undefined
    ? { role: "assistant", ...value }
    : { role, ...(role === "tool" && { tool_call_id: (value as { id?: unknown }).id }), ...value };
}

/**
 * Reads one message event (`gen_ai.user.message`, `gen_ai.choice` and so on, up to v1.36 of the conventions).
 *
 * @param value - Its members: `content`, `tool_calls`, for a choice `message`.
 */
export function readMessageEvent(
  name: string,
  value: unknown,
): { readonly messages: ReadMessages; readonly isOutput: boolean } | undefined {
  const isOutput = name === EVENT_GEN_AI_CHOICE;
  if (!isOutput && !MESSAGE_EVENT.test(name)) return undefined;
  const inner: unknown = isOutput ? (value as { message?: unknown } | null)?.message : undefined;
  const message = typeof inner === "string" ? inner : toEventMessage(name, inner ?? value);
  return { messages: readMessages(message, isOutput ? "assistant" : "user"), isOutput };
}

/** Some producers write all of an event as JSON text. */
function readEventContent(attributes: Attributes): unknown {
  const content = attributes[ATTR_GEN_AI_EVENT_CONTENT];
  return typeof content === "string" ? readJson(content)?.value : (content ?? attributes);
}

/** Span events: message by message, or prompt and completion (up to v1.27), or all in one. */
function readEventMessages(events: NonNullable<SpanLike["events"]>): SpanMessages {
  const input: ChatMessage[] = [];
  const output: ChatMessage[] = [];
  let isPartial = false;
  for (const { name, attributes = {} } of events) {
    if (!name.startsWith("gen_ai.")) continue;
    const event = readMessageEvent(name, readEventContent(attributes));
    if (event) {
      isPartial ||= event.messages.isPartial;
      (event.isOutput ? output : input).push(...event.messages.messages);
      continue;
    }
    const whole = readGenAiMessages(attributes);
    isPartial ||= whole.input.isPartial || whole.output.isPartial;
    input.push(...whole.input.messages);
    output.push(...whole.output.messages);
  }
  return { input: { messages: input, isPartial }, output: { messages: output, isPartial } };
}

/** Reads the messages of a span: its attributes, and where they have none its events. */
export function readSpanMessages({ attributes, events = [] }: SpanLike): SpanMessages {
  const given = readGenAiMessages(attributes);
  if (events.length === 0 || given.input.messages.length * given.output.messages.length > 0) {
    return given;
  }
  const told = readEventMessages(events);
  return {
    input: given.input.messages.length > 0 ? given.input : told.input,
    output: given.output.messages.length > 0 ? given.output : told.output,
  };
}

/** Instrumentations of the OpenTelemetry project itself. */
const OWN_SCOPES = "@opentelemetry/";

/** OpenTelemetry's GenAI conventions: messages on the span, or on span events as they were before. */
export const otelGenAi: Dialect = {
  name: "otel-gen-ai",
  toRole: ({ attributes }) =>
    hasRequestModel(attributes) ||
    pickValue(
      attributes[ATTR_GEN_AI_OPERATION_NAME],
      attributes[ATTR_GEN_AI_PROVIDER_NAME],
      attributes[ATTR_GEN_AI_SYSTEM],
      attributes[ATTR_GEN_AI_TOOL_NAME],
    ) !== undefined
      ? readGenAiRole(attributes)
      : undefined,
  toIdentity: ({ attributes }) => readGenAiIdentity(attributes),
  toMessages: readSpanMessages,
  toUsage: ({ attributes }) =>
    readGenAiUsage(
      attributes,
      countsCacheApart(attributes[ATTR_GEN_AI_PROVIDER_NAME], attributes[ATTR_GEN_AI_SYSTEM]),
    ),
  toTraits: ({ instrumentationScope }) => ({
    saysWhyItEnded: instrumentationScope?.name.startsWith(OWN_SCOPES) === true,
  }),
};
