import {
  agentCategorySchema,
  bankingSpecialtySchema,
  type AgentCategory,
  type BankingSpecialty,
} from "./events/agent-kind.ts";
import { isAgentId, isIdentifier, MAX_IDENTIFIER_LENGTH } from "./events/base-event.ts";
import type { MonitoringOptions } from "./events/interaction.ts";
import { describeValue } from "./events/validation-error.ts";
import { currentConversationScope, type ConversationScope } from "./util/conversation-scope.ts";
import { readMember } from "./util/read-member.ts";

/** Told what was expected and what came; never content. */
export type ReportProblem = (field: string, message: string) => void;

const EXPECTED_IDENTIFIER = `expected 1 to ${MAX_IDENTIFIER_LENGTH} characters without control characters`;

/** Who an interaction belongs to, checked. */
export interface Identity {
  readonly agentId: string;
  readonly sessionId: string;
  readonly conversationId?: string | undefined;
  readonly userId?: string | undefined;
  readonly requestId?: string | undefined;
}

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
  report(field, `${EXPECTED_IDENTIFIER} (got ${describeValue(value)}); it is left out`);
  return undefined;
}

/** Why it can't be told whom an interaction belongs to. */
export interface NoIdentity {
  readonly problem: { readonly field: string; readonly message: string };
}

/** Identifiers as the caller passed them. */
export interface GivenIdentity {
  readonly agentId: unknown;
  readonly sessionId: unknown;
  readonly conversationId?: unknown;
  readonly userId?: unknown;
  readonly requestId?: unknown;
}

/** Gives the surrounding `conversation()`, if it is about this agent and session. */
function toScope(agentId: string, sessionId: string): ConversationScope | undefined {
  const current = currentConversationScope();
  return current?.agentId === agentId && current.sessionId === sessionId ? current : undefined;
}

/**
 * Checks the identifiers of an interaction and completes them from the options and from the surrounding
 * `conversation()`.
 *
 * @returns The problem when agent or session can't be told; any other problem is reported.
 */
export function toIdentity(
  given: GivenIdentity,
  options: unknown,
  report: ReportProblem,
): Identity | NoIdentity {
  const agentId = given.agentId;
  const sessionId =
    toOptionalIdentifier(readArgument(options, "sessionId"), "options.sessionId", report) ??
    given.sessionId;
  if (!isAgentId(agentId)) {
    const message = `${EXPECTED_IDENTIFIER}, not "." or ".." (got ${describeValue(agentId)})`;
    return { problem: { field: "agentId", message } };
  }
  if (!isIdentifier(sessionId)) {
    const message = `${EXPECTED_IDENTIFIER} (got ${describeValue(sessionId)})`;
    return { problem: { field: "sessionId", message } };
  }
  const scope = toScope(agentId, sessionId);
  const option = (name: string): string | undefined =>
    toOptionalIdentifier(readArgument(options, name), `options.${name}`, report);
  return {
    agentId,
    sessionId,
    conversationId:
      toOptionalIdentifier(given.conversationId, "conversationId", report) ?? scope?.conversationId,
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
  report(`options.${name}`, `expected a boolean (got ${describeValue(value)}); it is left out`);
  return undefined;
}

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
  const category = agentCategorySchema.optional().safeParse(readArgument(options, "agentCategory"));
  const specialty = bankingSpecialtySchema
    .optional()
    .safeParse(readArgument(options, "agentSpecialty"));
  if (!category.success)
    report("options.agentCategory", "expected an AgentCategory; it is left out");
  if (!specialty.success)
    report("options.agentSpecialty", "expected a BankingSpecialty; it is left out");
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
  report(field, `expected ms >= 0 (got ${describeValue(value)}); it is left out`);
  return undefined;
}
