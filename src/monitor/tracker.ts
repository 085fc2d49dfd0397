import {
  listMembers,
  MEMBER_NAME,
  readArgument,
  toIdentity,
  toOptions,
  UNKNOWN_MEMBER,
  type GivenIdentity,
} from "./arguments.ts";
import { isIdentifier, type EventType } from "../events/base-event.ts";
import type { Interaction } from "../events/event-builder.ts";
import type { MonitoringOptions } from "../events/interaction.ts";
import { describeValue, type ValidationDetail } from "../events/validation-error.ts";
import type { GivenValues } from "./interaction-event.ts";
import type { GivenMetadata } from "./interaction-recorder.ts";
import type { Pipeline } from "./pipeline.ts";
import { findSlip } from "../util/nearest-name.ts";
import { toErrorFrames, toErrorName, type BurstLogger } from "../util/logger.ts";
import { readString } from "../util/values.ts";

/** Misspelt names that are told; a caller may make up names without end. */
const MAX_TOLD_NAMES = 100;

/** The methods that have no argument for the conversation read its id in the metadata. */
function readConversationId({ metadata }: GivenMetadata): string | undefined {
  const given = readArgument(metadata, "conversationId");
  // What is no id stands among the invalid members of the metadata.
  return isIdentifier(given) ? given : undefined;
}

const toText = (details: readonly ValidationDetail[]): string =>
  details.map(({ field, message }) => `${field} ${message}`).join("; ");

function findMissingName(kind: EventType, values: GivenValues): keyof GivenValues | undefined {
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

function findMissing(kind: EventType, values: GivenValues): ValidationDetail | undefined {
  const field = findMissingName(kind, values);
  if (field === undefined) return undefined;
  const message = `expected a string (got ${describeValue(values[field])})`;
  return { field, message, code: "invalid_type" };
}

/** Names the member that was most likely meant to be the one that is missing. */
export function withMisspelt(problem: ValidationDetail, source: unknown): ValidationDetail {
  const missing = problem.field.replace(/^event\./, "");
  const members = listMembers(source).filter((name) => MEMBER_NAME.test(name));
  const name = members.find((member) => findSlip(member, [missing]) !== undefined);
  if (name === undefined || name === missing) return problem;
  const message = `${problem.message}; ${name} is unknown: did you mean ${missing}?`;
  return { ...problem, message };
}

/** Checks the arguments of an interaction and hands it to the pipeline; never throws. */
export class Tracker {
  readonly #pipeline: Pipeline;
  readonly #log: BurstLogger;
  readonly #toldNames = new Set<string>();
  #isClosed = false;

  constructor(pipeline: Pipeline, log: BurstLogger) {
    this.#pipeline = pipeline;
    this.#log = log;
  }

  /** From now on events are counted as lost. */
  close(): void {
    this.#isClosed = true;
  }

  /** Logs problems of one call of the caller's: what was expected and what came. */
  report(method: string, problems: readonly ValidationDetail[]): void {
    const details = problems.filter((problem) => this.#isNews(method, problem));
    if (details.length === 0) return;
    const fields = details.map(({ field }) => field).join();
    this.#log.log("warn", `invalid:${method}:${fields}`, `${method}: ${toText(details)}`, {
      details,
    });
  }

  /** Reports a problem that costs the event, and counts it. */
  refuse(method: string, problem: ValidationDetail): false {
    this.#pipeline.refuse("invalid_argument");
    const code = `drop:invalid_argument:${method}:${problem.field}`;
    const details = [problem];
    const message = `${method}: ${toText(details)}; the event is lost`;
    this.#log.log("warn", code, message, { details });
    return false;
  }

  /** A misspelt name stands in the program, so that it is told once. */
  #isNews(method: string, { field, code }: ValidationDetail): boolean {
    if (code !== UNKNOWN_MEMBER) return true;
    const key = `${method}:${field}`;
    if (this.#toldNames.has(key) || this.#toldNames.size >= MAX_TOLD_NAMES) return false;
    this.#toldNames.add(key);
    return true;
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
    const problems: ValidationDetail[] = [];
    const report = (problem: ValidationDetail): void => void problems.push(problem);
    const identity = toIdentity(given, options, report, readConversationId(metadata));
    if ("problem" in identity)
      return this.refuse(method, withMisspelt(identity.problem, metadata.extra));
    const missing = findMissing(kind, values);
    if (missing) return this.refuse(method, withMisspelt(missing, metadata.extra));
    const checked = toOptions(options, report);
    if (problems.length > 0) this.report(method, problems);
    const interaction: Interaction = {
      kind,
      agentId: identity.agentId,
      sessionId: identity.sessionId,
      conversationId: identity.conversationId,
      userId: identity.userId,
      requestId: identity.requestId,
      content: readString(values.content),
      toolName: readString(values.toolName),
      toolParameters: values.toolParameters,
      toolResult: values.toolResult,
      executionTime: values.executionTime,
      error: values.error,
      agentCategory: checked?.agentCategory,
      agentSpecialty: checked?.agentSpecialty,
    };
    this.#pipeline.interactions.track(interaction, metadata, checked);
    return true;
  }
}
