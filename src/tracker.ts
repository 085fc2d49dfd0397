import { toIdentity, toOptions, type GivenIdentity } from "./arguments.ts";
import type { EventType } from "./events/base-event.ts";
import type { Interaction } from "./events/event-builder.ts";
import type { MonitoringOptions } from "./events/interaction.ts";
import { describeValue } from "./events/validation-error.ts";
import type { GivenValues } from "./interaction-event.ts";
import type { GivenMetadata, Pipeline } from "./pipeline.ts";
import { toErrorFrames, toErrorName, type BurstLogger } from "./util/logger.ts";

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function findMissing(kind: EventType, values: GivenValues): keyof GivenValues | undefined {
  const isMessage = kind === "user_message" || kind === "agent_response";
  if (isMessage && typeof values.content !== "string") return "content";
  if (
    (kind === "tool_call" || kind === "tool_result") &&
    (typeof values.toolName !== "string" || values.toolName === "")
  )
    return "toolName";
  if (kind === "error" && (values.error === undefined || values.error === null)) return "error";
  return undefined;
}

/** Checks the arguments of an interaction and hands it to the pipeline; never throws. */
export class Tracker {
  readonly #pipeline: Pipeline;
  readonly #log: BurstLogger;
  #isClosed = false;

  constructor(pipeline: Pipeline, log: BurstLogger) {
    this.#pipeline = pipeline;
    this.#log = log;
  }

  /** From now on events are counted as lost. */
  close(): void {
    this.#isClosed = true;
  }

  /** Logs a problem of the caller's: what was expected and what came. */
  report(method: string, field: string, message: string): void {
    this.#log.log("warn", `invalid:${method}`, `${method}: ${field} ${message}`);
  }

  /** Reports a problem that costs the event, and counts it. */
  refuse(method: string, field: string, message: string): false {
    this.#pipeline.refuse("invalid_argument");
    this.#log.log(
      "warn",
      `drop:invalid_argument:${method}`,
      `${method}: ${field} ${message}; the event is lost`,
    );
    return false;
  }

  /** Tracks an interaction, and tells whether it did; whatever happens in there, the application goes on. */
  track(
    method: string,
    kind: EventType,
    given: GivenIdentity,
    values: GivenValues,
    metadata: GivenMetadata,
    options?: MonitoringOptions,
  ): boolean {
    try {
      return this.#trackChecked(method, kind, given, values, metadata, options);
    } catch (error) {
      this.#pipeline.refuse("internal_error");
      this.#log.log(
        "error",
        `internal:${method}`,
        `${method}: an event is lost (${toErrorName(error)})`,
        { at: toErrorFrames(error) },
      );
      return false;
    }
  }

  #trackChecked(
    method: string,
    kind: EventType,
    given: GivenIdentity,
    values: GivenValues,
    metadata: GivenMetadata,
    options: MonitoringOptions | undefined,
  ): boolean {
    if (this.#isClosed) {
      this.#pipeline.refuse("after_shutdown");
      this.#log.log(
        "warn",
        "after_shutdown",
        `${method}: the monitor is shut down, the event is lost`,
      );
      return false;
    }
    const report = (field: string, message: string): void => this.report(method, field, message);
    const identity = toIdentity(given, options, report);
    if ("problem" in identity) {
      return this.refuse(method, identity.problem.field, identity.problem.message);
    }
    const missing = findMissing(kind, values);
    if (missing)
      return this.refuse(
        method,
        missing,
        `expected a string (got ${describeValue(values[missing])})`,
      );
    const checked = toOptions(options, report);
    const interaction: Interaction = {
      kind,
      agentId: identity.agentId,
      sessionId: identity.sessionId,
      conversationId: identity.conversationId,
      userId: identity.userId,
      requestId: identity.requestId,
      content: toText(values.content),
      toolName: toText(values.toolName),
      toolParameters: values.toolParameters,
      toolResult: values.toolResult,
      executionTime: values.executionTime,
      error: values.error,
      agentCategory: checked?.agentCategory,
      agentSpecialty: checked?.agentSpecialty,
    };
    this.#pipeline.track(interaction, metadata, checked);
    return true;
  }
}
