import type * as z from "zod";
import {
  agentCategorySchema,
  bankingSpecialtySchema,
  isAgentId,
  isIdentifier,
  MAX_IDENTIFIER_LENGTH,
} from "../events/base-event.ts";
import { type MonitoringOptions, monitoringOptionsSchema } from "../events/interaction.ts";
import {
  describeUnknown,
  describeValue,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { type ConversationScope, currentConversationScope } from "../scope/scopes.ts";
import { findNearestName } from "../util/nearest-name.ts";
import { readMember } from "../util/untrusted-values.ts";

/** Gets what was expected and what came, by type and length; never content. */
type Problems = ValidationDetail[];

/** What a caller said, and what was wrong with it. */
export interface Reading<T> {
  readonly value: T;
  readonly problems: readonly ValidationDetail[];
}

/** Code of the problem that a member is unknown. */
export const UNKNOWN_MEMBER = "unrecognized_keys";

const EXPECTED_IDENTIFIER = `expected 1 to ${MAX_IDENTIFIER_LENGTH} characters without control characters`;

/** Identifiers as the caller passed them. */
export type GivenIdentity = Readonly<Partial<Record<keyof ConversationScope, unknown>>>;

function toProblem(field: string, message: string): ValidationDetail {
  return { field, message, code: "invalid_type" };
}

const toGot = (value: unknown): string => ` (got ${describeValue(value)})`;

/** Reads a member of an object that a caller passed; what is no object has none. */
export function readArgument(source: unknown, name: string): unknown {
  return typeof source === "object" ? readMember(source, name) : undefined;
}

/** Reads some members of anything; what is absent or can't be read is left out. */
export function pickMembers(source: unknown, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value = readArgument(source, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

function toOptionalIdentifier(
  value: unknown,
  field: string,
  problems: Problems,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isIdentifier(value)) return value;
  problems.push(toProblem(field, `${EXPECTED_IDENTIFIER}${toGot(value)}; it is left out`));
  return undefined;
}

const NO_SCOPE: Partial<ConversationScope> = {};

/** Returns the surrounding `conversation()`, if it is about this agent and session; empty for any other. */
function toScope(agentId: string, sessionId: string): Partial<ConversationScope> {
  const current = currentConversationScope();
  return current?.agentId === agentId && current.sessionId === sessionId ? current : NO_SCOPE;
}

/**
 * Checks the identifiers of an interaction and completes them from the options and from the surrounding
 * `conversation()`.
 *
 * @param problems - Gets the problems that cost no more than an identifier.
 * @param named - The conversation that the metadata names.
 * @returns The problem when agent or session is unknown.
 */
export function toIdentity(
  given: GivenIdentity,
  options: unknown,
  problems: Problems,
  named?: string,
): ConversationScope | { readonly problem: ValidationDetail } {
  const option = (name: string): string | undefined =>
    toOptionalIdentifier(readArgument(options, name), `options.${name}`, problems);
  const { agentId } = given;
  const sessionId = option("sessionId") ?? given.sessionId;
  if (!isAgentId(agentId)) {
    const message = `${EXPECTED_IDENTIFIER}, not "." or ".."${toGot(agentId)}`;
    return { problem: toProblem("agentId", message) };
  }
  if (!isIdentifier(sessionId)) {
    return { problem: toProblem("sessionId", `${EXPECTED_IDENTIFIER}${toGot(sessionId)}`) };
  }
  const scope = toScope(agentId, sessionId);
  const argument = (name: keyof ConversationScope): string | undefined =>
    toOptionalIdentifier(given[name], name, problems);
  return {
    agentId,
    sessionId,
    conversationId: argument("conversationId") ?? named ?? scope.conversationId,
    userId: option("userId") ?? argument("userId") ?? scope.userId,
    requestId: option("requestId") ?? argument("requestId") ?? scope.requestId,
  };
}

function toBoolean(options: unknown, name: string, problems: Problems): boolean | undefined {
  const value = readArgument(options, name);
  if (value === undefined || typeof value === "boolean") return value;
  problems.push(toProblem(`options.${name}`, `expected a boolean${toGot(value)}; it is left out`));
  return undefined;
}

/** Unknown members of a caller's object that are reported; it may be anything. */
const MAX_REPORTED_MEMBERS = 10;

/** Lists the members of anything. */
export function listMembers(source: unknown): string[] {
  try {
    return typeof source === "object" && source !== null ? Object.keys(source) : [];
  } catch {
    // A proxy.
    return [];
  }
}

/** A name that a program gives; what else stands as a key may be content. */
export const MEMBER_NAME = /^[A-Za-z_$][\w$-]{0,63}$/;

/** Reports the members of a caller's object that nobody reads: most likely they are misspelt. */
function reportUnknown(
  source: unknown,
  known: readonly string[],
  field: string,
  problems: Problems,
): void {
  const unknown = listMembers(source).filter((name) => !known.includes(name));
  for (const name of unknown.slice(0, MAX_REPORTED_MEMBERS)) {
    const isName = MEMBER_NAME.test(name);
    problems.push({
      field: isName ? `${field}.${name}` : field,
      message: isName
        ? describeUnknown({ nearest: findNearestName(name, known) })
        : "has a member that is unknown",
      code: UNKNOWN_MEMBER,
    });
  }
}

let optionNames: readonly string[] | undefined;

/** Options of an interaction, checked; identifiers are read by `toIdentity`. */
export type CheckedOptions = NonNullable<ReturnType<typeof toOptions>>;

/** Checks the options of an interaction; one that is not what it should be is left out and reported. */
export function toOptions(options: MonitoringOptions | undefined, problems: Problems) {
  if (options === undefined || options === null) return undefined;
  optionNames ??= Object.keys(monitoringOptionsSchema.shape);
  reportUnknown(options, optionNames, "options", problems);
  const read = <T>(name: string, schema: z.ZodType<T>, expected: string): T | undefined => {
    const value = readArgument(options, name);
    const { success, data } = schema.optional().safeParse(value);
    const message = `expected ${expected}; it is left out`;
    if (!success) problems.push(toProblem(`options.${name}`, message));
    return data;
  };
  return {
    agentCategory: read("agentCategory", agentCategorySchema, "an AgentCategory"),
    agentSpecialty: read("agentSpecialty", bankingSpecialtySchema, "a BankingSpecialty"),
    trackConversationStart: toBoolean(options, "trackConversationStart", problems),
    complianceChecks: toBoolean(options, "complianceChecks", problems),
  };
}

/** Checks a time in ms; one that is not what it should be is left out and reported. */
export function toMillis(value: unknown, field: string, problems: Problems): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0 && value < Infinity) return value;
  problems.push(toProblem(field, `expected ms >= 0${toGot(value)}; it is left out`));
  return undefined;
}

const SCOPE_MEMBERS = ["agentId", "sessionId", "conversationId", "userId", "requestId"];

/** Reads whom `conversation()` is for, whatever it is given; `undefined` when that is unknown. */
export function readScope(scope: unknown): Reading<ConversationScope | undefined> {
  const problems: Problems = [];
  reportUnknown(scope, SCOPE_MEMBERS, "scope", problems);
  const identity = toIdentity(pickMembers(scope, SCOPE_MEMBERS), undefined, problems);
  if (!("problem" in identity)) return { value: identity, problems };
  return { value: undefined, problems: [...problems, identity.problem] };
}

/** Reads for how long `flush()` may wait, whatever it is given. */
export function readFlushTimeout(options: unknown): Reading<number | undefined> {
  const problems: Problems = [];
  reportUnknown(options, ["timeoutMillis"], "options", problems);
  const given = readArgument(options, "timeoutMillis") ?? undefined;
  return { value: toMillis(given, "options.timeoutMillis", problems), problems };
}
