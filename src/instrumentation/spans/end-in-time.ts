import type { Attributes } from "@opentelemetry/api";
import { ATTR_GEN_AI_OUTPUT_MESSAGES } from "../../semconv.ts";
import type { FetchObserverHost } from "../host.ts";

/** Longest answer, in UTF-16 units, that is judged while the application waits for it: it takes about a millisecond. */
const MAX_AWAITED_LENGTH = 8192;
/** Attributes that hold an answer: of the conventions, and of the AI SDK's own spans. */
const ANSWERS = [ATTR_GEN_AI_OUTPUT_MESSAGES, "ai.response.text", "ai.response.object"];

/** About the length of the answer that attributes hold. */
export function toAnswerLength(attributes: Attributes): number {
  const lengths = ANSWERS.map((name) => {
    const value = attributes[name];
    return typeof value === "string" ? value.length : 0;
  });
  return Math.max(...lengths);
}

/**
 * Ends a span that is judged first: at once, or, with a long answer, as soon as the application has gone on, which waits here for
 * it.
 */
export function endInTime(
  { defer }: FetchObserverHost,
  answerLength: number,
  end: () => void,
): void {
  if (defer && answerLength > MAX_AWAITED_LENGTH) defer(end, true);
  else end();
}
