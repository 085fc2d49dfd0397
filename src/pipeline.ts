import { AgentDirectory } from "./agent-directory.ts";
import { AnswerCheck, type Subject } from "./answer-check.ts";
import type { BridgedEvent } from "./bridge/bridged-event.ts";
import { DoubleWatch } from "./bridge/double-watch.ts";
import type { ComplianceEngine } from "./compliance/engine.ts";
import type { CheckedOptions } from "./arguments.ts";
import { addCost } from "./call-cost.ts";
import { createDelivery, type DeliveryOptions } from "./delivery.ts";
import type { AgentInfo } from "./events/agent.ts";
import { buildEvent } from "./events/build-event.ts";
import type { Interaction } from "./events/event-builder.ts";
import type { ComplianceFlag } from "./events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "./events/detailed-event.ts";
import { toLateFindingInteraction } from "./events/late-finding.ts";
import { MetadataReader, reportInvalidFields } from "./events/metadata-reader.ts";
import type { ComplianceEvaluation } from "./compliance/evaluation.ts";
import type { AgentRegistration } from "./exporter/agent-registration.ts";
import type { DeliveryStats } from "./exporter/delivery-stats.ts";
import type { DropReason } from "./exporter/ledger.ts";
import { PendingEvent } from "./exporter/pending-event.ts";
import type { PlatformPath, RecordResult } from "./exporter/platform-path.ts";
import { createToCost, type ToCost } from "./instrumentation/price-table.ts";
import { EVENT_NAMES } from "./otel/attribute-mapping.ts";
import { Conversations, noteEvent, toTotals } from "./otel/conversations.ts";
import type { OtlpDestinationStats } from "./otel/otlp-fan-out.ts";
import { RunTurn } from "./otel/run-turn.ts";
import { createTelemetryPath, type TelemetryPath } from "./otel/telemetry-policy.ts";
import { redactAgent, redactEvent } from "./redaction/redact-event.ts";
import { createConfiguredRedactor } from "./redaction/redaction-settings.ts";
import type { Redactor } from "./redaction/redactor.ts";
import type { ConversationScope } from "./util/conversation-scope.ts";
import { onNaturalExit } from "./util/exit-hook.ts";
import { uuidV7 } from "./util/ids.ts";
import { toErrorName } from "./util/logger.ts";
import { withDeadline } from "./util/sleep.ts";

/** The metadata of one interaction. */
export interface GivenMetadata {
  readonly metadata?: unknown;
  /** Members for the metadata that came as arguments of their own. */
  readonly extra?: object | undefined;
}

export interface PipelineOptions extends DeliveryOptions {
  readonly environment: NodeJS.ProcessEnv;
}

/** About the bytes of an event beside what the caller passed: names, ids, times. */
const EVENT_OVERHEAD_BYTES = 600;
const NO_METADATA: GivenMetadata = {};

/**
 * Joins the rooms: builds events, has answers checked, and hands every event to the platform path and to the
 * telemetry path. Neither path feeds the other.
 */
export class Pipeline {
  /** What is tracked by hand and bridged as well is delivered once. */
  readonly doubles: DoubleWatch;
  readonly #options: PipelineOptions;
  readonly #answerCheck: AnswerCheck;
  readonly #agents: AgentDirectory;
  readonly #platform: PlatformPath;
  readonly #registration: AgentRegistration;
  readonly #conversations: Conversations;
  readonly #telemetryPath: TelemetryPath;
  readonly #platformRedactor: Redactor | undefined;
  readonly #toCost: ToCost | undefined;
  readonly #removeExitHook: () => void;
  /** Whether something was recorded since the telemetry was last ended at an exit. */
  #isTelemetryDirty = false;

  constructor(options: PipelineOptions) {
    const { config, clock, log, environment } = options;
    this.#options = options;
    this.doubles = new DoubleWatch(log);
    this.#agents = new AgentDirectory(log);
    const { platform, registration } = createDelivery(options);
    this.#platform = platform;
    this.#registration = registration;
    this.#answerCheck = new AnswerCheck(
      config.enableComplianceChecks,
      {
        clock,
        log,
        settingsOf: (agentId) => this.#agents.get(agentId)?.complianceSettings,
      },
      (...late) => this.#trackLateFinding(...late),
    );

    this.#toCost = config.priceTable && createToCost(config.priceTable);
    const redactor = createConfiguredRedactor(config.redact, log);
    const { assess: assessPublicly } = this.#answerCheck.publicAssessments;
    this.#platformRedactor = config.redact ? redactor : undefined;
    this.#telemetryPath = createTelemetryPath({
      config,
      environment,
      redactor,
      assessPublicly,
      log,
    });
    this.#conversations = new Conversations({
      clock,
      idleTimeout: config.conversationIdleTimeout,
      onAbandon: (conversation) => this.#telemetryPath.telemetry.abandon(conversation),
    });
    this.#removeExitHook = onNaturalExit(() => this.#endTelemetryAtExit());
  }

  /** The rules, when checks are on. */
  get complianceEngine(): ComplianceEngine | undefined {
    return this.#answerCheck.engine;
  }

  /** Where spans of model calls go, and what they may carry. */
  get telemetryPath(): Pick<TelemetryPath, "signals" | "toPublicContent"> {
    return this.#telemetryPath;
  }

  /** Resolves when answers are checked at once, or will not be checked any more. Never rejects. */
  ready(): Promise<void> {
    return this.#answerCheck.ready();
  }

  /** Makes an agent known here at once, and to the platform with retries. */
  async registerAgent(agent: AgentInfo): Promise<void> {
    this.#agents.add(agent);
    const redactor = this.#platformRedactor;
    await this.#registration.register(redactor ? redactAgent(agent, redactor) : agent);
  }

  /** Makes an event of an interaction and hands it to both paths. */
  track(interaction: Interaction, given: GivenMetadata, options: CheckedOptions | undefined): void {
    const { conversation, isNew } = this.#conversations.touch(interaction);
    const subject = { conversation, agent: this.#agents.find(interaction.agentId) };
    const isStartWanted = isNew && options?.trackConversationStart === true;
    if (isStartWanted && interaction.kind !== "conversation_start") {
      this.#trackOne({ ...interaction, kind: "conversation_start" }, NO_METADATA, subject, options);
    }
    this.#trackOne(interaction, given, subject, options);
  }

  /**
   * Makes an event of what the telemetry of another instrumentation tells, and hands it to the platform path alone:
   * the other backends have the telemetry itself.
   *
   * @param known - The verdict on an answer that was checked on its span: what a span tells is checked once.
   * @returns The place of the event among those to be delivered, or why it has none.
   */
  trackBridged(bridged: BridgedEvent, known?: ComplianceEvaluation): RecordResult {
    const { interaction, metadata: given, timestamp } = bridged;
    const { conversation } = this.#conversations.touch(interaction);
    const subject = { conversation, agent: this.#agents.get(interaction.agentId) };
    const metadata = this.#read(interaction.kind, given);
    const event = this.#build(interaction, metadata, subject, timestamp);
    if (event.interactionType === "agent_response" && given["captured"] !== false) {
      this.#answerCheck.check(event, interaction.content ?? "", subject, undefined, known);
      if (event.complianceFlags?.length)
        metadata.size += JSON.stringify(event.complianceFlags).length;
    }
    const result = this.deliver(event, EVENT_OVERHEAD_BYTES + metadata.size);
    if (bridged.agentText !== undefined) {
      this.#answerCheck.checkBeside(event, bridged.agentText, subject);
    }
    noteEvent(conversation, event);
    return result;
  }

  /** Hands an event that is made already to the platform path, with the id and the findings that it has. */
  deliver(event: DetailedEvent, approximateBytes: number): RecordResult {
    const redactor = this.#platformRedactor;
    return this.#deliver(redactor ? redactEvent(event, redactor) : event, approximateBytes);
  }

  /** Follows events to their end, for those who must answer for them. */
  get confirmations(): Pick<PlatformPath, "expect" | "confirm"> {
    return this.#platform;
  }

  /** Runs a function as a turn of a conversation. */
  runTurn<T>(identity: ConversationScope, run: () => T): T {
    const { telemetry } = this.#telemetryPath;
    const [conversations, agents, { log }] = [this.#conversations, this.#agents, this.#options];
    return new RunTurn(identity, { conversations, telemetry, agents, log }).run(run);
  }

  /** Counts an interaction that could not become an event. */
  refuse(reason: DropReason): void {
    this.#platform.refuse(reason);
  }

  async flush(timeoutMillis?: number): Promise<void> {
    const otlp = this.#telemetryPath.otlp?.forceFlush(timeoutMillis) ?? Promise.resolve();
    await Promise.all([
      this.#platform.flush(timeoutMillis),
      withDeadline(this.#options.clock, otlp, timeoutMillis),
    ]);
  }

  async shutdown(timeoutMillis: number): Promise<void> {
    this.#removeExitHook();
    this.#answerCheck.close();
    this.#conversations.close();
    const otlp = this.#telemetryPath.otlp?.shutdown() ?? Promise.resolve();
    await Promise.all([
      this.#platform.shutdown(timeoutMillis),
      withDeadline(this.#options.clock, otlp, timeoutMillis),
    ]);
    this.#registration.close();
  }

  stats(): DeliveryStats & { conversations: number; otlp?: OtlpDestinationStats[] } {
    const otlp = this.#telemetryPath.otlp?.stats();
    return {
      ...this.#platform.stats(),
      conversations: this.#conversations.size,
      ...(otlp && { otlp }),
    };
  }

  /** Ends open spans when the process ends by itself; nobody else flushes the private providers, which are ours. */
  #endTelemetryAtExit(): void {
    // A conversation of which nothing is tracked may have spans as well.
    if (!this.#isTelemetryDirty && this.#conversations.size === 0) return;
    this.#isTelemetryDirty = false;
    this.#conversations.close();
    void this.#telemetryPath.otlp?.flushAtExit();
  }

  #trackOne(
    interaction: Interaction,
    { metadata: given, extra }: GivenMetadata,
    subject: Subject,
    options: CheckedOptions | undefined,
  ): void {
    const metadata = this.#read(interaction.kind, given, extra);
    reportInvalidFields(interaction.kind, metadata, this.#options.log);
    const event = this.#build(interaction, metadata, subject);
    if (event.interactionType === "agent_response") {
      this.#answerCheck.check(event, interaction.content ?? "", subject, options);
      if (event.complianceFlags?.length)
        metadata.size += JSON.stringify(event.complianceFlags).length;
    }
    this.#record(event, EVENT_OVERHEAD_BYTES + metadata.size, subject);
  }

  /** Reports a finding of an asynchronous rule in an event of its own. */
  #trackLateFinding(flag: ComplianceFlag, answer: AgentResponseEvent, subject: Subject): void {
    const { interaction, metadata } = toLateFindingInteraction(flag, answer);
    this.#trackOne(interaction, { metadata }, subject, undefined);
  }

  #read(kind: Interaction["kind"], given: unknown, extra?: object): MetadataReader {
    return new MetadataReader(kind, given, extra, this.#options.config.eventSizeLimit);
  }

  #build(
    interaction: Interaction,
    metadata: MetadataReader,
    { conversation, agent }: Subject,
    timestamp?: number,
  ): DetailedEvent {
    const { config, clock } = this.#options;
    addCost(metadata, agent, this.#toCost);
    const now = timestamp ?? clock.now();
    const eventId = uuidV7(clock.now());
    return buildEvent(interaction, metadata, {
      eventId,
      // A UUID as good as any: nothing else is of a request that has no id.
      requestId: interaction.requestId ?? eventId,
      // Most methods take no user, and an event without one is lost to its customer's file.
      userId: interaction.userId ?? conversation.userId,
      now,
      environment: config.environment,
      agent,
      totals: interaction.kind === "conversation_end" ? toTotals(conversation) : undefined,
      maxLength: config.eventSizeLimit,
    });
  }

  #deliver(event: DetailedEvent, approximateBytes: number): RecordResult {
    const { eventSizeLimit } = this.#options.config;
    const pending = new PendingEvent(event, approximateBytes, eventSizeLimit);
    return this.#platform.record(EVENT_NAMES[event.interactionType], pending);
  }

  #record(event: DetailedEvent, approximateBytes: number, { conversation, agent }: Subject): void {
    const { log } = this.#options;
    const path = this.#telemetryPath;
    const redactor = this.#platformRedactor ?? path.redactor;
    const redacted = redactor ? redactEvent(event, redactor) : event;
    const kept = this.#platformRedactor ? redacted : event;
    const double = this.doubles.findBridged(event);
    if (!double) this.#deliver(kept, approximateBytes);
    this.#isTelemetryDirty = true;
    try {
      path.telemetry.record(path.redactor ? redacted : event, conversation, agent);
    } catch (error) {
      // The application's own processors run here; the event itself is safe already.
      log.log("warn", "telemetry", "writing telemetry failed", { error: toErrorName(error) });
    }
    if (double !== "conversation") noteEvent(conversation, event);
    if (event.interactionType === "conversation_end") this.#conversations.end(conversation);
  }
}
