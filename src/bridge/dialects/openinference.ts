import { ATTR_SESSION_ID, ATTR_USER_ID } from "../../semconv.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { toText } from "../../util/values.ts";
import type { ChatMessage, ReadMessages } from "../reading/chat-message.ts";
import { firstText, readTree, toList, type Attributes } from "../reading/read-attributes.ts";
import { readMessages } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, toCallUsage, toCount } from "../reading/read-usage.ts";
import { readJsonValue } from "../reading/tolerant-json.ts";
import type { CallUsage, Dialect, SpanRole } from "../span-record.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  LLM: "call",
  AGENT: "agent",
  CHAIN: "workflow",
  TOOL: "tool",
};

type Side = "input" | "output";

/** Models that do not chat complete a text. */
const COMPLETIONS = {
  input: { role: "user", list: "llm.prompts", member: "prompt" },
  output: { role: "assistant", list: "llm.choices", member: "completion" },
} as const;

function readCompletion(attributes: Attributes, side: Side): ReadMessages | undefined {
  const { role, list, member } = COMPLETIONS[side];
  const given = attributes[list] ?? toList(readTree(attributes, `${list}.`));
  const texts = (Array.isArray(given) ? given : [given]).map((text: unknown) =>
    typeof text === "string" ? text : readMember(readMember(text, member), "text"),
  );
  const message = { role, content: texts.filter((text) => typeof text === "string") };
  return message.content.length === 0 ? undefined : readMessages(message, role);
}

/** Reads the raw request or response, else the texts of a model that does not chat. */
function readRaw(attributes: Attributes, side: Side): ReadMessages {
  const raw = readMessages(attributes[`${side}.value`], COMPLETIONS[side].role);
  return raw.messages.length > 0 ? raw : (readCompletion(attributes, side) ?? raw);
}

/** Reads flattened messages, else the raw value. */
function readSide(attributes: Attributes, side: Side): ReadMessages {
  const listed = toList(readTree(attributes, `llm.${side}_messages.`));
  if (listed.length === 0) return readRaw(attributes, side);
  const flattened = readMessages(listed, COMPLETIONS[side].role);
  const isWhole =
    flattened.messages.length === listed.length && !flattened.messages.some(lacksParts);
  if (isWhole) return flattened;
  // The raw value may have what flattening leaves out: ids, results, contents of several parts.
  const raw = readRaw(attributes, side);
  return weigh(flattened) >= weigh(raw) ? flattened : raw;
}

/** Returns how much messages say; instructions stand apart in many requests. */
function weigh({ messages }: ReadMessages): number {
  let weight = 0;
  for (const { role, text, toolCalls, toolResults } of messages) {
    if (role !== "system" && text !== "") weight++;
    for (const { id } of toolCalls) weight += id === undefined ? 1 : 2;
    for (const { id, result } of toolResults) {
      weight += (id === undefined ? 1 : 2) + (result === undefined ? 0 : 1);
    }
  }
  return weight;
}

function lacksParts({ toolCalls, toolResults }: ChatMessage): boolean {
  return (
    [...toolCalls, ...toolResults].some(({ id }) => id === undefined) ||
    toolResults.some(({ result }) => result === undefined)
  );
}

/** The provider's own count, inside the raw response. */
const RAW_INPUT = /\\?"(?:input_tokens|inputTokens)\\?":\s*(\d+)/g;

/** Versions differ in whether they add cached tokens to the input; the raw response shows it. */
function isCacheAdded(attributes: Attributes, input: number, cached: number): boolean {
  const raw = attributes["output.value"];
  const counts = typeof raw === "string" ? [...raw.matchAll(RAW_INPUT)] : [];
  if (counts.length > 0) return counts.some(([, count]) => Number(count) === input - cached);
  return countsCacheApart(attributes["llm.provider"], attributes["llm.system"]);
}

function readUsage(attributes: Attributes): CallUsage | undefined {
  const cacheRead = attributes["llm.token_count.prompt_details.cache_read"];
  const cacheWrite = attributes["llm.token_count.prompt_details.cache_write"];
  const input = attributes["llm.token_count.prompt"];
  const cached = (toCount(cacheRead) ?? 0) + (toCount(cacheWrite) ?? 0);
  return toCallUsage({
    input,
    output: attributes["llm.token_count.completion"],
    cacheRead,
    cacheWrite,
    isCacheAdded: cached > 0 && isCacheAdded(attributes, toCount(input) ?? 0, cached),
  });
}

/** LangChain hands a session on as metadata. */
function readMetadata(attributes: Attributes, name: string): string | undefined {
  return toText(readMember(readJsonValue(attributes["metadata"]), name));
}

const AGENT_NAMES = ["agent.name", "graph.node.name"] as const;
/** A node of a graph is an agent only where the span is one's. */
const NODE_ID = "graph.node.id";

const isAgent = (attributes: Attributes): boolean =>
  String(attributes["openinference.span.kind"]).toUpperCase() === "AGENT";

/** OpenInference (Arize Phoenix): flattened messages, the raw request and response beside them. */
export const openInference: Dialect = {
  name: "openinference",
  toRole({ attributes }) {
    const kind = attributes["openinference.span.kind"];
    // Chains only group others: they hand on whatever their parts make, messages, prompts, states.
    return typeof kind === "string" ? (ROLES[kind.toUpperCase()] ?? "other") : undefined;
  },
  toIdentity: ({ attributes }) => ({
    agentName:
      firstText(attributes, AGENT_NAMES) ??
      (isAgent(attributes) ? firstText(attributes, [NODE_ID]) : undefined),
    sessionId: firstText(attributes, [ATTR_SESSION_ID]),
    userId: firstText(attributes, [ATTR_USER_ID]) ?? readMetadata(attributes, "user_id"),
    model: firstText(attributes, [
      "llm.response.model_name",
      "llm.model_name",
      "llm.request.model_name",
    ]),
  }),
  toMessages: ({ attributes }) => ({
    input: readSide(attributes, "input"),
    output: readSide(attributes, "output"),
  }),
  toTool: ({ name, attributes }) => ({
    name,
    ...readTool(attributes, {
      id: ["tool.id", "tool_call.id", "tool_call_id"],
      name: ["tool.name", "tool_call.function.name"],
      parameters: ["tool.parameters", "tool_call.function.arguments", "input.value"],
      result: ["output.value"],
    }),
  }),
  toUsage: ({ attributes }) => readUsage(attributes),
};
