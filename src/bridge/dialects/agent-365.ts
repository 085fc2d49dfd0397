import { firstText } from "../reading/read-attributes.ts";
import { readGenAiTool, readTool } from "../reading/read-tool.ts";
import { readGenAiUsage } from "../reading/read-usage.ts";
import type { Dialect } from "../span-record.ts";
import { readGenAiIdentity, readGenAiRole, readSpanMessages } from "./otel-gen-ai.ts";
import { ATTR_GEN_AI_EVENT_CONTENT } from "../../semconv.ts";

const SCOPE = "Agent365Sdk";

/** Microsoft Agent 365: the conventions, messages in an envelope with a version. */
export const agent365: Dialect = {
  name: "agent-365",
  toRole: ({ attributes, instrumentationScope }) =>
    instrumentationScope?.name === SCOPE ? readGenAiRole(attributes) : undefined,
  toIdentity({ attributes }) {
    const identity = readGenAiIdentity(attributes);
    return {
      ...identity,
      sessionId: identity.sessionId ?? firstText(attributes, ["microsoft.session.id"]),
      userId:
        identity.userId ?? firstText(attributes, ["gen_ai.caller.id", "microsoft.caller.user.id"]),
    };
  },
  toMessages: readSpanMessages,
  toTool: ({ attributes }) => ({
    ...readTool(attributes, {
      id: [],
      name: [],
      parameters: ["gen_ai.tool.arguments"],
      result: [ATTR_GEN_AI_EVENT_CONTENT],
    }),
    ...readGenAiTool(attributes),
  }),
  toUsage: ({ attributes }) => readGenAiUsage(attributes),
};
