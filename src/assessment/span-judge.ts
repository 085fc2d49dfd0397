import type { LoggerProvider } from "@opentelemetry/api-logs";
import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { ReadableSpan, Span } from "@opentelemetry/sdk-trace-base";
import { OpenSpans, type SdkSpan } from "../bridge/assembly/open-spans.ts";
import { readSpan } from "../bridge/dialects/index.ts";
import { GenAiSpanFilter } from "../bridge/genai-span-filter.ts";
import { RecordExchanges, type RecordLike } from "../bridge/reading/record-exchanges.ts";
import { toEventName } from "../bridge/reading/record-name.ts";
import { SpanAncestry } from "../bridge/span-ancestry.ts";
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
import { ExchangeCheck } from "./exchange-check.ts";
import { ExchangeFindings, isOwn, type Scoped } from "./exchange-findings.ts";

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
  /** Is told of failures, never of content. @defaultValue the console, from `warn` on */
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
  readonly #surroundings = new SpanAncestry(this.#spans);
  readonly #records = new RecordExchanges();
  readonly #check: ExchangeCheck;
  readonly #findings: ExchangeFindings;
  readonly #preparation: Preparation;
  /** Set when this SDK calls `onEnding`, which is experimental there. */
  #isEndingKnown = false;
  #isShutDown = false;

  constructor(options: ComplianceSpanProcessorOptions) {
    const { clock = systemClock, content = "none", includeOwn = false } = options;
    this.#log = createBurstLogger(options.logger ?? createConsoleLogger("warn"), clock);
    const engine = options.engine ?? createEngine({ clock, log: this.#log });
    this.#check = new ExchangeCheck(engine, clock, this.#log);
    this.#preparation = engine.preparation;
    this.#findings = new ExchangeFindings({
      check: this.#check,
      signals: createSignalSource(options),
      content,
      redact: options.redact,
      surroundings: this.#surroundings,
    });
    this.#includeOwn = includeOwn;
    this.logRecordProcessor = {
      onEmit: (record) => this.#guard(() => this.#judgeRecord(record)),
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

  /** Checks the answer in a span that ends, while it can still be written to. */
  onEnding(span: Span): void {
    this.#isEndingKnown = true;
    this.#guard(() => this.#judgeSpan(span));
  }

  /** Checks where the SDK has no `onEnding`; the findings then are log records only. */
  onEnd(span: ReadableSpan): void {
    // Too late to write on the span, but not for a record in its context.
    if (!this.#isEndingKnown) this.#guard(() => this.#judgeSpan(span));
    this.#spans.close(span);
    this.#records.close(span.spanContext().spanId);
  }

  /**
   * Checks the answer in a span that no SDK hands over, and writes on it.
   */
  judge(span: SdkSpan): void {
    this.#guard(() => this.#judgeSpan(span));
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
    await this.#check.settled();
  }

  /** Checks nothing more, behind what ended before the rules were ready, and waits for what asynchronous rules find. */
  shutdown(): Promise<void> {
    this.settle();
    return this.close();
  }

  /**
   * Checks at once what waits for the rules: who gets the records is closing, too.
   */
  settle(): void {
    if (this.#preparation.hasTasks) this.#preparation.finish();
  }

  /**
   * Takes nothing more; what waits for the rules is still checked.
   */
  async close(): Promise<void> {
    this.#isShutDown = true;
    this.#spans.clear();
    this.#findings.clear();
    this.#records.clear();
    this.#surroundings.clear();
    await this.#check.settled();
    this.#log.flush();
  }

  /** Spans end in the application's calls, which must not fail because of us. */
  #guard(judge: () => void): void {
    if (this.#isShutDown) return;
    try {
      judge();
    } catch (error) {
      this.#log.log("warn", "compliance_spans", "checking a span or a log record failed", {
        error: toErrorName(error),
      });
    }
  }

  #isForeign(item: Scoped): boolean {
    return this.#includeOwn || !isOwn(item);
  }

  #judgeSpan(span: SdkSpan): void {
    if (!this.#evidence.isLikely(span) || !this.#isForeign(span)) return;
    const read = readSpan(span);
    if (read?.role !== "call" && read?.role !== "agent") return;
    const exchange = this.#surroundings.complete(read, span);
    if (exchange.agentResponse !== undefined) {
      this.#findings.judge(exchange, { span, spanContext: span.spanContext() });
    } else this.#findings.markUnseen(span);
  }

  #judgeRecord(record: RecordLike & Scoped): void {
    if (!toEventName(record).startsWith("gen_ai.") || !this.#isForeign(record)) return;
    const exchange = this.#records.read(record);
    if (!exchange) return;
    const { spanContext } = record;
    const span = this.#spans.find(spanContext);
    const completed = span ? this.#surroundings.complete(exchange, span) : exchange;
    this.#findings.judge(completed, { span, spanContext });
  }
}
