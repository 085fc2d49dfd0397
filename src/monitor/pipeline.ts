import { AnswerCheck } from "../assessment/answer-check.ts";
import type { ComplianceStats } from "../assessment/assessor.ts";
import { createAnswerRecovery } from "../assessment/recovered-answers.ts";
import type { SecondStage } from "../assessment/second-stage.ts";
import type { BridgeStats } from "../bridge/bridge-counts.ts";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { AgentRegistration } from "../delivery/agent-registration.ts";
import type { ExpectedEvent } from "../delivery/confirmations.ts";
import type { DeliveryStats } from "../delivery/delivery-stats.ts";
import type { DropReason } from "../delivery/ledger.ts";
import type { PlatformPath } from "../delivery/platform-path.ts";
import type { AgentInfo } from "../events/agent.ts";
import type { CallStats } from "../instrumentation/host.ts";
import type { JudgeStats } from "../judge/judge-stats.ts";
import type { OtlpDestinationStats } from "../otlp/otlp-fan-out.ts";
import { type TelemetryPath, createTelemetryPath } from "../otlp/telemetry-policy.ts";
import { redactAgent } from "../redaction/redact-event.ts";
import { type Redactor, createConfiguredRedactor } from "../redaction/redactor.ts";
import type { ConversationScope } from "../scope/scopes.ts";
import { Conversations } from "../telemetry/conversations.ts";
import { RunTurn } from "../telemetry/run-turn.ts";
import { abandonConversation } from "../telemetry/telemetry.ts";
import { startCountdown, withDeadline } from "../util/clock.ts";
import { onNaturalExit } from "../util/exit-hook.ts";
import { AgentDirectory } from "./agents.ts";
import { createConfiguredJudge } from "./configured-judge.ts";
import { type DeliveryOptions, createDelivery } from "./delivery.ts";
import { EventFactory } from "./event-factory.ts";
import { EventRecorder } from "./event-recorder.ts";
import { InteractionRecorder } from "./interaction-recorder.ts";
import { loadRules } from "./rule-packs.ts";

/** The ledger and the state of delivery; see `DeliveryStats`. */
export interface MonitorStats extends DeliveryStats {
  /** Conversations that are running. */
  readonly conversations: number;
  /** What the rules made of the tracked answers; absent while none is checked. */
  readonly compliance?: ComplianceStats;
  /** What became of answers that the judge was to look at; absent without one. */
  readonly judge?: JudgeStats;
  /** What became of the spans of other instrumentations; absent until a processor is asked for. */
  readonly bridge?: BridgeStats;
  /** What became of model calls that the monitor observes; absent until they are asked for. */
  readonly calls?: CallStats;
  /** What became of spans and log records, one entry for each destination of `otlp`. */
  readonly otlp?: readonly OtlpDestinationStats[];
  /** Settings that do nothing, and why: misspelt, or without another one that they need; absent when there is none. */
  readonly ignoredSettings?: readonly string[];
}

/** The part of them that the way of events knows. */
type PipelineStats = Omit<MonitorStats, "bridge" | "calls" | "ignoredSettings">;

export interface PipelineOptions extends DeliveryOptions {
  readonly environment: NodeJS.ProcessEnv;
}

/** Share of a shutdown's time for finding out what earlier processes have left. */
const LOOK_SHARE = 0.25;

/**
 * Joins the rooms of a monitor, and begins and ends their work: the recorders, the rules, the judge, the platform path
 * and the telemetry path. Neither path feeds the other.
 */
export class Pipeline {
  readonly interactions: InteractionRecorder;
  readonly recorder: EventRecorder;
  /** Where spans of model calls go, and what they may carry. */
  readonly telemetryPath: TelemetryPath;
  readonly #options: PipelineOptions;
  readonly #answerCheck: AnswerCheck;
  /** Absent without a judge. */
  readonly #secondStage: SecondStage | undefined;
  readonly #agents: AgentDirectory;
  readonly #platform: PlatformPath;
  readonly #registration: AgentRegistration;
  readonly #conversations: Conversations;
  readonly #platformRedactor: Redactor | undefined;
  readonly #removeExitHook: () => void;

  constructor(options: PipelineOptions) {
    const { config, clock, log } = options;
    this.#options = options;
    this.#agents = new AgentDirectory(log);
    const rules = loadRules(config.rulePacks);
    const settingsOf = (agentId: string) => this.#agents.get(agentId)?.complianceSettings;
    this.#secondStage = createConfiguredJudge(options, {
      rules: () => this.complianceEngine?.rules ?? [],
      onFinding: (...found) => this.interactions.recordJudgement(...found),
      onClean: (...judged) => this.recorder.recordClean(...judged, clock.now()),
    });
    const answerCheck = new AnswerCheck(
      config.enableComplianceChecks,
      { clock, log, settingsOf, ...(rules && { rules }) },
      (...late) => this.interactions.recordLateFinding(...late),
      this.#secondStage,
    );
    this.#answerCheck = answerCheck;
    const { eventSizeLimit } = config;
    const redactor = createConfiguredRedactor(config.redact, log);
    const platformRedactor = config.redact ? redactor : undefined;
    this.#platformRedactor = platformRedactor;
    const recovery = { answerCheck, redactor: platformRedactor, eventSizeLimit, clock };
    const { platform, registration } = createDelivery(options, createAnswerRecovery(recovery));
    this.#platform = platform;
    this.#registration = registration;
    const telemetryPath = createTelemetryPath({ ...options, redactor });
    this.telemetryPath = telemetryPath;
    this.recorder = new EventRecorder({
      platform,
      telemetryPath,
      answerCheck,
      platformRedactor,
      eventSizeLimit,
      log,
    });
    this.#conversations = new Conversations({
      clock,
      idleTimeout: config.conversationIdleTimeout,
      onAbandon: abandonConversation,
    });
    this.interactions = new InteractionRecorder({
      factory: new EventFactory(options),
      recorder: this.recorder,
      conversations: this.#conversations,
      agents: this.#agents,
      log,
    });
    this.#removeExitHook = onNaturalExit(() => {
      // What the judge says is recorded before telemetry ends.
      if (this.#secondStage?.waitAtExit(config.shutdownTimeout)) return;
      // A conversation of which nothing is tracked may have spans as well.
      if (!this.recorder.takeTelemetryNews() && this.#conversations.size === 0) return;
      // Nobody else flushes the private providers, which are ours.
      this.#conversations.close();
      void telemetryPath.otlp?.flushAtExit();
    });
  }

  /** The rules, when checks are on. */
  get complianceEngine(): ComplianceEngine | undefined {
    return this.#answerCheck.engine;
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

  /** Follows an event to its end, for those who must answer for it. */
  expect(sequence: number): ExpectedEvent {
    return this.#platform.expect(sequence);
  }

  /** Does what `PlatformPath.confirm` does, for answers behind their check. */
  async confirm(events: readonly ExpectedEvent[], timeoutMillis: number): Promise<number> {
    const remaining = startCountdown(this.#options.clock, timeoutMillis);
    await this.#answerCheck.settled(timeoutMillis);
    return this.#platform.confirm(events, remaining());
  }

  /** Runs a function as a turn of a conversation. */
  runTurn<T>(identity: ConversationScope, run: () => T): T {
    const { telemetry } = this.telemetryPath;
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
    const otlp = this.telemetryPath.otlp?.forceFlush(remaining()) ?? Promise.resolve();
    await Promise.all([this.#platform.flush(remaining()), withDeadline(clock, otlp, remaining())]);
  }

  /** Sends what is left within the configuration's `shutdownTimeout`. */
  async shutdown(): Promise<void> {
    const { clock, config } = this.#options;
    const remaining = startCountdown(clock, config.shutdownTimeout);
    // Answers of an earlier process want the rules, too.
    const isWanted = await this.#platform.looked(config.shutdownTimeout * LOOK_SHARE);
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
    const otlp = this.telemetryPath.otlp?.shutdown(left) ?? Promise.resolve();
    await Promise.all([this.#platform.shutdown(left), withDeadline(clock, otlp, left)]);
    this.#registration.close();
  }

  stats(): PipelineStats {
    const otlp = this.telemetryPath.otlp?.stats();
    const compliance = this.#answerCheck.stats();
    const judge = this.#secondStage?.judge.stats();
    return {
      ...this.#platform.stats(),
      conversations: this.#conversations.size,
      ...(compliance && { compliance }),
      ...(judge && { judge }),
      ...(otlp && { otlp }),
    };
  }
}
