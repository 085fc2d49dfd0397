import { asksForTools } from "../reading/chat-message.ts";
import { isAnsweredIn, toAnswerText } from "../reading/chat-window.ts";
import type { SpanRecord } from "../span-record.ts";
import { failureOf } from "../emission/emit-call.ts";

/** Returns whether a call ended with a text for the one who asked. */
export const isAnswering = (call: SpanRecord): boolean =>
  !call.output.some(asksForTools) &&
  toAnswerText(call.output) !== undefined &&
  failureOf(call) === undefined;

/** Picks the calls whose text the user got: the last one, and those that the user has reacted to. */
export function pickAnswers(
  agent: SpanRecord,
  calls: readonly SpanRecord[],
): ReadonlySet<SpanRecord> {
  const answering = calls.filter(isAnswering);
  const said = toAnswerText(agent.output);
  const same = answering.findLast(({ output }) => toAnswerText(output) === said);
  const last = same ?? answering.at(-1) ?? calls.at(-1);
  const reacted =
    said === undefined || agent.holdsTurns === true
      ? answering.filter((call) => {
          const text = toAnswerText(call.output) ?? "";
          return calls.some((later) => later.start > call.start && isAnsweredIn(later.input, text));
        })
      : [];
  return new Set(last ? [last, ...reacted] : reacted);
}
