import { type EventType, eventTypeSchema, isIdentifier } from "../events/base-event.ts";
import { createInteraction } from "../events/event-builder.ts";
import type { MonitoringOptions } from "../events/interaction.ts";
import { type ValidationDetail, describeValue } from "../events/validation-error.ts";
import { type BurstLogger, toErrorFrames, toErrorName } from "../util/logger.ts";
import { findSlip } from "../util/nearest-name.ts";
import {
  type GivenIdentity,
  MEMBER_NAME,
  UNKNOWN_MEMBER,
  listMembers,
  pickMembers,
  readArgument,
  toIdentity,
  toOptions,
} from "./arguments.ts";
import type { GivenMetadata } from "./interaction-recorder.ts";
import type { Pipeline } from "./pipeline.ts";

/** Values of an interaction as the caller passed them. */
interface GivenValues {
  readonly content?: unknown;
  readonly toolName?: unknown;
  readonly toolParameters?: unknown;
  readonly toolResult?: unknown;
  readonly executionTime?: number | undefined;
  readonly error?: unknown;
}

/** Members that have a typed place in these kinds only; in the others they go into the metadata. */
const KINDS_OF_MEMBER: Readonly<Record<string, readonly EventType[]>> = {
  content: ["user_message", "agent_response", "error", "compliance_violation"],
  toolName: ["tool_call", "tool_result"],
  toolParameters: ["tool_call"],
  toolResult: ["tool_result"],
  errorType: [],
  errorCode: [],
  severity: [],
};

const KNOWN_MEMBERS = new Set([
  ...Object.keys(KINDS_OF_MEMBER),
  "sessionId",
  "conversationId",
  "userId",
  "interactionType",
  "metadata",
]);

const MAX_UNKNOWN_MEMBERS = 100;

/** Reads an InteractionEvent, whatever it is; `undefined` when its kind can't be known. */
export function readInteractionEvent(event: unknown) {
  const kind = eventTypeSchema.safeParse(readArgument(event, "interactionType"));
  if (!kind.success) return undefined;
  // Members that the type does not know, and those that this kind has no place for.
  const unknown = listMembers(event)
    .filter((name) => !KNOWN_MEMBERS.has(name))
    .slice(0, MAX_UNKNOWN_MEMBERS);
  const untyped = Object.entries(KINDS_OF_MEMBER).filter(([, kinds]) => !kinds.includes(kind.data));
  const names = [...untyped.map(([name]) => name), ...unknown];
  return {
    kind: kind.data,
    identity: pickMembers(event, ["sessionId", "conversationId", "userId"]),
    values: {
      ...pickMembers(event, ["content", "toolName", "toolParameters", "toolResult"]),
      // An error may have nothing but its type.
      error: readArgument(event, "content") ?? readArgument(event, "errorType") ?? "",
    },
    metadata: { metadata: readArgument(event, "metadata"), extra: pickMembers(event, names) },
  };
}

/** Misspelt names that are logged; a caller may make up names without end. */
const MAX_REPORTED_NAMES = 100;

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
  readonly #reportedNames = new Set<string>();
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

  /** A misspelt name stands in the program, so that it is logged once. */
  #isNews(method: string, { field, code }: ValidationDetail): boolean {
    if (code !== UNKNOWN_MEMBER) return true;
    const key = `${method}:${field}`;
    if (this.#reportedNames.has(key) || this.#reportedNames.size >= MAX_REPORTED_NAMES)
      return false;
    this.#reportedNames.add(key);
    return true;
  }

  /** Tracks an interaction, and returns whether it did; whatever happens in there, the application goes on. */
  track(
    method: string,
    kind: EventType,
    given: GivenIdentity,
    values: GivenValues,
    metadata: GivenMetadata,
    options?: MonitoringOptions,
  ): boolean {
    try {
      if (this.#isClosed) {
        this.#pipeline.refuse("after_shutdown");
        const message = `${method}: the monitor is shut down, the event is lost`;
        this.#log.log("warn", "after_shutdown", message);
        return false;
      }
      const problems: ValidationDetail[] = [];
      const identity = toIdentity(given, options, problems, readConversationId(metadata));
      if ("problem" in identity)
        return this.refuse(method, withMisspelt(identity.problem, metadata.extra));
      const missing = findMissing(kind, values);
      if (missing) return this.refuse(method, withMisspelt(missing, metadata.extra));
      const checked = toOptions(options, problems);
      if (problems.length > 0) this.report(method, problems);
      const interaction = createInteraction(kind, identity, values, checked);
      this.#pipeline.interactions.track(interaction, metadata, checked);
      return true;
    } catch (error) {
      this.#pipeline.refuse("internal_error");
      const message = `${method}: an event is lost (${toErrorName(error)})`;
      this.#log.log("error", `internal:${method}`, message, { at: toErrorFrames(error) });
      return false;
    }
  }
}
