import * as semconv from "../../semconv.ts";
import type { ChatMessage } from "../reading/chat-message.ts";
import {
  firstText,
  firstValue,
  toCapturedText,
  type Attributes,
} from "../reading/read-attributes.ts";
import { fillSides, NO_MESSAGES, readMessages, readSides } from "../reading/read-messages.ts";
import { countsCacheApart, readUsage } from "../reading/read-usage.ts";
import { readJsonValue } from "../reading/tolerant-json.ts";
import type {
  Dialect,
  ExchangeIdentity,
  SpanLike,
  SpanMessages,
  SpanRole,
  Writable,
} from "../span-record.ts";

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
  typeof attributes[semconv.ATTR_GEN_AI_REQUEST_MODEL] === "string";

/** Attributes that spans of model calls have, and no others. */
const OF_CALLS = [
  semconv.ATTR_GEN_AI_RESPONSE_MODEL,
  semconv.ATTR_GEN_AI_INPUT_MESSAGES,
  semconv.ATTR_GEN_AI_OUTPUT_MESSAGES,
  semconv.ATTR_GEN_AI_PROMPT,
  semconv.ATTR_GEN_AI_PROMPT_0_ROLE,
  semconv.ATTR_GEN_AI_PROMPT_0_CONTENT,
  "llm.request.type",
];

/** Returns what a span stands for, by its operation. */
export function readGenAiRole(attributes: Attributes): SpanRole {
  const operation = attributes[semconv.ATTR_GEN_AI_OPERATION_NAME];
  if (typeof operation === "string") return ROLES[operation.toLowerCase()] ?? "other";
  if (hasRequestModel(attributes) || firstValue(attributes, OF_CALLS) !== undefined) return "call";
  return attributes[semconv.ATTR_GEN_AI_TOOL_NAME] === undefined ? "other" : "tool";
}

/** Reads who took part from attributes of the conventions and the names that were used for the same before. */
export function readGenAiIdentity(attributes: Attributes): ExchangeIdentity {
  return {
    agentId: toCapturedText(attributes[semconv.ATTR_GEN_AI_AGENT_ID]),
    agentName:
      toCapturedText(attributes[semconv.ATTR_GEN_AI_AGENT_NAME]) ??
      toCapturedText(attributes["agent.name"]) ??
      toCapturedText(attributes[semconv.ATTR_GEN_AI_INVOCATION_NAME]),
    agentVersion: toCapturedText(attributes[semconv.ATTR_GEN_AI_AGENT_VERSION]),
    sessionId: toCapturedText(attributes[semconv.ATTR_SESSION_ID]),
    conversationId: toCapturedText(attributes[semconv.ATTR_GEN_AI_CONVERSATION_ID]),
    userId:
      toCapturedText(attributes[semconv.ATTR_USER_ID]) ??
      toCapturedText(attributes[semconv.ATTR_ENDUSER_ID]) ??
      toCapturedText(attributes[semconv.ATTR_GEN_AI_USER_ID]),
    model:
      toCapturedText(attributes[semconv.ATTR_GEN_AI_RESPONSE_MODEL]) ??
      toCapturedText(attributes[semconv.ATTR_GEN_AI_REQUEST_MODEL]),
    responseId: toCapturedText(attributes[semconv.ATTR_GEN_AI_RESPONSE_ID]),
  };
}

/** Names of attributes that say who takes part, the surest first. */
type IdentityAttributes = Readonly<Partial<Record<keyof ExchangeIdentity, readonly string[]>>>;

/** Makes what reads who took part: by the conventions, and where they leave it open by these attributes. */
export function fillIdentity(names: IdentityAttributes): NonNullable<Dialect["toIdentity"]> {
  const members = Object.keys(names) as (keyof ExchangeIdentity)[];
  return ({ attributes }, conventions) => {
    const identity: Writable<ExchangeIdentity> = { ...conventions };
    for (const member of members) identity[member] ??= firstText(attributes, names[member]);
    return identity;
  };
}

const INPUT = [semconv.ATTR_GEN_AI_INPUT_MESSAGES, semconv.ATTR_GEN_AI_PROMPT];
const OUTPUT = [
  semconv.ATTR_GEN_AI_OUTPUT_MESSAGES,
  semconv.ATTR_GEN_AI_COMPLETION,
  semconv.ATTR_GEN_AI_RESPONSE_TEXT,
];

/** Reads the messages of a span, an event or a log record that carries whole lists of them. */
export function readGenAiMessages(attributes: Attributes): SpanMessages {
  return readSides(firstValue(attributes, INPUT), firstValue(attributes, OUTPUT));
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
export function readMessageEvent(name: string, value: unknown): SpanMessages | undefined {
  const isOutput = name === semconv.EVENT_GEN_AI_CHOICE;
  if (!isOutput && !MESSAGE_EVENT.test(name)) return undefined;
  const inner: unknown = isOutput ? (value as { message?: unknown } | null)?.message : undefined;
  const message = typeof inner === "string" ? inner : toEventMessage(name, inner ?? value);
  return isOutput
    ? { input: NO_MESSAGES, output: readMessages(message, "assistant") }
    : { input: readMessages(message, "user"), output: NO_MESSAGES };
}

/** Some producers write all of an event as JSON text. */
function readEventContent(attributes: Attributes): unknown {
  return readJsonValue(attributes[semconv.ATTR_GEN_AI_EVENT_CONTENT] ?? attributes);
}

/** Span events: message by message, or prompt and completion (up to v1.27), or all in one. */
function readEventMessages(events: NonNullable<SpanLike["events"]>): SpanMessages {
  const input: ChatMessage[] = [];
  const output: ChatMessage[] = [];
  let isPartial = false;
  for (const { name, attributes = {} } of events) {
    if (!name.startsWith("gen_ai.")) continue;
    const read =
      readMessageEvent(name, readEventContent(attributes)) ?? readGenAiMessages(attributes);
    isPartial ||= read.input.isPartial || read.output.isPartial;
    input.push(...read.input.messages);
    output.push(...read.output.messages);
  }
  return { input: { messages: input, isPartial }, output: { messages: output, isPartial } };
}

/** Reads the messages of a span: its attributes, and where they have none its events. */
export function readSpanMessages({ attributes, events = [] }: SpanLike): SpanMessages {
  const given = readGenAiMessages(attributes);
  if (events.length === 0 || given.input.messages.length * given.output.messages.length > 0) {
    return given;
  }
  return fillSides(given, readEventMessages(events));
}

/** Instrumentations of the OpenTelemetry project itself. */
const OWN_SCOPES = "@opentelemetry/";
const EVIDENCE = [
  semconv.ATTR_GEN_AI_OPERATION_NAME,
  semconv.ATTR_GEN_AI_PROVIDER_NAME,
  semconv.ATTR_GEN_AI_SYSTEM,
  semconv.ATTR_GEN_AI_TOOL_NAME,
];

/** OpenTelemetry's GenAI conventions: messages on the span, or on span events as they were before. */
export const otelGenAi = {
  name: "otel-gen-ai",
  toRole: ({ attributes }) =>
    hasRequestModel(attributes) || firstValue(attributes, EVIDENCE) !== undefined
      ? readGenAiRole(attributes)
      : undefined,
  toUsage: ({ attributes }) =>
    readUsage(
      attributes,
      countsCacheApart(
        attributes[semconv.ATTR_GEN_AI_PROVIDER_NAME],
        attributes[semconv.ATTR_GEN_AI_SYSTEM],
      ),
    ),
  toTraits: ({ instrumentationScope }) => ({
    saysWhyItEnded: instrumentationScope?.name.startsWith(OWN_SCOPES) === true,
  }),
} satisfies Dialect;
