import { complianceSettingsSchema, type ComplianceSettings } from "../events/agent.ts";
import type { InteractionContext } from "../events/compliance.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { isRecord, parseJson } from "../util/values.ts";
import { toJsonValue } from "../util/safe-json.ts";

/** Bound in UTF-16 units of JSON: a longer exchange is not kept. */
const MAX_LENGTH = 1024 * 1024;

/** What the check of an answer needs, so that another process can make up for it. */
export interface KeptExchange {
  /** The answer's event. */
  readonly eventId: string;
  /** What the rules see. */
  readonly context: InteractionContext;
  /** What applied to the agent when it answered. */
  readonly settings: ComplianceSettings;
  /** What the caller said of checks for this one answer. */
  readonly complianceChecks?: boolean | undefined;
  /** Whether redaction has taken something out of it: then no check of it is a whole one. */
  readonly isRedacted?: boolean;
}

/** Takes out what the platform may not see: it doesn't lie on the disk either, encrypted or not. */
function redact(exchange: KeptExchange, redactor: Redactor): KeptExchange | undefined {
  const { agentId, sessionId, userId, agentCategory, timestamp, ...content } = exchange.context;
  const redacted: unknown = redactor.value(content);
  // As a whole it was beyond redacting.
  if (!isRecord(redacted)) return undefined;
  const context: InteractionContext = {
    ...(redacted as typeof content),
    agentCategory,
    timestamp,
    agentId: redactor.identifier(agentId),
    sessionId: redactor.identifier(sessionId),
    ...(userId !== undefined && { userId: redactor.identifier(userId) }),
  };
  return redacted === content
    ? { ...exchange, context }
    : { ...exchange, context, isRedacted: true };
}

/**
 * Writes what the check of an answer needs as JSON, redacted as its event is.
 *
 * @returns `undefined` for what is too long, or can't be written.
 */
export function writeKeptExchange(
  exchange: KeptExchange,
  redactor: Redactor | undefined,
): string | undefined {
  const { agentResponse = "", userMessage = "" } = exchange.context;
  if (agentResponse.length + userMessage.length > MAX_LENGTH) return undefined;
  const kept = redactor ? redact(exchange, redactor) : exchange;
  if (!kept) return undefined;
  const { value, truncated } = toJsonValue(kept, MAX_LENGTH);
  return truncated ? undefined : JSON.stringify(value);
}

/** Reads what was written; `undefined` when it is something else. The engine bears whatever the context holds. */
export function readKeptExchange(json: string): KeptExchange | undefined {
  const value = parseJson(json);
  if (!isRecord(value) || typeof value["eventId"] !== "string") return undefined;
  const { eventId, context, complianceChecks, isRedacted } = value;
  const settings = complianceSettingsSchema.safeParse(value["settings"]);
  if (!isRecord(context) || !settings.success) return undefined;
  if (typeof context["agentId"] !== "string" || typeof context["sessionId"] !== "string")
    return undefined;
  return {
    eventId,
    context: context as unknown as InteractionContext,
    settings: settings.data,
    ...(typeof complianceChecks === "boolean" && { complianceChecks }),
    ...(isRedacted === true && { isRedacted }),
  };
}
