import * as z from "zod";
import { lazyEnum, lazyObject, lazySchema } from "./lazy-schema.ts";

export const agentCategorySchema = lazyEnum("persona", "tool_calling", "workflow", "autonomous");
/** Type of agent. */
export type AgentCategory = z.infer<typeof agentCategorySchema>;

export const bankingSpecialtySchema = lazyEnum(
  "generalist",
  "personal_banking",
  "business_banking",
  "wealth_management",
  "mortgage_lending",
  "investment_services",
  "fraud_detection",
  "customer_service",
  "compliance",
);
/** Banking domain of an agent. */
export type BankingSpecialty = z.infer<typeof bankingSpecialtySchema>;

/** Longest identifier that is accepted, in UTF-16 units. */
export const MAX_IDENTIFIER_LENGTH = 256;

/** Version of the event schema, written to `version` of every event and `batchVersion` of every batch. */
export const EVENT_SCHEMA_VERSION = "1.0";

// C0, DEL and C1: they break log lines and HTTP headers, and no identifier needs them.
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;

/** Returns whether a value is 1 to 256 characters without control characters. */
export function isIdentifier(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length > 0 &&
    value.length <= MAX_IDENTIFIER_LENGTH &&
    !CONTROL_CHARACTERS.test(value) &&
    // Half a surrogate pair has no UTF-8 form, so it would arrive as another identifier.
    value.isWellFormed()
  );
}

const IDENTIFIER_RULE = `expected 1 to ${MAX_IDENTIFIER_LENGTH} characters without control characters`;

/** Accepts 1 to 256 characters without control characters. */
export const identifierSchema = lazySchema(() =>
  z.string().refine(isIdentifier, { error: IDENTIFIER_RULE }),
);

/** Returns whether a value can identify an agent: an identifier that a URL path keeps (`.` and `..` vanish there). */
export function isAgentId(value: unknown): value is string {
  return isIdentifier(value) && value !== "." && value !== "..";
}

/** Accepts an identifier that is not `.` or `..`. */
export const agentIdSchema = lazySchema(() =>
  z.string().refine(isAgentId, { error: `${IDENTIFIER_RULE}, not "." or ".."` }),
);

/** Accepts integer milliseconds since the Unix epoch. */
export const timestampSchema = lazySchema(() => z.int().nonnegative());

export const environmentSchema = lazyEnum("production", "staging", "development");
/** Deployment that produced an event. */
export type Environment = z.infer<typeof environmentSchema>;

/** The seven kinds of the specification, and `compliance_violation`, which `track` accepts as an extension. */
export const eventTypeSchema = lazyEnum(
  "conversation_start",
  "user_message",
  "agent_response",
  "tool_call",
  "tool_result",
  "error",
  "conversation_end",
  "compliance_violation",
);
/** Kind of interaction. */
export type EventType = z.infer<typeof eventTypeSchema>;

export const errorSeveritySchema = lazyEnum("low", "medium", "high", "critical");
/** Severity of an error. */
export type ErrorSeverity = z.infer<typeof errorSeveritySchema>;

export const riskLevelSchema = lazyEnum("low", "medium", "high");
/** Risk of using a tool. */
export type RiskLevel = z.infer<typeof riskLevelSchema>;

export const impactLevelSchema = lazyEnum("none", "minimal", "moderate", "high");
/** Effect of an error or a finding. */
export type ImpactLevel = z.infer<typeof impactLevelSchema>;

export const errorSourceSchema = lazyEnum("client", "server", "external", "unknown");
/** Source of an error. */
export type ErrorSource = z.infer<typeof errorSourceSchema>;

export const resolutionStatusSchema = lazyEnum("resolved", "unresolved", "escalated", "abandoned");
/** Outcome of a conversation. */
export type ResolutionStatus = z.infer<typeof resolutionStatusSchema>;

export const endReasonSchema = lazyEnum("user_initiated", "timeout", "error", "system_initiated");
/** Reason why a conversation ended. */
export type EndReason = z.infer<typeof endReasonSchema>;

export const baseEventSchema = lazyObject(() => ({
  eventId: identifierSchema.describe("Unique id of the event (UUID v7)."),
  timestamp: timestampSchema.describe("When it happened, milliseconds since the Unix epoch."),
  sessionId: identifierSchema.describe("Session identifier."),
  agentId: agentIdSchema.describe("Agent identifier, unique within the organization."),
  userId: identifierSchema.optional().describe("User identifier."),
  conversationId: identifierSchema
    .optional()
    .describe("Conversation identifier, if the caller gave one."),
  environment: environmentSchema.describe("Deployment that produced the event."),
  requestId: identifierSchema.describe("Request identifier; a UUID when the caller gave none."),
  version: z.string().optional().describe("Version of the event schema."),
  agentVersion: z
    .string()
    .optional()
    .describe("Version of the agent when it happened (an extension)."),
  agentCategory: agentCategorySchema
    .optional()
    .describe("Category of the agent when it happened (an extension)."),
  agentSpecialty: bankingSpecialtySchema
    .optional()
    .describe("Specialty of the agent when it happened (an extension)."),
}));
/** Fields common to all detailed events. */
export type BaseEvent = z.infer<typeof baseEventSchema>;
