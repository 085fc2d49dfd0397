import type { LogRecordProcessor } from "@opentelemetry/sdk-logs";
import type { SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { ComplianceEngine } from "../compliance/engine.ts";
import type { AgentMonitoringConfig } from "../config/config.ts";
import { parseConfig } from "../config/parse-config.ts";
import type { AgentInfo } from "../events/agent.ts";
import { eventTypeSchema } from "../events/base-event.ts";
import type { InteractionEvent, MonitoringOptions } from "../events/interaction.ts";
import type { EventMetadata } from "../events/metadata.ts";
import type { ValidationDetail } from "../events/validation-error.ts";
import type { FetchObserverHost } from "../instrumentation/host.ts";
import { type ConversationScope, withConversationScope } from "../scope/scopes.ts";
import { systemClock } from "../util/clock.ts";
import { handled } from "../util/deferred-tasks.ts";
import { uuidV7 } from "../util/ids.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { showMonitor } from "../util/shown-monitors.ts";
import { pickMembers, readArgument, readFlushTimeout, readScope, toMillis } from "./arguments.ts";
import { Tracker, readInteractionEvent, withMisspelt } from "./tracker.ts";
import { Observers } from "./observers.ts";
import type { MonitorStats, Pipeline } from "./pipeline.ts";
import { createPipeline } from "./deferred-pipeline.ts";
import { readProfile } from "./agents.ts";
import { createLog, toIgnoredSettings, warnAtStart } from "./start-up.ts";

/** Members of a tool call's metadata that say something of its result as well. */
const RESULT_METADATA = [
  "cacheHit",
  "conversationId",
  "dataSource",
  "resultSize",
  "retryCount",
  "toolExecutionTime",
];

/**
 * Records conversations of AI agents, checks answers against banking rules and delivers every event to the
 * platform.
 *
 * No `track*` method throws, blocks or returns anything: problems are logged and counted in `stats()`.
 *
 * @example
 * ```ts
 * const monitor = new AgentMonitor({ apiKey, organizationId });
 * monitor.trackUserMessage("assistant", "session-1", "What is my balance?");
 * await monitor.shutdown();
 * ```
 */
export class AgentMonitor {
  /** The local rules; `undefined` when `enableComplianceChecks` is off. */
  readonly complianceEngine: ComplianceEngine | undefined;
  readonly #pipeline: Pipeline;
  readonly #tracker: Tracker;
  readonly #log: BurstLogger;
  readonly #observers: Observers;
  readonly #ignoredSettings: readonly string[];
  #shutdown: Promise<void> | undefined;

  /**
   * Creates a monitor.
   *
   * @param config - Fields that are absent are read from `AGENT_MONITOR_*` variables, then from the defaults.
   * @throws ValidationError that lists every problem of the configuration.
   */
  constructor(config: Partial<AgentMonitoringConfig> = {}) {
    const parsed = parseConfig(config);
    this.#log = createLog(parsed);
    this.#ignoredSettings = toIgnoredSettings(parsed);
    const { config: resolved } = parsed;
    this.#pipeline = createPipeline({
      config: resolved,
      clock: systemClock,
      log: this.#log,
      random: Math.random,
      environment: process.env,
    });
    this.#tracker = new Tracker(this.#pipeline, this.#log);
    this.complianceEngine = this.#pipeline.complianceEngine;
    warnAtStart(parsed, this.#log);
    this.#observers = new Observers({ config: resolved, pipeline: this.#pipeline, log: this.#log });
    showMonitor({ endpoint: resolved.endpoint, stats: () => this.stats() });
  }

  /**
   * Resolves when answers are checked at once: the wording of the rules is read in slices from the constructor on, which
   * takes a new process some milliseconds.
   *
   * Nothing has to wait for it: an answer that is tracked earlier is stored at once and checked before it is sent. Never
   * rejects; without checks, and after `shutdown()`, it resolves at once.
   */
  ready(): Promise<void> {
    return this.#pipeline.ready();
  }

  /**
   * Registers an agent: here at once, so that rules and tool data work, and on the platform with retries.
   *
   * Nothing has to wait for it: what goes wrong is in the log as well, and a rejection that nobody handles harms nothing.
   * Whoever awaits it waits for the retries while the platform is away.
   *
   * @returns Rejects with a ValidationError, which lists every problem, for an invalid profile, and with an Error when the
   *   platform did not take it; it is then sent again in the background, each minute, until it is taken.
   */
  registerAgent(agent: AgentInfo): Promise<void> {
    return handled(this.#register(agent));
  }

  /** Records that a conversation began. */
  trackConversationStart(
    agentId: string,
    sessionId: string,
    userId?: string,
    metadata?: EventMetadata,
  ): void {
    const identity = { agentId, sessionId, userId };
    this.#tracker.track("trackConversationStart", "conversation_start", identity, {}, { metadata });
  }

  /** Records what the user said. */
  trackUserMessage(
    agentId: string,
    sessionId: string,
    content: string,
    userId?: string,
    metadata?: EventMetadata,
  ): void {
    const identity = { agentId, sessionId, userId };
    this.#tracker.track("trackUserMessage", "user_message", identity, { content }, { metadata });
  }

  /**
   * Records what the agent answered, with what the rules found in it.
   *
   * @param metadata - `llmLatency` (ms), `tokensUsed`, `cost`, `temperature`, quality scores; and
   * `customerProfile`, `transactionContext`, `riskFactors` for the rules.
   */
  trackAgentResponse(
    agentId: string,
    sessionId: string,
    content: string,
    metadata?: EventMetadata,
    options?: MonitoringOptions,
  ): void {
    this.#tracker.track(
      "trackAgentResponse",
      "agent_response",
      { agentId, sessionId },
      { content },
      { metadata },
      options,
    );
  }

  /**
   * Records a tool call and, if `result` or `executionTime` is given, its result as a second event.
   *
   * @param result - An `Error`, `{ error }` or `{ isError: true }` says that the tool failed.
   * @param executionTime - ms
   */
  trackToolCall(
    agentId: string,
    sessionId: string,
    toolName: string,
    parameters: unknown,
    result?: unknown,
    executionTime?: number,
    metadata?: EventMetadata,
  ): void {
    const identity = { agentId, sessionId };
    const hasResult = result !== undefined || executionTime !== undefined;
    // The caller's own id joins the two; one that is no string stays where it is.
    const given = readArgument(metadata, "toolCallId");
    const toolCallId = given ?? uuidV7(systemClock.now());
    const call = { toolName, toolParameters: parameters };
    const isTracked = this.#tracker.track("trackToolCall", "tool_call", identity, call, {
      metadata,
      extra: { toolCallId },
    });
    if (!hasResult || !isTracked) return;
    const problems: ValidationDetail[] = [];
    const millis = toMillis(executionTime, "executionTime", problems);
    this.#tracker.report("trackToolCall", problems);
    const outcome = { toolName, toolResult: result, executionTime: millis };
    this.#tracker.track("trackToolCall", "tool_result", identity, outcome, {
      metadata: pickMembers(metadata, RESULT_METADATA),
      extra: { toolCallId },
    });
  }

  /** Records an error of the agent, its tools or its model. */
  trackError(
    agentId: string,
    sessionId: string,
    error: string | Error,
    metadata?: EventMetadata,
  ): void {
    this.#tracker.track("trackError", "error", { agentId, sessionId }, { error }, { metadata });
  }

  /** Records that a conversation ended; what the metadata leaves open is computed. */
  trackConversationEnd(agentId: string, sessionId: string, metadata?: EventMetadata): void {
    const identity = { agentId, sessionId };
    this.#tracker.track("trackConversationEnd", "conversation_end", identity, {}, { metadata });
  }

  /** Records an event of the kind in its `interactionType`, `compliance_violation` included. */
  track(agentId: string, event: InteractionEvent, options?: MonitoringOptions): void {
    const given = readInteractionEvent(event);
    if (!given) {
      const message = `expected one of ${eventTypeSchema.options.join(", ")}`;
      const problem = { field: "event.interactionType", message, code: "invalid_value" };
      this.#tracker.refuse("track", withMisspelt(problem, event));
      return;
    }
    const { kind, values, metadata } = given;
    const identity = { agentId, ...given.identity };
    this.#tracker.track("track", kind, identity, values, metadata, options);
  }

  /**
   * Runs a function for a conversation: what is tracked or instrumented inside belongs to it.
   *
   * It works through `await`, timers and event emitters, and needs no context manager of OpenTelemetry. The run is a
   * turn: model calls and tools that are observed inside stand under one span, that of the turn which is tracked by hand
   * or one that ends when the function is over, unless another span is active.
   *
   * @returns What the function returns; for a promise one that settles alike.
   */
  conversation<T>(scope: ConversationScope, run: () => T): T {
    const { value, problems } = readScope(scope);
    this.#tracker.report("conversation", problems);
    if (!value) return run();
    return this.#pipeline.runTurn(value, () => withConversationScope(value, run));
  }

  /**
   * Makes events of the GenAI spans of other instrumentations, and writes what the rules find on the spans.
   *
   * For a tracer provider, beside its other processors; `logRecordProcessor` belongs to it.
   */
  get spanProcessor(): SpanProcessor {
    return this.#observers.foreign.spanProcessor;
  }

  /** Takes the GenAI log records of other instrumentations, which hold the messages of some. */
  get logRecordProcessor(): LogRecordProcessor {
    return this.#observers.foreign.logRecordProcessor;
  }

  /**
   * Does what the global `fetch` does, and records the model calls that pass it: for clients that take a `fetch`.
   *
   * Calls inside `conversation()` belong to that conversation. The application's responses stay as they are.
   */
  get fetch(): typeof globalThis.fetch {
    return this.#observers.calls.fetch;
  }

  /**
   * Records the model calls that pass the global `fetch`, until the monitor shuts down.
   *
   * Calls of clients that send with something else, `node:http` for example, are not seen.
   *
   * @returns Takes it back.
   */
  instrumentFetch(): () => void {
    const calls = this.#observers.calls;
    calls.install();
    return () => calls.uninstall();
  }

  /**
   * Records what the hooks of libraries report.
   *
   * @internal
   */
  get instrumentationHost(): FetchObserverHost {
    return this.#observers.calls.host;
  }

  /**
   * Sends everything tracked before the call.
   *
   * Resolves in every case, when it is delivered or can't be; what is still pending is in `stats()`.
   *
   * @param options - `timeoutMillis` bounds the wait.
   */
  async flush(options?: { timeoutMillis?: number }): Promise<void> {
    const { value: timeoutMillis, problems } = readFlushTimeout(options);
    this.#tracker.report("flush", problems);
    try {
      this.#observers.flush();
      await this.#pipeline.flush(timeoutMillis);
    } catch (error) {
      this.#log.log("error", "flush", `flush failed (${toErrorName(error)})`);
    }
  }

  /**
   * Sends what is left within `shutdownTimeout` and releases everything. Resolves in every case; what could
   * not be delivered is logged and counted.
   */
  shutdown(): Promise<void> {
    this.#tracker.close();
    this.#observers.close();
    this.#shutdown ??= this.#pipeline
      .shutdown()
      .catch((error: unknown) =>
        this.#log.log("error", "shutdown", `shutdown failed (${toErrorName(error)})`),
      )
      .finally(() => this.#log.flush());
    return this.#shutdown;
  }

  /** Does what `shutdown` does, at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown();
  }

  async #register(agent: AgentInfo): Promise<void> {
    const { value, problems } = readProfile(agent, this.#log);
    this.#tracker.report("registerAgent", problems);
    await this.#pipeline.registerAgent(value);
  }

  /** Returns the counts of events by outcome, and the state of delivery. */
  stats(): MonitorStats {
    return {
      ...this.#pipeline.stats(),
      ...this.#observers.stats(),
      ...(this.#ignoredSettings.length > 0 && { ignoredSettings: this.#ignoredSettings }),
    };
  }
}
