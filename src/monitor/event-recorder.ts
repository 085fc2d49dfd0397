import type { AnswerCheck, CheckedAnswer, EarlyAnswer } from "../assessment/answer-check.ts";
import type { Subject } from "../assessment/interaction-context.ts";
import {
  isUncheckedAnswer,
  markUnread,
  toSaid,
  toUncheckedAnswer,
} from "../assessment/answer-verdict.ts";
import { writeKeptExchange } from "../assessment/recovered-answers.ts";
import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import { PendingEvent } from "../delivery/pending-event.ts";
import type { PlatformPath, RecordResult } from "../delivery/platform-path.ts";
import { EVENT_NAMES } from "../telemetry/attribute-mapping.ts";
import type { PublicScore } from "../telemetry/compliance-assessment.ts";
import type { Conversation } from "../telemetry/conversations.ts";
import type { AssessedAnswer, CleanJudgement } from "../telemetry/finding-record.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { TelemetryPath } from "../otlp/telemetry-policy.ts";
import { redactEvent } from "../redaction/redact-event.ts";
import type { Redactor } from "../redaction/redactor.ts";
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

/** Returns the verdict on an answer that was checked elsewhere. */
export type ToKnownVerdict = () => ComplianceEvaluation | undefined;

/** Where an event goes. */
export interface EventPaths {
  /** Absent where the platform has it from somewhere else. */
  readonly platform: boolean;
  /** Absent where the other backends have the telemetry of which it was made. */
  readonly telemetry: boolean;
}

/** Writes an event as telemetry. */
type WriteTelemetry = ReturnType<Telemetry["recordLater"]>;

/** An event whose last form is still to come, and its place among the events to be delivered. */
interface StoredAnswer {
  readonly provisional: PendingEvent;
  readonly result: RecordResult;
}

/** Redacts whom a record is about. */
function redactIdentity(answer: AssessedAnswer, redactor: Redactor): AssessedAnswer {
  const { eventId, ...names } = answer;
  const redacted = Object.entries(names).map(([name, value]: [string, string | undefined]) => [
    name,
    value === undefined ? value : redactor.identifier(value),
  ]);
  return { eventId, ...Object.fromEntries(redacted) } as AssessedAnswer;
}

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
   * Hands a tool call to the platform path, and has checked what the agent said beside asking for it: what is found is told of the
   * call.
   */
  deliverWithText(
    call: DetailedEvent,
    text: string,
    subject: Subject,
    approximateBytes: number,
  ): RecordResult {
    const { answerCheck } = this.#options;
    const said = toSaid(call, text);
    const answer = { event: said, content: text, subject, options: undefined };
    if (answerCheck.mustWait(undefined))
      return this.#deliverUnread(call, answerCheck.toEarly(answer), approximateBytes);
    const result = this.deliver(call, approximateBytes);
    const { handOver } = answerCheck.check(answer);
    answerCheck.emitBeside(said, subject);
    handOver();
    return result;
  }

  /** Delivers a tool call as one whose text no rule has seen, until one has. */
  #deliverUnread(call: DetailedEvent, early: EarlyAnswer, approximateBytes: number): RecordResult {
    const { platform, answerCheck } = this.#options;
    const unread = markUnread(call);
    const { provisional, result } = this.#keep(unread, early, approximateBytes);
    answerCheck.checkLater(early, undefined, (said) => {
      const isRead = !isUncheckedAnswer(said);
      if (isRead) answerCheck.emitBeside(said, early.subject);
      const last = this.#toKept(isRead ? call : unread);
      platform.replace(provisional, this.#toPending(last, approximateBytes));
    });
    return result;
  }

  /**
   * Hands an event that is no answer to its paths.
   *
   * @param publicScore - Of an answer with confidential findings.
   * @returns `undefined` when the platform is none of its paths.
   */
  record(
    event: DetailedEvent,
    approximateBytes: number,
    { conversation, agent }: Subject,
    paths: EventPaths,
    publicScore?: PublicScore,
  ): RecordResult | undefined {
    const { telemetryPath: path, platformRedactor, answerCheck } = this.#options;
    const redactor = platformRedactor ?? (paths.telemetry ? path.redactor : undefined);
    const redacted = redactor ? redactEvent(event, redactor) : event;
    const result = paths.platform
      ? this.#deliver(platformRedactor ? redacted : event, approximateBytes)
      : undefined;
    if (!paths.telemetry) return result;
    const write = (): void =>
      path.telemetry.record(path.redactor ? redacted : event, conversation, agent, publicScore);
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
    const { telemetryPath: path, platformRedactor } = this.#options;
    const redactor = platformRedactor ?? path.redactor;
    const redacted = redactor ? redactEvent(event, redactor) : event;
    this.#deliver(platformRedactor ? redacted : event, approximateBytes);
    const told = path.redactor ? redacted : event;
    this.#writeTelemetry(() => path.telemetry.recordApart(told, conversation));
  }

  /** Records on the telemetry path alone that a judge has found nothing. */
  recordClean(judgement: CleanJudgement, answer: AssessedAnswer, timestamp: number): void {
    const { telemetry, redactor } = this.#options.telemetryPath;
    const told = redactor ? redactIdentity(answer, redactor) : answer;
    this.#writeTelemetry(() => telemetry.recordClean(judgement, told, timestamp));
  }

  /**
   * Has an answer checked, and hands it to its paths, as `record` does.
   *
   * @param toKnown - Returns the verdict, when the answer was checked before.
   */
  recordAnswer(
    answer: CheckedAnswer,
    approximateBytes: number,
    paths: EventPaths,
    toKnown?: ToKnownVerdict,
  ): RecordResult | undefined {
    const { answerCheck } = this.#options;
    const { event, subject } = answer;
    if (answerCheck.mustWait(answer.options))
      return this.#recordEarly(answerCheck.toEarly(answer), approximateBytes, paths, toKnown);
    const { handOver, publicScore } = answerCheck.check(answer, toKnown?.());
    const bytes = approximateBytes + toFlagBytes(event);
    const result = this.record(event, bytes, subject, paths, publicScore);
    handOver();
    return result;
  }

  #recordEarly(
    answer: EarlyAnswer,
    approximateBytes: number,
    paths: EventPaths,
    toKnown: ToKnownVerdict | undefined,
  ): RecordResult | undefined {
    const stored = paths.platform ? this.#store(answer, approximateBytes) : undefined;
    const write = paths.telemetry ? this.#writeEarly(answer) : undefined;
    this.#checkLater(answer, stored?.provisional, toKnown, write);
    return stored?.result;
  }

  /** Writes an answer as one that no rule has seen. @returns Writes it with what the rules found. */
  #writeEarly({ event, subject }: EarlyAnswer): WriteTelemetry {
    const { telemetry, redactor } = this.#options.telemetryPath;
    const toTold = (told: DetailedEvent): DetailedEvent =>
      redactor ? redactEvent(told, redactor) : told;
    let write: WriteTelemetry = (told, publicScore) =>
      telemetry.record(told, subject.conversation, subject.agent, publicScore);
    this.#writeTelemetry(() => {
      write = telemetry.recordLater(toTold(event), subject.conversation, subject.agent);
    });
    return (checked, publicScore) =>
      this.#writeTelemetry(() => write(toTold(checked), publicScore));
  }

  /** Stores an answer as one that no rule has seen, and with what another process would need to check it. */
  #store(early: EarlyAnswer, bytes: number): StoredAnswer {
    return this.#keep(toUncheckedAnswer(early.event), early, bytes);
  }

  #keep(
    marked: DetailedEvent,
    { context, settings, options }: EarlyAnswer,
    bytes: number,
  ): StoredAnswer {
    const { platform, platformRedactor, eventSizeLimit } = this.#options;
    const unchecked = this.#toKept(marked);
    const { complianceChecks } = options ?? {};
    const exchange = { eventId: marked.eventId, context, settings, complianceChecks };
    const provisional = new PendingEvent(unchecked, bytes, eventSizeLimit, true, () =>
      writeKeptExchange(exchange, platformRedactor),
    );
    const result = platform.record(EVENT_NAMES[marked.interactionType], provisional);
    return { provisional, result };
  }

  /** Puts an answer as it is when it is checked in the place of what was stored. */
  #checkLater(
    answer: EarlyAnswer,
    provisional: PendingEvent | undefined,
    toKnown: ToKnownVerdict | undefined,
    write: WriteTelemetry | undefined,
  ): void {
    const { platform, answerCheck } = this.#options;
    answerCheck.checkLater(answer, toKnown, (event, publicScore) => {
      if (provisional) {
        const bytes = provisional.approximateBytes + toFlagBytes(event);
        platform.replace(provisional, this.#toPending(this.#toKept(event), bytes));
      }
      write?.(event, publicScore);
    });
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
