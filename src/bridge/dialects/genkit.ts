import { readMember } from "../../util/untrusted-values.ts";
import { firstText, type Attributes } from "../reading/read-attributes.ts";
import { toFailure } from "../reading/read-failure.ts";
import { readSides } from "../reading/read-messages.ts";
import { readTool } from "../reading/read-tool.ts";
import { toCallUsage } from "../reading/read-usage.ts";
import { readJson } from "../reading/tolerant-json.ts";
import type { CallUsage, Dialect, SpanRole } from "../span-record.ts";

const INPUT = "genkit:input";
const OUTPUT = "genkit:output";

const ROLES: Readonly<Record<string, SpanRole>> = {
  model: "call",
  "background-model": "call",
  tool: "tool",
  flow: "workflow",
  util: "other",
};

function toRole(attributes: Attributes): SpanRole | undefined {
  const subtype = attributes["genkit:metadata:subtype"];
  const type = attributes["genkit:type"];
  if (typeof type !== "string" && typeof subtype !== "string") return undefined;
  if (typeof subtype === "string" && ROLES[subtype]) return ROLES[subtype];
  return ROLES[String(type)] ?? "other";
}

function readUsage(attributes: Attributes): CallUsage | undefined {
  const output = attributes[OUTPUT];
  const usage: unknown =
    typeof output === "string" ? readMember(readJson(output)?.value, "usage") : undefined;
  return toCallUsage({
    input: readMember(usage, "inputTokens"),
    output: readMember(usage, "outputTokens"),
    cacheRead: readMember(usage, "cachedContentTokens"),
  });
}

/** Genkit: actions with their input and output as JSON. */
export const genkit: Dialect = {
  name: "genkit",
  toRole: ({ attributes }) => toRole(attributes),
  toIdentity: ({ attributes }) => ({
    sessionId: firstText(attributes, ["genkit:sessionId"]),
    conversationId: firstText(attributes, ["genkit:threadName"]),
    // Models are called by a path: `googleai/gemini-2.0-flash`.
    model:
      toRole(attributes) === "call"
        ? firstText(attributes, ["genkit:name"])?.replace(/^[^/]*\//, "")
        : undefined,
  }),
  toMessages: ({ attributes }) => readSides(attributes[INPUT], attributes[OUTPUT]),
  toTool: ({ attributes }) =>
    readTool(attributes, {
      id: ["genkit:metadata:tool:ref"],
      name: ["genkit:name"],
      parameters: [INPUT],
      result: [OUTPUT],
    }),
  toUsage: ({ attributes }) => readUsage(attributes),
  toFailure({ attributes }) {
    if (attributes["genkit:state"] !== "error") return undefined;
    return toFailure(undefined, attributes["genkit:error"] ?? "");
  },
};
