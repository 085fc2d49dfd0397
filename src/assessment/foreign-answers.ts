import { ROOT_CONTEXT, trace, type Attributes, type SpanContext } from "@opentelemetry/api";
import type { LogRecord } from "@opentelemetry/api-logs";
import { AnswerMemory } from "../bridge/answer-memory.ts";
import { type SpanAncestry, type WritableSpan, isWritable } from "../bridge/assembly/open-spans.ts";
import type { SdkSpan } from "../bridge/bridge-span.ts";
import type { AssessedExchange, SpanExchange } from "../bridge/span-record.ts";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { ContentPolicy } from "../config/config.ts";
import type { InteractionContext } from "../events/compliance.ts";
import * as semconv from "../semconv.ts";
import {
  isConfidential,
  rollUpOf,
  toAssessmentAttributes,
  type ComplianceAssessment,
} from "../telemetry/compliance-assessment.ts";
import {
  type TextFilter,
  emitRecords,
  toAssessmentRecords,
  toFindingRecords,
  toTextFilter,
} from "../telemetry/finding-record.ts";
import type { SignalSource } from "../telemetry/providers.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import { Assessor } from "./assessor.ts";
import { toPublicAssessment } from "./public-assessment.ts";

/** What belongs to an instrumentation scope. */
export interface Scoped {
  readonly instrumentationScope?: { readonly name: string };
}

/** Returns whether a span or a log record is the monitor's; its spans stand for an agent: a turn, or a conversation. */
export function isOwn({ instrumentationScope }: Scoped): boolean {
  return instrumentationScope?.name === semconv.SCOPE_NAME;
}

/** Where an exchange was found; the span when it is open, its context at any rate. */
export interface ExchangePlace {
  readonly spanContext: SpanContext | undefined;
  readonly span: SdkSpan | undefined;
}

/** What is known of an answer. It has no texts: it is remembered for the other spans of the trace that carry the answer. */
interface Verdict {
  /** What the rules said; absent until they are ready. */
  evaluation?: ComplianceEvaluation;
  /** What telemetry may say of it; absent where no rule could judge it. */
  assessment?: ComplianceAssessment;
}

/** An answer of another instrumentation: it is assessed once, and what is known of it goes with it to its event. */
export class ForeignAnswer implements AssessedExchange {
  readonly exchange: SpanExchange;
  readonly verdict: Verdict;

  constructor(exchange: SpanExchange, verdict: Verdict) {
    this.exchange = exchange;
    this.verdict = verdict;
  }
}

/** What a ForeignAnswers works with. */
export interface ForeignAnswersOptions {
  readonly engine: ComplianceEngine;
  readonly clock: Clock;
  readonly log: BurstLogger;
  readonly signals: SignalSource;
  readonly content: ContentPolicy;
  readonly redact: TextFilter | undefined;
  readonly ancestry: SpanAncestry;
}

const UNSEEN: Attributes = { [semconv.ATTR_COMPLIANCE_EVALUATED]: false };

function readServiceName({ span }: ExchangePlace): string | undefined {
  const name = span?.resource?.attributes[semconv.ATTR_SERVICE_NAME];
  return typeof name === "string" ? name : undefined;
}

/** Returns the context in which rules evaluate the answer of a span, in part by guess: its trace stands for a session, its service for an agent. */
function toContext(exchange: SpanExchange, place: ExchangePlace, now: number): InteractionContext {
  const { agentId, agentName, conversationId, sessionId, userId } = exchange;
  const { userMessage, agentResponse, toolsUsed } = exchange;
  return {
    agentId: agentId ?? agentName ?? readServiceName(place) ?? "unknown",
    agentCategory: "tool_calling",
    sessionId: conversationId ?? sessionId ?? place.spanContext?.traceId ?? "unknown",
    timestamp: now,
    ...(userId !== undefined && { userId }),
    ...(userMessage !== undefined && { userMessage }),
    ...(agentResponse !== undefined && { agentResponse }),
    ...(toolsUsed && { toolsUsed: [...toolsUsed] }),
  };
}

function addToRun(span: WritableSpan, assessment: ComplianceAssessment, own?: Attributes): void {
  const rollUp = rollUpOf(span);
  rollUp.add(assessment);
  span.setAttributes({ ...own, ...rollUp.toAttributes() });
}

/** Assesses the answers of other instrumentations, each once, and writes what is found on their spans, on the agents above and as records. */
export class ForeignAnswers {
  readonly #options: ForeignAnswersOptions;
  readonly #filter: TextFilter | undefined;
  readonly #assessor: Assessor;
  /** An agent, the model call below it and a second instrumentation of the same call all carry the same answer. */
  readonly #verdicts = new AnswerMemory<Verdict>();

  constructor(options: ForeignAnswersOptions) {
    this.#options = options;
    this.#filter = toTextFilter(options.content, options.redact);
    const message = "late findings could not be written";
    this.#assessor = new Assessor({ log: options.log, level: "warn", message });
  }

  /** Says on a span that no rule has seen its answer, unless something better is known already. */
  markUnseen(span: SdkSpan): void {
    const { attributes } = span;
    const isMarked =
      attributes[semconv.ATTR_COMPLIANCE_EVALUATED] !== undefined ||
      attributes[semconv.ATTR_COMPLIANCE_RISK_SCORE] !== undefined;
    if (!isMarked && isWritable(span)) span.setAttributes(UNSEEN);
  }

  /** Returns what the span of an answer is to say of it. */
  toAttributes(answer: ForeignAnswer | undefined): Attributes {
    const assessment = answer?.verdict.assessment;
    return assessment ? toAssessmentAttributes(assessment, this.#options.content) : UNSEEN;
  }

  /** Returns an exchange with what is known of its answer, which another span of the trace may have carried. */
  meet(exchange: SpanExchange, spanContext: SpanContext | undefined): ForeignAnswer {
    const traceId = spanContext?.traceId;
    const known = traceId === undefined ? undefined : this.#verdicts.find(traceId, exchange);
    const verdict = known ?? {};
    if (traceId !== undefined && !known) this.#verdicts.remember(traceId, exchange, verdict);
    return new ForeignAnswer(exchange, verdict);
  }

  /**
   * Assesses an answer, and writes what is found; one that is known already is only written down.
   *
   * When the rules are not ready, its span says so, and the findings follow as records in its context.
   */
  assess(answer: ForeignAnswer, place: ExchangePlace): void {
    const { preparation } = this.#options.engine;
    if (preparation.isDone) {
      this.#write(answer, place);
      return;
    }
    if (place.span) this.markUnseen(place.span);
    const { userMessage = "", agentResponse = "" } = answer.exchange;
    preparation.defer((isPrepared) => {
      if (isPrepared) this.#write(answer, place);
    }, userMessage.length + agentResponse.length);
  }

  /** Resolves once what asynchronous rules find by then is reported; they have a quarter of a second at most. */
  settled(): Promise<void> {
    return this.#assessor.settled();
  }

  clear(): void {
    this.#verdicts.clear();
  }

  #write(answer: ForeignAnswer, place: ExchangePlace): void {
    const { span, spanContext } = place;
    const isNew = this.#complete(answer, place);
    const { exchange, verdict } = answer;
    const { assessment } = verdict;
    if (!assessment) {
      if (span) this.markUnseen(span);
      return;
    }
    if (span) this.#annotate(span, exchange.role, assessment, isNew);
    if (isNew) this.#emit(toAssessmentRecords(assessment, exchange, this.#filter), spanContext);
  }

  /** Has the rules say what is not known yet. @returns Whether they have. */
  #complete({ exchange, verdict }: ForeignAnswer, place: ExchangePlace): boolean {
    const { engine, clock } = this.#options;
    if (verdict.evaluation || this.#assessor.isAssessing) return false;
    const context = toContext(exchange, place, clock.now());
    const evaluation = this.#assessor.assess(() =>
      engine.evaluate(context, undefined, engine.wantedForJudge),
    );
    verdict.evaluation = evaluation;
    this.#assessor.follow(evaluation, (findings) => {
      const open = findings.filter((finding) => !isConfidential(finding));
      this.#emit(toFindingRecords(open, exchange, this.#filter), place.spanContext);
    });
    if (!evaluation.metadata.evaluated) return false;
    const assessment = toPublicAssessment(evaluation, context);
    verdict.assessment = exchange.isPartial ? { ...assessment, isPartial: true } : assessment;
    return true;
  }

  #annotate(
    span: SdkSpan,
    role: SpanExchange["role"],
    assessment: ComplianceAssessment,
    isNew: boolean,
  ): void {
    const { content, ancestry } = this.#options;
    if (isWritable(span)) {
      const attributes = toAssessmentAttributes(assessment, content);
      if (role === "agent") addToRun(span, assessment, isNew ? attributes : undefined);
      else span.setAttributes(attributes);
    }
    const run = isNew ? ancestry.findRun(span, isOwn) : undefined;
    if (run) addToRun(run, assessment);
  }

  #emit(records: readonly LogRecord[], spanContext: SpanContext | undefined): void {
    const context = spanContext ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
    emitRecords(this.#options.signals, records, context);
  }
}
