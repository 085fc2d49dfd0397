import { readGenAiTool, readTool } from "../reading/read-tool.ts";
import { readGenAiUsage } from "../reading/read-usage.ts";
import type { Dialect } from "../span-record.ts";
import { readGenAiIdentity, readGenAiRole, readSpanMessages } from "./otel-gen-ai.ts";

const SCOPE = "com.anthropic.sdk.";

/** Anthropic's own client: the conventions; its tool runner sends only what is new. */
export const anthropicSdk: Dialect = {
  name: "anthropic-sdk",
  toRole: ({ attributes, instrumentationScope }) =>
    instrumentationScope?.name.startsWith(SCOPE) === true ? readGenAiRole(attributes) : undefined,
  toIdentity: ({ attributes }) => readGenAiIdentity(attributes),
  toMessages: readSpanMessages,
  toTool: ({ attributes }) => ({
    ...readTool(attributes, {
      id: [],
      name: [],
      parameters: [],
      result: ["anthropic.tool_result.content"],
    }),
    ...readGenAiTool(attributes),
  }),
  toUsage: ({ attributes }) => readGenAiUsage(attributes, true),
};
