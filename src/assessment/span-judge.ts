import type { LoggerProvider } from "@opentelemetry/api-logs";
import type { Attributes } from "@opentelemetry/api";
import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, Span } from "@opentelemetry/sdk-trace-base";
import { OpenSpans, SpanAncestry } from "../bridge/assembly/open-spans.ts";
import { readSpan } from "../bridge/dialects/index.ts";
import { GenAiSpanFilter } from "../bridge/genai-span-filter.ts";
import { RecordExchanges } from "../bridge/reading/read-logs.ts";
import { type RecordLike, type SdkSpan, toEventName } from "../bridge/bridge-span.ts";
import type { SpanExchange } from "../bridge/span-record.ts";
import { createEngine } from "../compliance/deferred-rules.ts";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { Preparation } from "../compliance/preparation.ts";
import type { ContentPolicy } from "../config/config.ts";
import type { Logger } from "../events/utility.ts";
import { createSignalSource } from "../telemetry/providers.ts";
import { type Clock, systemClock } from "../util/clock.ts";
import {
  type BurstLogger,
  createBurstLogger,
  createConsoleLogger,
  toErrorName,
} from "../util/logger.ts";
import {
  ForeignAnswers,
  isOwn,
  type ExchangePlace,
  type ForeignAnswer,
  type Scoped,
} from "./foreign-answers.ts";

/** What a ComplianceSpanProcessor works with. */
export interface ComplianceSpanProcessorOptions {
  /** Checks the answers. @defaultValue an engine with the built-in rules */
  readonly engine?: ComplianceEngine | undefined;
  /** Gets the log records of findings. @defaultValue the global provider, looked up at use */
  readonly loggerProvider?: LoggerProvider | undefined;
  /** Whether findings may quote the conversation. @defaultValue "none" */
  readonly content?: ContentPolicy | undefined;
  /** Redacts quotations under the policy `redacted`; without it they are left out. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Checks spans and log records of the monitor itself as well, whose answers it has checked. @defaultValue false */
  readonly includeOwn?: boolean | undefined;
  /** Is called with failures, never of content. @defaultValue the console, from `warn` on */
  readonly logger?: Logger | undefined;
  /** Time, for the duration of rules; tests hand in their own. */
  readonly clock?: Clock | undefined;
}

/** Checks the answers in GenAI spans and log records, once each, and writes what the rules find. */
export class SpanJudge {
  /** Checks answers whose messages come as log records; its findings go on the open span, too. */
  readonly logRecordProcessor: LogRecordProcessor;
  readonly #log: BurstLogger;
  readonly #includeOwn: boolean;
  readonly #evidence = new GenAiSpanFilter();
  readonly #spans = new OpenSpans();
  readonly #ancestry = new SpanAncestry(this.#spans);
  readonly #records = new RecordExchanges();
  readonly #answers: ForeignAnswers;
  readonly #preparation: Preparation;
  /** Set when this SDK calls `onEnding`, which is experimental there. */
  #isEndingKnown = false;
  #isShutDown = false;

  constructor(options: ComplianceSpanProcessorOptions) {
    const { clock = systemClock, content = "none", includeOwn = false } = options;
    this.#log = createBurstLogger(options.logger ?? createConsoleLogger("warn"), clock);
    const engine = options.engine ?? createEngine({ clock, log: this.#log });
    this.#preparation = engine.preparation;
    this.#answers = new ForeignAnswers({
      engine,
      clock,
      log: this.#log,
      signals: createSignalSource(options),
      content,
      redact: options.redact,
      ancestry: this.#ancestry,
    });
    this.#includeOwn = includeOwn;
    this.logRecordProcessor = {
      onEmit: (record) => void this.onEmit(record),
      forceFlush: () => this.forceFlush(),
      // The processor of spans ends it.
      shutdown: () => {
        this.settle();
        return this.forceFlush();
      },
    };
  }

  /** Takes note of a span that starts. */
  onStart(span: Span): void {
    if (!this.#isShutDown) this.#spans.open(span, this.#evidence.isLikely(span));
  }

  /** Checks the answer in a span that ends, while it can still be written to. @returns What is known of it. */
  onEnding(span: Span): ForeignAnswer | undefined {
    this.#isEndingKnown = true;
    return this.assess(span);
  }

  /** Checks where the SDK has no `onEnding`; the findings then are log records only. @returns What is known then. */
  onEnd(span: ReadableSpan): ForeignAnswer | undefined {
    // Too late to write on the span, but not for a record in its context.
    const answer = this.#isEndingKnown ? undefined : this.assess(span);
    this.#spans.close(span);
    this.#records.close(span.spanContext().spanId);
    return answer;
  }

  /** Checks the answer that a log record brings, on its span if that is open. @returns What is known of it. */
  onEmit(record: RecordLike & Scoped): ForeignAnswer | undefined {
    return this.#guard(() => this.#assessRecord(record));
  }

  /** Checks the answer in a span that no SDK hands over. @returns What is known of it. */
  assess(span: SdkSpan): ForeignAnswer | undefined {
    return this.#guard(() => this.#assessSpan(span));
  }

  /** Returns what the span of an answer is to say of it. */
  toAttributes(answer: ForeignAnswer | undefined): Attributes {
    return this.#answers.toAttributes(answer);
  }

  /**
   * Resolves when the rules are ready. An answer whose span ends earlier has its findings in records alone. Never rejects;
   * behind the end it resolves at once.
   */
  ready(): Promise<void> {
    return this.#preparation.ready();
  }

  /** Waits for what ended before the rules were ready, and for what asynchronous rules find. */
  async forceFlush(): Promise<void> {
    if (this.#preparation.hasTasks) await this.#preparation.ready();
    await this.#answers.settled();
  }

  /** Checks nothing more, behind what ended before the rules were ready, and waits for what asynchronous rules find. */
  shutdown(): Promise<void> {
    this.settle();
    return this.close();
  }

  /** Checks at once what waits for the rules: who gets the records is closing, too. */
  settle(): void {
    if (this.#preparation.hasTasks) this.#preparation.finish();
  }

  /** Takes nothing more; what waits for the rules is still checked. */
  async close(): Promise<void> {
    this.#isShutDown = true;
    this.#spans.clear();
    this.#answers.clear();
    this.#records.clear();
    this.#ancestry.clear();
    await this.#answers.settled();
    this.#log.flush();
  }

  /** Spans end in the application's calls, which must not fail because of us. */
  #guard<T>(run: () => T): T | undefined {
    if (this.#isShutDown) return undefined;
    try {
      return run();
    } catch (error) {
      this.#log.log("warn", "compliance_spans", "checking a span or a log record failed", {
        error: toErrorName(error),
      });
      return undefined;
    }
  }

  #isForeign(item: Scoped): boolean {
    return this.#includeOwn || !isOwn(item);
  }

  #assessSpan(span: SdkSpan): ForeignAnswer | undefined {
    if (!this.#evidence.isLikely(span) || !this.#isForeign(span)) return undefined;
    const read = readSpan(span);
    if (read?.role !== "call" && read?.role !== "agent") return undefined;
    const exchange = this.#ancestry.complete(read, span);
    if (exchange.agentResponse !== undefined) {
      return this.#assess(exchange, { span, spanContext: span.spanContext() });
    }
    this.#answers.markUnseen(span);
    return undefined;
  }

  #assessRecord(record: RecordLike & Scoped): ForeignAnswer | undefined {
    if (!toEventName(record).startsWith("gen_ai.") || !this.#isForeign(record)) return undefined;
    const exchange = this.#records.read(record);
    if (!exchange) return undefined;
    const { spanContext } = record;
    const span = this.#spans.find(spanContext);
    const completed = span ? this.#ancestry.complete(exchange, span) : exchange;
    return this.#assess(completed, { span, spanContext });
  }

  #assess(exchange: SpanExchange, place: ExchangePlace): ForeignAnswer {
    const answer = this.#answers.meet(exchange, place.spanContext);
    // What the application's span or logger throws does not take away what is known.
    this.#guard(() => this.#answers.assess(answer, place));
    return answer;
  }
}
