import { isDeepStrictEqual } from "node:util";
import { areExpected } from "./event-line.ts";
import type { ObservedRun, Run } from "./run-scenario.ts";
import type { Scenario } from "./scenario.ts";

const MAX_LENGTH = 1000;
const MAX_TEXT_LENGTH = 80;

/** Writes a value for a reader, as far as one wants to read it. */
function show(value: unknown): string {
  const shorten = (_: string, each: unknown): unknown =>
    typeof each === "string" && each.length > MAX_TEXT_LENGTH
      ? `${each.slice(0, MAX_TEXT_LENGTH)}… (${each.length})`
      : each;
  return JSON.stringify(value, shorten)?.slice(0, MAX_LENGTH) ?? "nothing";
}

/** Finds the first place in which two plain values differ. */
function findDifference(expected: unknown, got: unknown, path = ""): string | undefined {
  if (isDeepStrictEqual(expected, got)) return undefined;
  const isParent = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null;
  if (isParent(expected) && isParent(got)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const found = findDifference(expected[name], got[name], `${path}/${name}`);
      if (found !== undefined) return found;
    }
  }
  return `at ${path || "/"}: ${show(expected)} without us, ${show(got)} with us`;
}

/** Tells what is wrong with an observed run, given the one without us; nothing if all is well. */
export function judgeRun(scenario: Scenario, bare: Run, observed: ObservedRun): string[] {
  const { calls = 1, events, leavesSpans = false, outcome = bare.outcome } = scenario;
  const problems: (string | undefined)[] = [];
  const result = findDifference(bare.result, observed.result);
  if (result !== undefined) problems.push(`the caller sees something else ${result}`);
  const requests = findDifference(bare.requests, observed.requests);
  if (requests !== undefined) problems.push(`the server sees something else ${requests}`);
  const rejections = findDifference(bare.rejections, observed.rejections);
  if (rejections !== undefined) problems.push(`unhandled rejections differ ${rejections}`);
  if (observed.outcome !== outcome)
    problems.push(`the last answer is to be ${outcome}, and is ${observed.outcome}`);
  if (!areExpected(observed.events, events))
    problems.push(`expected the events ${show(events)}, got ${show(observed.events)}`);
  const { started, ended, around } = observed.spans;
  if (started !== calls || (ended !== calls && !leavesSpans))
    problems.push(`expected ${calls} spans, ${started} were started and ${ended} ended`);
  const expectedAround = observed.isInTurn && calls > 0 ? 2 : 0;
  if (around !== expectedAround)
    problems.push(`expected ${expectedAround} spans around the calls, got ${around}`);
  if (observed.left > 0) problems.push(`${observed.left} traces or events are left after flush()`);
  if (observed.warnings.length > 0) problems.push(`the monitor warns: ${show(observed.warnings)}`);
  return problems.filter((problem) => problem !== undefined);
}
