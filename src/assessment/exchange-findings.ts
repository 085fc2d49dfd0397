import { ROOT_CONTEXT, trace, type Attributes, type SpanContext } from "@opentelemetry/api";
import type { LogRecord } from "@opentelemetry/api-logs";
import { AnswerMemory } from "../bridge/answer-memory.ts";
import { isWritable, type SdkSpan, type WritableSpan } from "../bridge/assembly/open-spans.ts";
import type { SpanExchange } from "../bridge/span-exchange.ts";
import type { SpanAncestry } from "../bridge/span-ancestry.ts";
import type { ContentPolicy } from "../config/config.ts";
import type { ExchangeCheck, ExchangeOrigin } from "./exchange-check.ts";
import {
  rollUpOf,
  toAssessmentAttributes,
  type ComplianceAssessment,
} from "../telemetry/compliance-assessment.ts";
import {
  emitRecords,
  toAssessmentRecords,
  toFindingRecords,
  toTextFilter,
  type TextFilter,
} from "../telemetry/finding-record.ts";
import type { SignalSource } from "../telemetry/providers.ts";
import * as semconv from "../semconv.ts";

/** What belongs to an instrumentation scope. */
export interface Scoped {
  readonly instrumentationScope?: { readonly name: string };
}

/** Tells whether a span or a log record is the monitor's; its spans stand for an agent: a turn, or a conversation. */
export function isOwn({ instrumentationScope }: Scoped): boolean {
  return instrumentationScope?.name === semconv.SCOPE_NAME;
}

/** Where an exchange was found; the span when it is open, its context at any rate. */
export interface ExchangePlace {
  readonly spanContext: SpanContext | undefined;
  readonly span: SdkSpan | undefined;
}

/** What an ExchangeFindings works with. */
export interface ExchangeFindingsOptions {
  readonly check: ExchangeCheck;
  readonly signals: SignalSource;
  readonly content: ContentPolicy;
  readonly redact: TextFilter | undefined;
  readonly surroundings: SpanAncestry;
}

function toOrigin({ spanContext, span }: ExchangePlace): ExchangeOrigin {
  const serviceName = span?.resource?.attributes[semconv.ATTR_SERVICE_NAME];
  return {
    traceId: spanContext?.traceId ?? "unknown",
    ...(typeof serviceName === "string" && { serviceName }),
  };
}

function addToRun(span: WritableSpan, assessment: ComplianceAssessment, own?: Attributes): void {
  const rollUp = rollUpOf(span);
  rollUp.add(assessment);
  span.setAttributes({ ...own, ...rollUp.toAttributes() });
}

/** Has exchanges checked, each once, and writes what is found on their spans, on the agents above and as records. */
export class ExchangeFindings {
  readonly #options: ExchangeFindingsOptions;
  readonly #filter: TextFilter | undefined;
  readonly #answers = new AnswerMemory<ComplianceAssessment>();

  constructor(options: ExchangeFindingsOptions) {
    this.#options = options;
    this.#filter = toTextFilter(options.content, options.redact);
  }

  /** Says on a span that no rule has seen its answer, unless something better is known already. */
  markUnseen(span: SdkSpan): void {
    const { attributes } = span;
    const isMarked =
      attributes[semconv.ATTR_COMPLIANCE_EVALUATED] !== undefined ||
      attributes[semconv.ATTR_COMPLIANCE_RISK_SCORE] !== undefined;
    if (!isMarked && isWritable(span)) {
      span.setAttributes({ [semconv.ATTR_COMPLIANCE_EVALUATED]: false });
    }
  }

  /**
   * Checks an exchange; one that was checked before, in another span of the trace, is only written down.
   *
   * When the rules are not ready, its span says so, and the findings follow as records in its context.
   */
  judge(exchange: SpanExchange, place: ExchangePlace): void {
    const { preparation } = this.#options.check;
    if (preparation.isDone) {
      this.#judge(exchange, place);
      return;
    }
    if (place.span) this.markUnseen(place.span);
    const { userMessage = "", agentResponse = "" } = exchange;
    preparation.defer((isPrepared) => {
      if (isPrepared) this.#judge(exchange, place);
    }, userMessage.length + agentResponse.length);
  }

  #judge(exchange: SpanExchange, place: ExchangePlace): void {
    const { span, spanContext } = place;
    const known = spanContext && this.#answers.find(spanContext.traceId, exchange);
    const assessment =
      known ??
      this.#options.check.check(exchange, toOrigin(place), (findings) =>
        this.#emit(toFindingRecords(findings, exchange, this.#filter), spanContext),
      );
    if (!assessment) {
      if (span) this.markUnseen(span);
      return;
    }
    if (!known && spanContext) this.#answers.remember(spanContext.traceId, exchange, assessment);
    if (span) this.#annotate(span, assessment, exchange.role, known !== undefined);
    if (!known) this.#emit(toAssessmentRecords(assessment, exchange, this.#filter), spanContext);
  }

  clear(): void {
    this.#answers.clear();
  }

  #annotate(
    span: SdkSpan,
    assessment: ComplianceAssessment,
    role: SpanExchange["role"],
    isKnown: boolean,
  ): void {
    const { content, surroundings } = this.#options;
    if (isWritable(span)) {
      const attributes = toAssessmentAttributes(assessment, content);
      if (role === "agent") addToRun(span, assessment, isKnown ? undefined : attributes);
      else span.setAttributes(attributes);
    }
    const run = isKnown ? undefined : surroundings.findRun(span, isOwn);
    if (run) addToRun(run, assessment);
  }

  #emit(records: readonly LogRecord[], spanContext: SpanContext | undefined): void {
    const logger = this.#options.signals.logger();
    if (!logger) return;
    const context = spanContext ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
    emitRecords(logger, records, context);
  }
}
