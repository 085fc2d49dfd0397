import { readGenAiTool } from "../reading/read-tool.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { Dialect } from "../span-record.ts";
import { fillIdentity, readGenAiRole } from "./otel-gen-ai.ts";
import { ATTR_GEN_AI_EVENT_CONTENT } from "../../semconv.ts";

const SCOPE = "Agent365Sdk";

/** Microsoft Agent 365: the conventions, messages in an envelope with a version. */
export const agent365: Dialect = {
  name: "agent-365",
  toRole: ({ attributes, instrumentationScope }) =>
    instrumentationScope?.name === SCOPE ? readGenAiRole(attributes) : undefined,
  toIdentity: fillIdentity({
    sessionId: ["microsoft.session.id"],
    userId: ["gen_ai.caller.id", "microsoft.caller.user.id"],
  }),
  toTool: ({ attributes }) =>
    readGenAiTool(attributes, {
      parameters: ["gen_ai.tool.arguments"],
      result: [ATTR_GEN_AI_EVENT_CONTENT],
    }),
  toUsage: ({ attributes }) => readUsage(attributes),
};
