import { readGenAiTool } from "../reading/read-tool.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { Dialect } from "../span-record.ts";
import { readGenAiRole } from "./otel-gen-ai.ts";

const SCOPE = "com.anthropic.sdk.";

/** Anthropic's own client: the conventions; its tool runner sends only what is new. */
export const anthropicSdk: Dialect = {
  name: "anthropic-sdk",
  toRole: ({ attributes, instrumentationScope }) =>
    instrumentationScope?.name.startsWith(SCOPE) === true ? readGenAiRole(attributes) : undefined,
  toTool: ({ attributes }) =>
    readGenAiTool(attributes, { result: ["anthropic.tool_result.content"] }),
  toUsage: ({ attributes }) => readUsage(attributes, true),
};
