import { AnswerCheck } from "../assessment/answer-check.ts";
import type { Subject } from "../assessment/interaction-context.ts";
import { RecoveredAnswers } from "../assessment/recovered-answers.ts";
import type { SecondStage } from "../assessment/second-stage.ts";
import type { BridgedEvent } from "../bridge/bridged-event.ts";
import { DoubleWatch } from "../bridge/double-watch.ts";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { AgentRegistration } from "../delivery/agent-registration.ts";
import type { DropReason } from "../delivery/ledger.ts";
import type { PlatformPath, RecordResult } from "../delivery/platform-path.ts";
import type { AgentInfo } from "../events/agent.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import type { AgentResponseEvent, DetailedEvent } from "../events/detailed-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import { toLateFindingInteraction } from "../events/late-finding.ts";
import { createTelemetryPath, type TelemetryPath } from "../otlp/telemetry-policy.ts";
import { redactAgent } from "../redaction/redact-event.ts";
import { createConfiguredRedactor, type Redactor } from "../redaction/redactor.ts";
import type { ConversationScope } from "../scope/conversation-scope.ts";
import { Conversations, noteEvent } from "../telemetry/conversations.ts";
import { RunTurn } from "../telemetry/run-turn.ts";
import { startCountdown, withDeadline } from "../util/clock.ts";
import { onNaturalExit } from "../util/exit-hook.ts";
import { AgentDirectory } from "./agents.ts";
import type { CheckedOptions } from "./arguments.ts";
import { createConfiguredJudge } from "./configured-judge.ts";
import { confirmChecked, type CheckedConfirmations } from "./confirm-checked.ts";
import { createDelivery, type DeliveryOptions } from "./delivery.ts";
import { EventFactory, toApproximateBytes } from "./event-factory.ts";
import { EventRecorder, type ToKnownVerdict } from "./event-recorder.ts";
import { JudgeRecorder } from "./judge-recorder.ts";
import { OddMembers } from "./odd-members.ts";
import type { PipelineStats } from "./monitor-stats.ts";
import { loadRules } from "./rule-packs.ts";

/** The metadata of one interaction. */
export interface GivenMetadata {
  readonly metadata?: unknown;
  /** Members for the metadata that came as arguments of their own. */
  readonly extra?: object | undefined;
}

export interface PipelineOptions extends DeliveryOptions {
  readonly environment: NodeJS.ProcessEnv;
}

const NO_METADATA: GivenMetadata = {};
/** Share of a shutdown's time for finding out what earlier processes have left. */
const LOOK_SHARE = 0.25;

/**
 * Joins the rooms: builds events, has answers checked, and hands every event to the platform path and to the
 * telemetry path. Neither path feeds the other.
 */
export class Pipeline {
  /** What is tracked by hand and bridged as well is delivered once. */
  readonly doubles: DoubleWatch;
  readonly #options: PipelineOptions;
  readonly #answerCheck: AnswerCheck;
  /** Absent without a judge. */
  readonly #secondStage: SecondStage | undefined;
  readonly #judgeRecorder: JudgeRecorder;
  readonly #agents: AgentDirectory;
  readonly #platform: PlatformPath;
  readonly #registration: AgentRegistration;
  readonly #conversations: Conversations;
  readonly #telemetryPath: TelemetryPath;
  readonly #platformRedactor: Redactor | undefined;
  readonly #recorder: EventRecorder;
  readonly #factory: EventFactory;
  readonly #oddMembers: OddMembers;
  readonly #removeExitHook: () => void;

  constructor(options: PipelineOptions) {
    const { config, clock, log } = options;
    this.#options = options;
    this.doubles = new DoubleWatch(log);
    this.#oddMembers = new OddMembers(log);
    this.#agents = new AgentDirectory(log);
    const rules = loadRules(config.rulePacks);
    const settingsOf = (agentId: string) => this.#agents.get(agentId)?.complianceSettings;
    this.#secondStage = createConfiguredJudge(options, {
      rules: () => this.complianceEngine?.rules ?? [],
      onFinding: (...found) => this.#judgeRecorder.record(...found),
      onClean: (...judged) => this.#judgeRecorder.recordClean(...judged),
    });
    this.#answerCheck = new AnswerCheck(
      config.enableComplianceChecks,
      { clock, log, settingsOf, ...(rules && { rules }) },
      (...late) => this.#trackLateFinding(...late),
      this.#secondStage,
    );
    this.#factory = new EventFactory(options);
    const redactor = createConfiguredRedactor(config.redact, log);
    this.#platformRedactor = config.redact ? redactor : undefined;
    const recovered = new RecoveredAnswers({
      answerCheck: this.#answerCheck,
      redactor: this.#platformRedactor,
      eventSizeLimit: config.eventSizeLimit,
      clock,
      onLate: (...late) => this.#trackLateFinding(...late),
    });
    const { platform, registration } = createDelivery(options, recovered.complete);
    this.#platform = platform;
    this.#registration = registration;
    this.#telemetryPath = createTelemetryPath({ ...options, redactor });
    this.#recorder = new EventRecorder({
      platform,
      telemetryPath: this.#telemetryPath,
      answerCheck: this.#answerCheck,
      platformRedactor: this.#platformRedactor,
      eventSizeLimit: config.eventSizeLimit,
      log,
    });
    this.#conversations = new Conversations({
      clock,
      idleTimeout: config.conversationIdleTimeout,
      onAbandon: (conversation) => this.#telemetryPath.telemetry.abandon(conversation),
    });
    this.#judgeRecorder = new JudgeRecorder({
      clock,
      factory: this.#factory,
      recorder: this.#recorder,
      conversations: this.#conversations,
      agents: this.#agents,
    });
    this.#removeExitHook = onNaturalExit(() => {
      // What the judge says is told before telemetry ends.
      if (this.#secondStage?.waitAtExit(config.shutdownTimeout) !== true)
        this.#endTelemetryAtExit();
    });
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
   * @param toKnown - Gives the verdict on an answer that was checked on its span: what a span tells is checked once.
   * @returns The place of the event among those to be delivered, or why it has none.
   */
  trackBridged(bridged: BridgedEvent, toKnown?: ToKnownVerdict): RecordResult {
    const { interaction, metadata: given } = bridged;
    const { conversation } = this.#conversations.touch(interaction);
    const subject = { conversation, agent: this.#agents.get(interaction.agentId) };
    const metadata = this.#factory.read(interaction.kind, given);
    const event = this.#factory.build(interaction, metadata, subject, bridged);
    const bytes = toApproximateBytes(metadata);
    const { content = "" } = interaction;
    const { agentText } = bridged;
    let result: RecordResult;
    if (event.interactionType === "agent_response" && given["captured"] !== false) {
      const answer = { event, content, subject, options: undefined };
      result = this.#recorder.deliverAnswer(answer, bytes, toKnown);
    } else if (agentText === undefined) result = this.#recorder.deliver(event, bytes);
    else result = this.#recorder.deliverWithText(event, agentText, subject, bytes);
    noteEvent(conversation, event);
    return result;
  }

  /** Hands an event that is made already to the platform path, with the id and the findings that it has. */
  deliver(event: DetailedEvent, approximateBytes: number): RecordResult {
    return this.#recorder.deliver(event, approximateBytes);
  }

  /** Follows events to their end, for those who must answer for them. */
  get confirmations(): CheckedConfirmations {
    const { clock } = this.#options;
    return confirmChecked({ platform: this.#platform, answerCheck: this.#answerCheck, clock });
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
    const { clock } = this.#options;
    const remaining = startCountdown(clock, timeoutMillis);
    await this.#answerCheck.settled(timeoutMillis);
    if (this.#secondStage) {
      // Answers that an earlier process left unchecked are judged as well.
      await this.#platform.completed(remaining());
      await this.#secondStage.settledBeside(this.#platform, remaining());
    }
    const otlp = this.#telemetryPath.otlp?.forceFlush(remaining()) ?? Promise.resolve();
    await Promise.all([this.#platform.flush(remaining()), withDeadline(clock, otlp, remaining())]);
  }

  async shutdown(timeoutMillis: number): Promise<void> {
    const { clock } = this.#options;
    const remaining = startCountdown(clock, timeoutMillis);
    // Answers of an earlier process want the rules, too.
    const isWanted = await this.#platform.looked(timeoutMillis * LOOK_SHARE);
    if (isWanted || this.#answerCheck.isBusy) await this.#answerCheck.finish(remaining(), isWanted);
    this.#answerCheck.close();
    if (this.#secondStage) {
      if (isWanted) await this.#platform.completed(remaining() * LOOK_SHARE);
      await this.#secondStage.finish(this.#platform, remaining());
    }
    this.#removeExitHook();
    this.#conversations.close();
    // The platform's connection is closed behind the last event.
    if (this.#registration.isBusy) {
      const registered = withDeadline(clock, this.#registration.settled(), remaining());
      await Promise.all([this.#platform.flush(remaining()), registered]);
    }
    // One deadline for all: whoever has less time left would not be waited for.
    const left = remaining();
    const otlp = this.#telemetryPath.otlp?.shutdown(left) ?? Promise.resolve();
    await Promise.all([this.#platform.shutdown(left), withDeadline(clock, otlp, left)]);
    this.#registration.close();
  }

  stats(): PipelineStats {
    const otlp = this.#telemetryPath.otlp?.stats();
    const compliance = this.#answerCheck.stats();
    const judge = this.#secondStage?.stats();
    return {
      ...this.#platform.stats(),
      conversations: this.#conversations.size,
      ...(compliance && { compliance }),
      ...(judge && { judge }),
      ...(otlp && { otlp }),
    };
  }

  /** Ends open spans when the process ends by itself; nobody else flushes the private providers, which are ours. */
  #endTelemetryAtExit(): void {
    // A conversation of which nothing is tracked may have spans as well.
    if (!this.#recorder.takeTelemetryNews() && this.#conversations.size === 0) return;
    this.#conversations.close();
    void this.#telemetryPath.otlp?.flushAtExit();
  }

  #trackOne(
    interaction: Interaction,
    { metadata: given, extra }: GivenMetadata,
    subject: Subject,
    options: CheckedOptions | undefined,
  ): void {
    const metadata = this.#factory.read(interaction.kind, given, extra);
    this.#oddMembers.report(interaction.kind, metadata, extra);
    const { conversation } = subject;
    const event = this.#factory.build(interaction, metadata, subject);
    const bytes = toApproximateBytes(metadata);
    const double = this.doubles.findBridged(event);
    const isNew = double === undefined;
    if (event.interactionType === "agent_response") {
      const content = interaction.content ?? "";
      this.#recorder.recordAnswer({ event, content, subject, options }, bytes, isNew);
    } else this.#recorder.record(event, bytes, subject, isNew);
    if (double !== "conversation") noteEvent(conversation, event);
    if (event.interactionType === "conversation_end") this.#conversations.end(conversation);
  }

  /** Reports a finding of an asynchronous rule in an event of its own. */
  #trackLateFinding(flag: ComplianceFlag, answer: AgentResponseEvent, subject?: Subject): void {
    const { interaction, metadata } = toLateFindingInteraction(flag, answer);
    // An answer of an earlier process has none.
    if (subject) this.#trackOne(interaction, { metadata }, subject, undefined);
    else this.track(interaction, { metadata }, undefined);
  }
}
