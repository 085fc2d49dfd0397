import { readMember } from "../../util/untrusted-values.ts";
import { firstText } from "../reading/read-attributes.ts";
import { toFailure } from "../reading/read-failure.ts";
import { readMessages } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { countsCacheApart, toCallUsage, toCount } from "../reading/read-usage.ts";
import type { CallUsage, Dialect, SpanLike, SpanMessages, SpanRole } from "../span-record.ts";
import { readJson } from "../reading/tolerant-json.ts";
import { ATTR_SESSION_ID, ATTR_USER_ID } from "../../semconv.ts";

type Attributes = SpanLike["attributes"];

const ROLES: Readonly<Record<string, SpanRole>> = {
  generation: "call",
  agent: "agent",
  chain: "workflow",
  span: "workflow",
  tool: "tool",
};
const MODEL = "langfuse.observation.model.name";

function readContent(attributes: Attributes): SpanMessages {
  return {
    input: readMessages(attributes["langfuse.observation.input"], "user"),
    output: readMessages(attributes["langfuse.observation.output"], "assistant"),
  };
}

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
  const given = attributes["langfuse.observation.usage_details"];
  const details = typeof given === "string" ? readJson(given)?.value : given;
  if (typeof details !== "object" || details === null) return undefined;
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
  toMessages: ({ attributes }) => readContent(attributes),
  toTool: ({ name, attributes }) => ({
    name,
    ...readTool(attributes, {
      id: [],
      name: [],
      parameters: ["langfuse.observation.input"],
      result: ["langfuse.observation.output"],
    }),
  }),
  toUsage: ({ attributes }) => readUsage(attributes),
  toFailure({ attributes }) {
    if (attributes["langfuse.observation.level"] !== "ERROR") return undefined;
    return toFailure(undefined, attributes["langfuse.observation.status_message"]);
  },
};
