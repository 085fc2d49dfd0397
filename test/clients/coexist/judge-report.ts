import { isDeepStrictEqual } from "node:util";
import { areExpected, type EventLine } from "../suite/event-line.ts";
import { toChatEvents } from "../suite/common-scenarios.ts";
import { SATURDAY, SATURDAY_AT } from "../suite/talk.ts";
import { REFUSED, type Report } from "./program.ts";

const TOKENS = { input: 21, output: 11 };
const MAX_LENGTH = 1500;
const show = (value: unknown): string => JSON.stringify(value).slice(0, MAX_LENGTH);

/** Model calls of the program. */
const CALLS = 3;

/** Tells what is wrong where two observe a client, given what the other one does alone. */
export function judgeReport(alone: Report, both: Report): string[] {
  const problems: string[] = [];
  if (alone.theirs.length + alone.open !== CALLS)
    problems.push(`the other one alone has ${alone.theirs.length} spans, not ${CALLS}`);
  if (!isDeepStrictEqual(both.results, alone.results))
    problems.push(`the caller sees something else: ${show(both.results)}`);
  if (!isDeepStrictEqual(both.theirs, alone.theirs))
    problems.push(`its spans are others: ${show(both.theirs)}, not ${show(alone.theirs)}`);
  if (both.open !== alone.open) problems.push(`${both.open} spans are open`);
  if (!isDeepStrictEqual(both.rejections, alone.rejections))
    problems.push(`unhandled rejections: ${show(both.rejections)}`);
  const expected: EventLine[] = [
    ...toChatEvents(TOKENS),
    ...toChatEvents(TOKENS, SATURDAY, SATURDAY_AT),
    ["user_message", REFUSED],
    ["error", "invalid_request_error"],
  ];
  if (!areExpected(both.events, expected))
    problems.push(`the platform gets ${show(both.events)}, not ${show(expected)}`);
  // A span that the other one never ends is waited for.
  if (both.left > alone.open) problems.push(`${both.left} traces or events are left after flush()`);
  return problems;
}
