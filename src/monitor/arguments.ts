import {
  type AgentCategory,
  agentCategorySchema,
  type BankingSpecialty,
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

/** Told what was expected and what came, by type and length; never content. */
export type ReportProblem = (problem: ValidationDetail) => void;

/** Code of the problem that a member is unknown. */
export const UNKNOWN_MEMBER = "unrecognized_keys";

const EXPECTED_IDENTIFIER = `expected 1 to ${MAX_IDENTIFIER_LENGTH} characters without control characters`;

/** Who an interaction belongs to, checked. */
export interface Identity {
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
}

function toProblem(field: string, message: string): ValidationDetail {
  return { field, message, code: "invalid_type" };
}

const toGot = (value: unknown): string => ` (got ${describeValue(value)})`;

/** Reads a member of an object that a caller passed; what is no object has none. */
export function readArgument(source: unknown, name: string): unknown {
  return typeof source === "object" ? readMember(source, name) : undefined;
}

function toOptionalIdentifier(
  value: unknown,
  field: string,
  report: ReportProblem,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (isIdentifier(value)) return value;
  report(toProblem(field, `${EXPECTED_IDENTIFIER}${toGot(value)}; it is left out`));
  return undefined;
}

/** Why it can't be told whom an interaction belongs to. */
export interface NoIdentity {
  readonly problem: ValidationDetail;
}

/** Identifiers as the caller passed them. */
export interface GivenIdentity {
  readonly agentId: unknown;
  readonly sessionId: unknown;
  readonly conversationId?: unknown;
  readonly userId?: unknown;
  readonly requestId?: unknown;
}

/** Returns the surrounding `conversation()`, if it is about this agent and session. */
function toScope(agentId: string, sessionId: string): ConversationScope | undefined {
  const current = currentConversationScope();
  return current?.agentId === agentId && current.sessionId === sessionId ? current : undefined;
}

/** Returns the conversation that stands nowhere among the arguments. */
function toNamed(
  named: string | undefined,
  scope: ConversationScope | undefined,
): string | undefined {
  return named ?? scope?.conversationId;
}

/**
 * Checks the identifiers of an interaction and completes them from the options and from the surrounding
 * `conversation()`.
 *
 * @param named - The conversation that the metadata names.
 * @returns The problem when agent or session can't be told; any other problem is reported.
 */
export function toIdentity(
  given: GivenIdentity,
  options: unknown,
  report: ReportProblem,
  named?: string,
): Identity | NoIdentity {
  const agentId = given.agentId;
  const sessionId =
    toOptionalIdentifier(readArgument(options, "sessionId"), "options.sessionId", report) ??
    given.sessionId;
  if (!isAgentId(agentId)) {
    const message = `${EXPECTED_IDENTIFIER}, not "." or ".."${toGot(agentId)}`;
    return { problem: toProblem("agentId", message) };
  }
  if (!isIdentifier(sessionId)) {
    return { problem: toProblem("sessionId", `${EXPECTED_IDENTIFIER}${toGot(sessionId)}`) };
  }
  const scope = toScope(agentId, sessionId);
  const option = (name: string): string | undefined =>
    toOptionalIdentifier(readArgument(options, name), `options.${name}`, report);
  return {
    agentId,
    sessionId,
    conversationId:
      toOptionalIdentifier(given.conversationId, "conversationId", report) ?? toNamed(named, scope),
    userId:
      option("userId") ?? toOptionalIdentifier(given.userId, "userId", report) ?? scope?.userId,
    requestId:
      option("requestId") ??
      toOptionalIdentifier(given.requestId, "requestId", report) ??
      scope?.requestId,
  };
}

function toBoolean(options: unknown, name: string, report: ReportProblem): boolean | undefined {
  const value = readArgument(options, name);
  if (value === undefined || typeof value === "boolean") return value;
  report(toProblem(`options.${name}`, `expected a boolean${toGot(value)}; it is left out`));
  return undefined;
}

/** Members of a caller's object that are told; it may be anything. */
const MAX_TOLD_MEMBERS = 10;

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
  known: ReadonlySet<string>,
  field: string,
  report: ReportProblem,
): void {
  const unknown = listMembers(source).filter((name) => !known.has(name));
  for (const name of unknown.slice(0, MAX_TOLD_MEMBERS)) {
    const isName = MEMBER_NAME.test(name);
    report({
      field: isName ? `${field}.${name}` : field,
      message: isName
        ? describeUnknown({ nearest: findNearestName(name, [...known]) })
        : "has a member that is unknown",
      code: UNKNOWN_MEMBER,
    });
  }
}

let optionNames: ReadonlySet<string> | undefined;

/** Options of an interaction, checked; identifiers are read by `toIdentity`. */
export interface CheckedOptions {
  readonly agentCategory: AgentCategory | undefined;
  readonly agentSpecialty: BankingSpecialty | undefined;
  readonly trackConversationStart: boolean | undefined;
  readonly complianceChecks: boolean | undefined;
}

/** Checks the options of an interaction; one that is not what it should be is left out and reported. */
export function toOptions(
  options: MonitoringOptions | undefined,
  report: ReportProblem,
): CheckedOptions | undefined {
  if (options === undefined || options === null) return undefined;
  optionNames ??= new Set(Object.keys(monitoringOptionsSchema.shape));
  reportUnknown(options, optionNames, "options", report);
  const category = agentCategorySchema.optional().safeParse(readArgument(options, "agentCategory"));
  const specialty = bankingSpecialtySchema
    .optional()
    .safeParse(readArgument(options, "agentSpecialty"));
  if (!category.success)
    report(toProblem("options.agentCategory", "expected an AgentCategory; it is left out"));
  if (!specialty.success)
    report(toProblem("options.agentSpecialty", "expected a BankingSpecialty; it is left out"));
  return {
    agentCategory: category.data,
    agentSpecialty: specialty.data,
    trackConversationStart: toBoolean(options, "trackConversationStart", report),
    complianceChecks: toBoolean(options, "complianceChecks", report),
  };
}

/** Checks a time in ms; one that is not what it should be is left out and reported. */
export function toMillis(value: unknown, field: string, report: ReportProblem): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0 && value < Infinity) return value;
  report(toProblem(field, `expected ms >= 0${toGot(value)}; it is left out`));
  return undefined;
}

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
