import type { ChatMessage, ReadMessages } from "../reading/chat-message.ts";
import { pickValue, toCapturedText } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { countsCacheApart, readGenAiUsage } from "../reading/read-usage.ts";
import { readJson } from "../reading/tolerant-json.ts";
import type {
  Dialect,
  SpanMessages,
  ExchangeIdentity,
  SpanLike,
  SpanRole,
} from "../span-exchange.ts";

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
  typeof attributes["gen_ai.request.model"] === "string";

/** Tells by the operation what a span stands for. */
export function readGenAiRole(attributes: Attributes): SpanRole {
  const operation = attributes["gen_ai.operation.name"];
  if (typeof operation === "string") return ROLES[operation.toLowerCase()] ?? "other";
  if (
    hasRequestModel(attributes) ||
    pickValue(
      attributes["gen_ai.response.model"],
      attributes["gen_ai.input.messages"],
      attributes["gen_ai.output.messages"],
      attributes["gen_ai.prompt"],
      attributes["gen_ai.prompt.0.role"],
      attributes["gen_ai.prompt.0.content"],
      attributes["llm.request.type"],
    ) !== undefined
  )
    return "call";
  return attributes["gen_ai.tool.name"] === undefined ? "other" : "tool";
}

/** Reads who took part from attributes of the conventions and the names that were used for the same before. */
export function readGenAiIdentity(attributes: Attributes): ExchangeIdentity {
  return {
    agentId: toCapturedText(attributes["gen_ai.agent.id"]),
    agentName:
      toCapturedText(attributes["gen_ai.agent.name"]) ??
      toCapturedText(attributes["agent.name"]) ??
      toCapturedText(attributes["gen_ai.invocation.name"]),
    agentVersion: toCapturedText(attributes["gen_ai.agent.version"]),
    sessionId: toCapturedText(attributes["session.id"]),
    conversationId: toCapturedText(attributes["gen_ai.conversation.id"]),
    userId:
      toCapturedText(attributes["user.id"]) ??
      toCapturedText(attributes["enduser.id"]) ??
      toCapturedText(attributes["gen_ai.user.id"]),
    model:
      toCapturedText(attributes["gen_ai.response.model"]) ??
      toCapturedText(attributes["gen_ai.request.model"]),
    responseId: toCapturedText(attributes["gen_ai.response.id"]),
  };
}

/** Reads the messages of a span, an event or a log record that carries whole lists of them. */
export function readGenAiMessages(attributes: Attributes): SpanMessages {
  return {
    input: readMessages(
      pickValue(attributes["gen_ai.input.messages"], attributes["gen_ai.prompt"]),
      "user",
    ),
    output: readMessages(
      pickValue(
        attributes["gen_ai.output.messages"],
        attributes["gen_ai.completion"],
        attributes["gen_ai.response.text"],
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
  const isOutput = name === "gen_ai.choice";
  if (!isOutput && !MESSAGE_EVENT.test(name)) return undefined;
  const inner: unknown = isOutput ? (value as { message?: unknown } | null)?.message : undefined;
  const message = typeof inner === "string" ? inner : toEventMessage(name, inner ?? value);
  return { messages: readMessages(message, isOutput ? "assistant" : "user"), isOutput };
}

/** Some producers write all of an event as JSON text. */
function readEventContent(attributes: Attributes): unknown {
  const content = attributes["gen_ai.event.content"];
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
      attributes["gen_ai.operation.name"],
      attributes["gen_ai.provider.name"],
      attributes["gen_ai.system"],
      attributes["gen_ai.tool.name"],
    ) !== undefined
      ? readGenAiRole(attributes)
      : undefined,
  toIdentity: ({ attributes }) => readGenAiIdentity(attributes),
  toMessages: readSpanMessages,
  toUsage: ({ attributes }) =>
    readGenAiUsage(
      attributes,
      countsCacheApart(attributes["gen_ai.provider.name"], attributes["gen_ai.system"]),
    ),
  toTraits: ({ instrumentationScope }) => ({
    saysWhyItEnded: instrumentationScope?.name.startsWith(OWN_SCOPES) === true,
  }),
};
