import type { Destination } from "../outgoing/message-sender.ts";
import type { EvaluationOptions } from "./evaluation-options.ts";

/** What a receiver can't read today it can't read tomorrow. @see https://opentelemetry.io/docs/specs/otlp/#failures-1 */
const FINAL_STATUSES = [400, 413];

/** Returns where decisions go as evaluations. Other refusals than these, that of a key that is wrong for example, are mended there. */
export function toEvaluationDestination({ url, headers = {} }: EvaluationOptions): Destination {
  return { kind: "evaluation", url, toHeaders: () => headers, finalStatuses: FINAL_STATUSES };
}
