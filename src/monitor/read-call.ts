import { readArgument, reportUnknown, toIdentity, toMillis, type Identity } from "./arguments.ts";
import type { ValidationDetail } from "../events/validation-error.ts";

const SCOPE_MEMBERS = new Set(["agentId", "sessionId", "conversationId", "userId", "requestId"]);
const FLUSH_MEMBERS = new Set(["timeoutMillis"]);

/** What a caller said, and what was wrong with it. */
export interface Reading<T> {
  readonly value: T;
  readonly problems: readonly ValidationDetail[];
}

/** Reads whom `conversation()` is for, whatever it is given; `undefined` when that can't be told. */
export function readScope(scope: unknown): Reading<Identity | undefined> {
  const problems: ValidationDetail[] = [];
  const report = (problem: ValidationDetail): void => void problems.push(problem);
  reportUnknown(scope, SCOPE_MEMBERS, "scope", report);
  const given = {
    agentId: readArgument(scope, "agentId"),
    sessionId: readArgument(scope, "sessionId"),
    conversationId: readArgument(scope, "conversationId"),
    userId: readArgument(scope, "userId"),
    requestId: readArgument(scope, "requestId"),
  };
  const identity = toIdentity(given, undefined, report);
  if (!("problem" in identity)) return { value: identity, problems };
  return { value: undefined, problems: [...problems, identity.problem] };
}

/** Reads for how long `flush()` may wait, whatever it is given. */
export function readFlushTimeout(options: unknown): Reading<number | undefined> {
  const problems: ValidationDetail[] = [];
  const report = (problem: ValidationDetail): void => void problems.push(problem);
  reportUnknown(options, FLUSH_MEMBERS, "options", report);
  const given = readArgument(options, "timeoutMillis") ?? undefined;
  return { value: toMillis(given, "options.timeoutMillis", report), problems };
}
