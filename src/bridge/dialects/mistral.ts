import { readGenAiUsage } from "../read-usage.ts";
import type { Dialect } from "../span-exchange.ts";
import { readGenAiIdentity, readGenAiRole, readSpanMessages } from "./otel-gen-ai.ts";

const SCOPES = ["mistralai", "@mistralai"] as const;

/** Mistral's own client: the conventions, and nothing on a span that failed. */
export const mistral: Dialect = {
  name: "mistral",
  toRole({ attributes, instrumentationScope }) {
    const scope = instrumentationScope?.name ?? "";
    return SCOPES.some((start) => scope.startsWith(start)) ? readGenAiRole(attributes) : undefined;
  },
  toIdentity: ({ attributes }) => readGenAiIdentity(attributes),
  toMessages: readSpanMessages,
  toUsage: ({ attributes }) => readGenAiUsage(attributes),
};
