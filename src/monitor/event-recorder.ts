import type { AnswerCheck, CheckedAnswer, EarlyAnswer } from "../assessment/answer-check.ts";
import {
  isUncheckedAnswer,
  markUnread,
  toSaid,
  toUncheckedAnswer,
} from "../assessment/answer-verdict.ts";
import { writeKeptExchange } from "../assessment/recovered-answers.ts";
import { PendingEvent } from "../delivery/pending-event.ts";
import type { PlatformPath, RecordResult } from "../delivery/platform-path.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { TelemetryPath } from "../otlp/telemetry-policy.ts";
import { redactEvent } from "../redaction/redact-event.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { EVENT_NAMES } from "../telemetry/attribute-mapping.ts";
import type { PublicScore } from "../telemetry/compliance-assessment.ts";
import type { Conversation, Subject } from "../telemetry/conversations.ts";
import type { AssessedAnswer, CleanJudgement } from "../telemetry/finding-record.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";

/** What an EventRecorder works with. */
export interface EventRecorderOptions {
  readonly platform: PlatformPath;
  readonly telemetryPath: TelemetryPath;
  readonly answerCheck: AnswerCheck;
  /** Redacts what the platform gets; absent when it gets everything. */
  readonly platformRedactor: Redactor | undefined;
  readonly eventSizeLimit: number;
  readonly log: BurstLogger;
}

/** Where an event goes: the platform may have it from elsewhere, other backends the telemetry of which it was made. */
export type EventPaths = "both" | "platform" | "telemetry";

/** Writes an event as telemetry. */
type WriteTelemetry = ReturnType<Telemetry["recordLater"]>;

/** About the bytes of an answer's findings. */
function toFlagBytes(event: DetailedEvent): number {
  if (event.interactionType !== "agent_response" || !event.complianceFlags?.length) return 0;
  return JSON.stringify(event.complianceFlags).length;
}

/**
 * Hands events to the platform path and to the telemetry path, answers with what the rules found.
 *
 * An answer for which the rules are not ready is stored as one that no rule has seen, so that nothing is lost or waits;
 * its last form takes that place before anything is sent, and its telemetry follows then.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  #hasTelemetryNews = false;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  /** Returns whether something was written as telemetry since the last call. */
  takeTelemetryNews(): boolean {
    const hasNews = this.#hasTelemetryNews;
    this.#hasTelemetryNews = false;
    return hasNews;
  }

  /** Hands an event that is complete to the platform path. */
  deliver(event: DetailedEvent, approximateBytes: number): RecordResult {
    return this.#deliver(this.#toKept(event), approximateBytes);
  }

  /**
   * Hands a tool call to the platform path, and has checked what the agent said beside asking for it: findings are recorded for
   * the call.
   */
  deliverWithText(
    call: DetailedEvent,
    text: string,
    subject: Subject,
    approximateBytes: number,
  ): RecordResult {
    const { answerCheck } = this.#options;
    const said = toSaid(call, text);
    const answer = { event: said, content: text, subject };
    if (answerCheck.mustWait(answer))
      return this.#deliverUnread(call, answerCheck.toEarly(answer), approximateBytes);
    const result = this.deliver(call, approximateBytes);
    const checked = answerCheck.check(answer);
    answerCheck.emitBeside(said, subject);
    answerCheck.handOver(checked);
    return result;
  }

  /** Delivers a tool call as one whose text no rule has seen, until one has. */
  #deliverUnread(call: DetailedEvent, early: EarlyAnswer, approximateBytes: number): RecordResult {
    const { answerCheck } = this.#options;
    const unread = markUnread(call);
    const { provisional, result } = this.#store(unread, early, approximateBytes);
    answerCheck.checkLater(early, (said) => {
      const isRead = !isUncheckedAnswer(said);
      if (isRead) answerCheck.emitBeside(said, early.subject);
      this.#replace(provisional, isRead ? call : unread, approximateBytes);
    });
    return result;
  }

  /**
   * Hands an event to its paths as it is.
   *
   * @param publicScore - Of an answer with confidential findings.
   * @returns `undefined` when the platform is none of its paths.
   */
  record(
    event: DetailedEvent,
    approximateBytes: number,
    subject: Subject,
    paths: EventPaths,
    publicScore?: PublicScore,
  ): RecordResult | undefined {
    const { telemetryPath, answerCheck } = this.#options;
    const kept = this.#toKept(event);
    const result = paths === "telemetry" ? undefined : this.#deliver(kept, approximateBytes);
    if (paths === "platform") return result;
    const shown = this.#toShown(event, kept);
    const write = (): void => telemetryPath.telemetry.record(shown, subject, publicScore);
    // Behind the answers that are still to be written on the spans that it ends.
    if (event.interactionType === "conversation_end" && answerCheck.hasWaiting)
      answerCheck.defer(() => this.#writeTelemetry(write));
    else this.#writeTelemetry(write);
    return result;
  }

  /**
   * Hands an event about an answer of another time to both paths.
   *
   * @param conversation - Of the answer; it is neither begun nor kept open.
   */
  recordApart(event: DetailedEvent, approximateBytes: number, conversation: Conversation): void {
    const { telemetry } = this.#options.telemetryPath;
    const kept = this.#toKept(event);
    this.#deliver(kept, approximateBytes);
    const shown = this.#toShown(event, kept);
    this.#writeTelemetry(() => telemetry.recordApart(shown, conversation));
  }

  /** Records on the telemetry path alone that a judge has found nothing. */
  recordClean(judgement: CleanJudgement, answer: AssessedAnswer, timestamp: number): void {
    const { telemetry, redactor } = this.#options.telemetryPath;
    this.#writeTelemetry(() => telemetry.recordClean(judgement, answer, timestamp, redactor));
  }

  /** Has an answer checked, and hands it to its paths, as `record` does. */
  recordAnswer(
    answer: CheckedAnswer,
    approximateBytes: number,
    paths: EventPaths,
  ): RecordResult | undefined {
    const { answerCheck } = this.#options;
    if (answerCheck.mustWait(answer))
      return this.#recordEarly(answerCheck.toEarly(answer), approximateBytes, paths);
    const { event, subject } = answer;
    const checked = answerCheck.check(answer);
    const bytes = approximateBytes + toFlagBytes(event);
    const result = this.record(event, bytes, subject, paths, checked.publicScore);
    answerCheck.handOver(checked);
    return result;
  }

  /** Records an answer as one that no rule has seen, and as it is when it is checked in the place of that. */
  #recordEarly(
    answer: EarlyAnswer,
    approximateBytes: number,
    paths: EventPaths,
  ): RecordResult | undefined {
    const unchecked = toUncheckedAnswer(answer.event);
    const stored =
      paths === "telemetry" ? undefined : this.#store(unchecked, answer, approximateBytes);
    const write = paths === "platform" ? undefined : this.#writeEarly(answer);
    this.#options.answerCheck.checkLater(answer, (event, publicScore) => {
      if (stored) this.#replace(stored.provisional, event, approximateBytes + toFlagBytes(event));
      write?.(event, publicScore);
    });
    return stored?.result;
  }

  /** Writes an answer as one that no rule has seen. @returns Writes it with what the rules found. */
  #writeEarly({ event, subject }: EarlyAnswer): WriteTelemetry {
    const { telemetry } = this.#options.telemetryPath;
    let write: WriteTelemetry = (shown, publicScore) =>
      telemetry.record(shown, subject, publicScore);
    this.#writeTelemetry(() => {
      write = telemetry.recordLater(this.#toShown(event), subject);
    });
    return (checked, publicScore) =>
      this.#writeTelemetry(() => write(this.#toShown(checked), publicScore));
  }

  /** Stores an event as one that no rule has seen, and with what another process would need to check it. */
  #store(marked: DetailedEvent, early: EarlyAnswer, bytes: number) {
    const { platform, platformRedactor, eventSizeLimit } = this.#options;
    const { context, settings, complianceChecks } = early;
    const exchange = { eventId: marked.eventId, context, settings, complianceChecks };
    const provisional = new PendingEvent(this.#toKept(marked), bytes, eventSizeLimit, true, () =>
      writeKeptExchange(exchange, platformRedactor),
    );
    const result = platform.record(EVENT_NAMES[marked.interactionType], provisional);
    return { provisional, result };
  }

  #replace(provisional: PendingEvent, event: DetailedEvent, bytes: number): void {
    this.#options.platform.replace(provisional, this.#toPending(this.#toKept(event), bytes));
  }

  #deliver(event: DetailedEvent, approximateBytes: number): RecordResult {
    const pending = this.#toPending(event, approximateBytes);
    return this.#options.platform.record(EVENT_NAMES[event.interactionType], pending);
  }

  #toPending(event: DetailedEvent, approximateBytes: number): PendingEvent {
    return new PendingEvent(event, approximateBytes, this.#options.eventSizeLimit);
  }

  /** Returns an event as the platform may see it. */
  #toKept(event: DetailedEvent): DetailedEvent {
    const { platformRedactor } = this.#options;
    return platformRedactor ? redactEvent(event, platformRedactor) : event;
  }

  /**
   * Returns an event as the telemetry path may see it.
   *
   * @param kept - The event as the platform may see it, if that is known: it is redacted once for both.
   */
  #toShown(event: DetailedEvent, kept?: DetailedEvent): DetailedEvent {
    const { platformRedactor, telemetryPath } = this.#options;
    if (!telemetryPath.redactor) return event;
    return kept && platformRedactor ? kept : redactEvent(event, telemetryPath.redactor);
  }

  #writeTelemetry(write: () => void): void {
    this.#hasTelemetryNews = true;
    try {
      write();
    } catch (error) {
      // The application's own processors run here; the event itself is safe already.
      const { log } = this.#options;
      log.log("warn", "telemetry", "writing telemetry failed", { error: toErrorName(error) });
    }
  }
}
