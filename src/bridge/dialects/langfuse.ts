import { ATTR_SESSION_ID, ATTR_USER_ID } from "../../semconv.ts";
import { readMember } from "../../util/untrusted-values.ts";
import { isObject } from "../../util/values.ts";
import { firstText, type Attributes } from "../reading/read-attributes.ts";
import { toFailure } from "../reading/read-failure.ts";
import { readSides } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, toCallUsage, toCount } from "../reading/read-usage.ts";
import { readJsonValue } from "../reading/tolerant-json.ts";
import type { CallUsage, Dialect, SpanRole } from "../span-record.ts";

const ROLES: Readonly<Record<string, SpanRole>> = {
  generation: "call",
  agent: "agent",
  chain: "workflow",
  span: "workflow",
  tool: "tool",
};
const INPUT = "langfuse.observation.input";
const OUTPUT = "langfuse.observation.output";
const MODEL = "langfuse.observation.model.name";

function readRole(attributes: Attributes): SpanRole | undefined {
  const type = attributes["langfuse.observation.type"];
  if (typeof type !== "string") return undefined;
  const role = ROLES[type.toLowerCase()] ?? "other";
  // The wrapper of the OpenAI client calls embeddings generations, too.
  const isEmbedding = role === "call" && /embed/i.test(firstText(attributes, [MODEL]) ?? "");
  return isEmbedding ? "other" : role;
}

/** Sums up a count and the parts that Langfuse takes out of it (`input_cached_tokens` and the like). */
function sumUp(details: object, side: "input" | "output", isApart: boolean): number | undefined {
  const whole = toCount(readMember(details, side));
  if (whole === undefined) return undefined;
  return Object.entries(details)
    .filter(([name]) => name.startsWith(`${side}_`) && !(isApart && name.includes("cache")))
    .reduce((sum, [, count]) => sum + (toCount(count) ?? 0), whole);
}

function readUsage(attributes: Attributes): CallUsage | undefined {
  const details = readJsonValue(attributes["langfuse.observation.usage_details"]);
  if (!isObject(details)) return undefined;
  const isApart = countsCacheApart(attributes[MODEL]);
  const read = (...names: string[]): unknown =>
    names.map((name) => readMember(details, name)).find((count) => count !== undefined);
  return toCallUsage({
    input: sumUp(details, "input", isApart) ?? read("promptTokens", "prompt_tokens"),
    output: sumUp(details, "output", isApart) ?? read("completionTokens", "completion_tokens"),
    cacheRead: read("input_cached_tokens", "cache_read_input_tokens", "input_cache_read"),
    cacheWrite: read("cache_creation_input_tokens", "input_cache_creation"),
  });
}

/** The Langfuse SDK: requests and responses as JSON. */
export const langfuse: Dialect = {
  name: "langfuse",
  toRole: ({ attributes }) => readRole(attributes),
  toIdentity: ({ name, attributes }) => ({
    agentName: readRole(attributes) === "agent" ? name : undefined,
    sessionId: firstText(attributes, [ATTR_SESSION_ID, "langfuse.session.id"]),
    // LangGraph's thread, which the callback handler hands on with the rest of the metadata.
    conversationId: firstText(attributes, [
      "langfuse.observation.metadata.thread_id",
      "langfuse.trace.metadata.thread_id",
    ]),
    userId: firstText(attributes, [ATTR_USER_ID, "langfuse.user.id"]),
    model: firstText(attributes, [MODEL]),
  }),
  toMessages: ({ attributes }) => readSides(attributes[INPUT], attributes[OUTPUT]),
  toTool: ({ name, attributes }) => ({
    name,
    ...readTool(attributes, { parameters: [INPUT], result: [OUTPUT] }),
  }),
  toUsage: ({ attributes }) => readUsage(attributes),
  toFailure({ attributes }) {
    if (attributes["langfuse.observation.level"] !== "ERROR") return undefined;
    return toFailure(undefined, attributes["langfuse.observation.status_message"]);
  },
};
