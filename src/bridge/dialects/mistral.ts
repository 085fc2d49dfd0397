import { toFailure } from "../reading/read-failure.ts";
import { readUsage } from "../reading/read-usage.ts";
import type { Dialect, SpanLike } from "../span-record.ts";
import { readGenAiRole } from "./otel-gen-ai.ts";
import * as semconv from "../../semconv.ts";

const SCOPE = /^@?mistralai/;

/** What an answer of the provider leaves on a span, whatever it is. */
const ANSWERED = [
  semconv.ATTR_HTTP_RESPONSE_STATUS_CODE,
  semconv.ATTR_GEN_AI_RESPONSE_ID,
  semconv.ATTR_GEN_AI_RESPONSE_MODEL,
  semconv.ATTR_GEN_AI_OUTPUT_MESSAGES,
  semconv.ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
] as const;

/** A request that no answer came to: the span ends as one that went well does. */
function isUnanswered({ attributes }: SpanLike): boolean {
  return (
    readGenAiRole(attributes) === "call" && ANSWERED.every((name) => attributes[name] === undefined)
  );
}

/** Mistral's own client: the conventions, and nothing on a span that failed. */
export const mistral: Dialect = {
  name: "mistral",
  toRole: ({ attributes, instrumentationScope }) =>
    SCOPE.test(instrumentationScope?.name ?? "") ? readGenAiRole(attributes) : undefined,
  toUsage: ({ attributes }) => readUsage(attributes),
  toTraits: () => ({ saysWhyItEnded: true }),
  toFailure: (span) =>
    isUnanswered(span) ? toFailure(undefined, "the provider has not answered") : undefined,
};
