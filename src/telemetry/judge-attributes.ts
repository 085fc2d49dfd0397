import type { AnyValueMap } from "@opentelemetry/api-logs";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { readJudgeResult } from "../events/judge-result.ts";
import { readMember } from "../util/untrusted-values.ts";
import * as semconv from "../semconv.ts";

/** Members of an evaluator, and their attributes. */
export const EVALUATOR_ATTRIBUTES = [
  ["id", semconv.ATTR_EVALUATOR_ID],
  ["type", semconv.ATTR_EVALUATOR_TYPE],
  ["version", semconv.ATTR_EVALUATOR_VERSION],
  ["model", semconv.ATTR_EVALUATOR_MODEL],
  ["promptHash", semconv.ATTR_EVALUATOR_PROMPT_HASH],
  ["reason", semconv.ATTR_EVALUATOR_REASON],
] as const;

/** Says who has judged. */
export function toEvaluatorAttributes(evaluator: unknown): AnyValueMap {
  const attributes: AnyValueMap = {};
  for (const [member, attribute] of EVALUATOR_ATTRIBUTES) {
    const value = readMember(evaluator, member);
    if (typeof value === "string") attributes[attribute] = value;
  }
  return attributes;
}

/** Says who has judged, and to what end, on the records of an event; `undefined` for an event that is none of the judge's. */
export function toJudgeAttributes(event: DetailedEvent): AnyValueMap | undefined {
  const result = readJudgeResult(event);
  if (!result) return undefined;
  return {
    ...toEvaluatorAttributes(event.metadata?.["evaluator"]),
    [semconv.ATTR_FINDING_TIER]: result.tier,
  };
}
