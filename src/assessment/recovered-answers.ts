import type { ComplianceEngine } from "../compliance/engine.ts";
import { SessionMemory } from "../compliance/session-memory.ts";
import { type CompleteEvent, PendingEvent } from "../delivery/pending-event.ts";
import { complianceSettingsSchema } from "../events/agent.ts";
import type { InteractionContext } from "../events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "../events/detailed-event.ts";
import { redactFlag } from "../redaction/redact-event.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Clock } from "../util/clock.ts";
import { toJsonValue } from "../util/safe-json.ts";
import { isRecord, type JsonValue, parseJson } from "../util/values.ts";
import type { AnswerCheck, EarlyAnswer } from "./answer-check.ts";
import { attachVerdict, isUncheckedAnswer, toSaid, withoutUnreadMark } from "./answer-verdict.ts";

/** Bound in UTF-16 units of JSON: a longer exchange is not kept. */
const MAX_LENGTH = 1024 * 1024;

/** What the check of an answer needs, so that another process can make up for it. */
export interface KeptExchange extends Pick<
  EarlyAnswer,
  "context" | "settings" | "complianceChecks"
> {
  /** The answer's event. */
  readonly eventId: string;
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
function readKeptExchange(json: string): KeptExchange | undefined {
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

/** What an answer's recovery works with. */
export interface AnswerRecoveryOptions {
  readonly answerCheck: Pick<
    AnswerCheck,
    "whenReady" | "follow" | "emitBeside" | "toChecked" | "handOver"
  >;
  /** Redacts findings; absent when the platform gets everything. */
  readonly redactor: Redactor | undefined;
  readonly eventSizeLimit: number;
  readonly clock: Clock;
}

/** Reads an event as it is kept; `undefined` when it has its last form. */
function readUnchecked(json: string): DetailedEvent | undefined {
  const value = JSON.parse(json) as JsonValue;
  if (!isRecord(value)) return undefined;
  const { writerId: _writer, sequence: _sequence, ...members } = value;
  // Nobody but us writes there.
  const event = members as unknown as DetailedEvent;
  const isOpen =
    event.interactionType === "agent_response"
      ? isUncheckedAnswer(event)
      : withoutUnreadMark(event) !== undefined;
  return isOpen ? event : undefined;
}

/** Takes the mark off an answer that no rule had seen. */
function withoutMark({ metadata, ...event }: AgentResponseEvent): AgentResponseEvent {
  const { evaluated: _, ...rest } = metadata ?? {};
  return Object.keys(rest).length > 0 ? { ...event, metadata: rest } : event;
}

/** Creates what checks the answers that an earlier process was killed with before its rules were ready. */
export function createAnswerRecovery(options: AnswerRecoveryOptions): CompleteEvent {
  const { redactor, answerCheck, eventSizeLimit } = options;
  // The sessions of those processes: what this one has seen of a session came later.
  const memory = new SessionMemory(options.clock);

  const check = (
    engine: ComplianceEngine,
    unchecked: DetailedEvent,
    { context, settings, isRedacted = false }: KeptExchange,
  ): DetailedEvent | undefined => {
    const result = engine.evaluateApart(context, settings, memory, engine.wantedForJudge);
    if (!result.metadata.evaluated) return undefined;
    if (unchecked.interactionType !== "agent_response") {
      const said = toSaid(unchecked, context.agentResponse ?? "");
      attachVerdict(result, said);
      answerCheck.emitBeside(said);
      answerCheck.follow(result, said);
      answerCheck.handOver(answerCheck.toChecked(said, result, context));
      return isRedacted ? undefined : withoutUnreadMark(unchecked);
    }
    const event = isRedacted ? { ...unchecked } : withoutMark(unchecked);
    attachVerdict(result, event);
    answerCheck.follow(result, event);
    answerCheck.handOver(answerCheck.toChecked(event, result, context));
    // What was taken out no rule has seen: it is still for people to judge.
    if (isRedacted) event.requiresReview = true;
    if (redactor)
      event.complianceFlags = result.violations.map((flag) => redactFlag(flag, redactor));
    return event;
  };

  return async (json, exchangeJson) => {
    try {
      const exchange = readKeptExchange(exchangeJson.toString());
      const event = readUnchecked(json.toString());
      if (!exchange || event?.eventId !== exchange.eventId) return "unchanged";
      const engine = await answerCheck.whenReady(exchange.complianceChecks);
      if (engine === "closed") return "not_now";
      const checked = engine === "off" ? undefined : check(engine, event, exchange);
      return checked ? new PendingEvent(checked, 0, eventSizeLimit) : "unchanged";
    } catch {
      return "unchanged";
    }
  };
}
