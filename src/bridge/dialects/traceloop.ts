import * as semconv from "../../semconv.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { isObject } from "../../util/values.ts";
import type { ChatMessage, ReadMessages } from "../reading/chat-message.ts";
import {
  firstText,
  firstValue,
  readTree,
  toCapturedText,
  toList,
  type Attributes,
} from "../reading/read-attributes.ts";
import { readMessages, readSides } from "../reading/read-messages.ts";
import {
  readGenAiTool,
  readToolArguments,
  readToolResult,
  toRunParameters,
  toRunResult,
  unquote,
  unwrapResult,
} from "../reading/read-tool.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { ReadValue } from "../reading/tolerant-json.ts";
import type { Dialect, SpanLike, SpanMessages, SpanRole, ToolRun } from "../span-record.ts";
import { readGenAiMessages, readGenAiRole } from "./otel-gen-ai.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  workflow: "agent",
  agent: "agent",
  tool: "tool",
};
const INPUT = "traceloop.entity.input";
const OUTPUT = "traceloop.entity.output";
const ENTITY = ["traceloop.entity.name"];
const SESSION = ["traceloop.association.properties.session_id"];
const CONVERSATION = [
  "traceloop.association.properties.conversation_id",
  "traceloop.association.properties.thread_id",
];
const USER = [
  "traceloop.association.properties.user_id",
  "traceloop.association.properties.customer_id",
];

/** Attributes that nobody else writes. */
const EVIDENCE = [
  "traceloop.span.kind",
  ...ENTITY,
  "traceloop.workflow.name",
  ...SESSION,
  "llm.request.type",
  semconv.ATTR_GEN_AI_PROMPT_0_ROLE,
  semconv.ATTR_GEN_AI_PROMPT_0_CONTENT,
  semconv.ATTR_GEN_AI_COMPLETION_0_ROLE,
  semconv.ATTR_GEN_AI_COMPLETION_0_CONTENT,
];

function isTraceloop({ attributes, instrumentationScope }: SpanLike): boolean {
  return (
    instrumentationScope?.name.startsWith("@traceloop/") === true ||
    firstValue(attributes, EVIDENCE) !== undefined
  );
}

/** The input of a Responses call comes as one user message whose text is the JSON of all of them. */
function expand(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const [only] = messages;
  if (messages.length !== 1 || !only || !/^\s*\[\s*\{/.test(only.text)) return messages;
  const inner = readMessages(only.text, "user").messages;
  return inner.length > 0 ? inner : messages;
}

/** Older versions write the text of a message as JSON, none of an assistant's as well. */
const NO_TEXT = "null";

/** Some versions write the content of a message under its role. */
function toContent(message: unknown): unknown {
  const role: unknown = readMember(message, "role");
  const content: unknown = readMember(message, "content");
  if (content === NO_TEXT && role !== "user" && typeof message === "object") {
    return { ...message, content: undefined };
  }
  if (typeof role !== "string" || content !== undefined) return message;
  const text: unknown = readMember(message, role);
  return typeof text === "string" ? { role, content: text } : message;
}

function readCall(attributes: Attributes): SpanMessages {
  const { input, output } = readGenAiMessages(attributes);
  const read = (given: ReadMessages, role: "user" | "assistant", prefix: string): ReadMessages =>
    given.messages.length > 0
      ? given
      : readMessages(toList(readTree(attributes, prefix)).map(toContent), role);
  const asked = read(input, "user", "gen_ai.prompt.");
  return {
    input: { messages: expand(asked.messages), isPartial: asked.isPartial },
    output: read(output, "assistant", "gen_ai.completion."),
  };
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

function readEntity(attributes: Attributes): SpanMessages {
  // Results are JSON, so a text comes in quotes.
  return readSides(toUserText(attributes[INPUT]), unquote(attributes[OUTPUT]));
}

/** The one argument of a decorated tool, else all of them. */
function readParameters(given: unknown): ReadValue {
  const { value, isPartial } = readToolArguments(given);
  const inner = toParameters(value);
  const args = typeof inner === "string" ? readToolArguments(inner) : undefined;
  return { value: args?.value ?? inner, isPartial: isPartial || args?.isPartial === true };
}

function toParameters(value: unknown): unknown {
  // A call over the Model Context Protocol.
  if (readMember(value, "tool_name") !== undefined) return readMember(value, "arguments");
  const args: unknown = readMember(value, "args");
  const kwargs: unknown = readMember(value, "kwargs");
  if (isObject(kwargs) && Object.keys(kwargs).length > 0) return kwargs;
  if (!Array.isArray(args)) return value;
  return args.length === 1 ? args[0] : args;
}

/** Reads what a tool has returned; the wrapper for MCP puts it into an object. */
function readReturned(output: unknown, isCut: boolean): ReadValue {
  const { value, isPartial } = readToolResult(unwrapResult(output));
  return { value, isPartial: isPartial || isCut };
}

function readEntityTool(attributes: Attributes): Partial<ToolRun> {
  const input = attributes[INPUT];
  const { value: output, isPartial } = readToolArguments(attributes[OUTPUT]);
  const message: unknown = readMember(output, "kwargs");
  const id: unknown = readMember(message, "tool_call_id");
  const given: unknown = readMember(message, "name");
  const name = toCapturedText(given) ?? firstText(attributes, ENTITY);
  return {
    ...(typeof id === "string" && { id }),
    ...(name !== undefined && { name }),
    ...(input !== undefined && toRunParameters(readParameters(input))),
    ...(output !== undefined && toRunResult(readReturned(output, isPartial))),
    ...readGenAiTool(attributes),
  };
}

/** A decorated function of the application, not a model call inside one. */
function isEntity(attributes: Attributes): boolean {
  return (
    typeof attributes["traceloop.span.kind"] === "string" &&
    attributes[semconv.ATTR_GEN_AI_REQUEST_MODEL] === undefined
  );
}

/** LangChain's tools come as tasks whose output is the message of a tool. */
function isToolTask(attributes: Attributes): boolean {
  const output = attributes[OUTPUT];
  return (
    attributes[semconv.ATTR_GEN_AI_OPERATION_NAME] === "execute_tool" ||
    (typeof output === "string" && output.includes('"ToolMessage"'))
  );
}

/** Older versions state the kind of a request only here. */
function readCallRole(attributes: Attributes): SpanRole {
  const type = attributes["llm.request.type"];
  const isEmbedding = typeof type === "string" && /embed|rerank/i.test(type);
  return isEmbedding ? "other" : readGenAiRole(attributes);
}

/** OpenLLMetry (Traceloop): flattened prompts and completions, and decorated functions of the application. */
export const traceloop: Dialect = {
  name: "traceloop",
  toRole(span) {
    if (!isTraceloop(span)) return undefined;
    const { attributes, instrumentationScope } = span;
    if (!isEntity(attributes)) return readCallRole(attributes);
    const kind = String(attributes["traceloop.span.kind"]);
    if (kind === "task" && isToolTask(attributes)) return "tool";
    // What LangChain calls a run may be a prompt or a parser.
    const isRun = instrumentationScope?.name.endsWith("-langchain") === true;
    return kind === "workflow" && isRun ? "workflow" : (ROLES[kind] ?? "other");
  },
  toIdentity({ attributes }, conventions) {
    const isAgent = attributes["traceloop.span.kind"] === "agent";
    return {
      ...conventions,
      agentName: conventions.agentName ?? firstText(attributes, isAgent ? ENTITY : []),
      sessionId: conventions.sessionId ?? firstText(attributes, SESSION),
      conversationId: conventions.conversationId ?? firstText(attributes, CONVERSATION),
      userId: conventions.userId ?? firstText(attributes, USER),
    };
  },
  toMessages: ({ attributes }) =>
    isEntity(attributes) ? readEntity(attributes) : readCall(attributes),
  toTool: ({ attributes }) => readEntityTool(attributes),
  toUsage: ({ attributes }) => readUsage(attributes),
  toTraits: ({ attributes, instrumentationScope }) => ({
    holdsTurns: isEntity(attributes),
    isFlat: instrumentationScope?.name.endsWith("-langchain") === true,
  }),
};
