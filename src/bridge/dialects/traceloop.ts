import type { ChatMessage } from "../chat-message.ts";
import { firstText, readTree, toList } from "../read-attributes.ts";
import { readMessages, toContent, type ReadMessages } from "../read-messages.ts";
import type { Dialect, ExchangeContent, SpanLike, SpanRole } from "../span-exchange.ts";
import { readGenAiIdentity, readGenAiRole } from "./otel-gen-ai.ts";

type Attributes = SpanLike["attributes"];

const ROLES: Readonly<Record<string, SpanRole>> = {
  workflow: "agent",
  agent: "agent",
  tool: "tool",
};
const EVIDENCE = [
  "traceloop.span.kind",
  "traceloop.entity.name",
  "traceloop.workflow.name",
  "traceloop.association.properties.session_id",
  "llm.request.type",
  "gen_ai.prompt.0.role",
  "gen_ai.prompt.0.content",
  "gen_ai.completion.0.role",
  "gen_ai.completion.0.content",
];

function isTraceloop({ attributes, instrumentationScope }: SpanLike): boolean {
  return (
    instrumentationScope?.name.startsWith("@traceloop/") === true ||
    EVIDENCE.some((name) => attributes[name] !== undefined)
  );
}

/** The input of a Responses call comes as one user message whose text is the JSON of all of them. */
function expand(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const [only] = messages;
  if (messages.length !== 1 || !only || !/^\s*\[\s*\{/.test(only.text)) return messages;
  const inner = readMessages(only.text, "user").messages;
  return inner.length > 0 ? inner : messages;
}

function expandInput(input: ReadMessages): ReadMessages {
  return { messages: expand(input.messages), isPartial: input.isPartial };
}

function readCall(attributes: Attributes): ExchangeContent {
  const read = (role: "user" | "assistant", name: string, prefix: string): ReadMessages => {
    const messages = readMessages(attributes[name], role);
    if (messages.messages.length > 0) return messages;
    return readMessages(toList(readTree(attributes, prefix)), role);
  };
  return toContent(
    expandInput(read("user", "gen_ai.input.messages", "gen_ai.prompt.")),
    read("assistant", "gen_ai.output.messages", "gen_ai.completion."),
  );
}

/** Arguments of a decorated function: only a single text is surely the user's. */
function toUserText(value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  try {
    const parsed = JSON.parse(value) as { args?: unknown[]; kwargs?: object } | string | null;
    if (typeof parsed === "string") return parsed;
    const given = [...(parsed?.args ?? []), ...Object.values(parsed?.kwargs ?? {})];
    const texts = given.filter((argument) => typeof argument === "string");
    return texts.length === 1 ? texts[0] : undefined;
  } catch {
    return value;
  }
}

/** Results are JSON, so a text comes in quotes. */
function toResult(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith('"')) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function readEntity(attributes: Attributes): ExchangeContent {
  return toContent(
    readMessages(toUserText(attributes["traceloop.entity.input"]), "user"),
    readMessages(toResult(attributes["traceloop.entity.output"]), "assistant"),
  );
}

/** A decorated function of the application, not a model call inside one. */
function isEntity(attributes: Attributes): boolean {
  return (
    typeof attributes["traceloop.span.kind"] === "string" &&
    attributes["gen_ai.request.model"] === undefined
  );
}

/** OpenLLMetry (Traceloop): flattened prompts and completions, and decorated functions of the application. */
export const traceloop: Dialect = {
  name: "traceloop",
  toRole(span) {
    if (!isTraceloop(span)) return undefined;
    const { attributes } = span;
    if (!isEntity(attributes)) return readGenAiRole(attributes);
    return ROLES[String(attributes["traceloop.span.kind"])] ?? "other";
  },
  toIdentity({ attributes }) {
    const identity = readGenAiIdentity(attributes);
    const isAgent = attributes["traceloop.span.kind"] === "agent";
    const association = (name: string): string | undefined =>
      firstText(attributes, [`traceloop.association.properties.${name}`]);
    return {
      ...identity,
      agentName:
        identity.agentName ??
        (isAgent ? firstText(attributes, ["traceloop.entity.name"]) : undefined),
      sessionId: identity.sessionId ?? association("session_id"),
      userId: identity.userId ?? association("user_id"),
    };
  },
  toContent: ({ attributes }) =>
    isEntity(attributes) ? readEntity(attributes) : readCall(attributes),
};
