import { cutString } from "../util/cut-string.ts";
import { isError, readMember } from "../util/untrusted-values.ts";
import { MAX_NAME_LENGTH } from "./agent.ts";
import { errorSeveritySchema } from "./base-event.ts";
import type { DetailedEvent } from "./detailed-event.ts";
import { toContent, toFreeValue, type Build } from "./event-builder.ts";
import type { MetadataReader } from "./metadata-reader.ts";

/** Fields of a value that was thrown, returned or passed as an error. */
interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: unknown;
  /** The value itself, where it is neither an `Error` nor a string. */
  readonly original?: unknown;
}

const UNKNOWN_TYPE = "Error";
/** `{ error: { error: … } }` is followed this far. */
const MAX_NESTING = 5;

/** Returns a scalar as a text, `undefined` for an empty one. */
function toScalarText(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return undefined;
}

/** Describes a value that stands for an error; never throws. */
function describeError(value: unknown): DescribedError {
  return describe(value, 0);
}

function describeMembers(value: unknown): DescribedError {
  const stack = toScalarText(readMember(value, "stack"));
  const code = toScalarText(readMember(value, "code"));
  const cause = readMember(value, "cause");
  return {
    type: toScalarText(readMember(value, "name")) ?? UNKNOWN_TYPE,
    message: toScalarText(readMember(value, "message")) ?? toScalarText(value) ?? "",
    ...(stack !== undefined && { stack }),
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause }),
  };
}

function describe(value: unknown, depth: number): DescribedError {
  if (typeof value === "string") return { type: UNKNOWN_TYPE, message: value };
  if (isError(value)) return describeMembers(value);
  const nested = readMember(value, "error");
  const isNested = nested !== undefined && nested !== null && depth < MAX_NESTING;
  return { ...(isNested ? describe(nested, depth + 1) : describeMembers(value)), original: value };
}

/** Returns whether a tool's result reports that the tool failed: an `Error`, `{ error }` or `{ isError: true }`. */
function isFailedResult(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  if (isError(result)) return true;
  const error = readMember(result, "error");
  return (
    readMember(result, "isError") === true ||
    (error !== undefined && error !== null && error !== false)
  );
}

/** Builds a tool_call; category, risk and version come from the profile of the agent. */
export function buildToolCall(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const toolName = cutString(interaction.toolName ?? "", MAX_NAME_LENGTH);
  const tool = options.agent?.facts.tools.get(toolName);
  metadata.complete("toolVersion", tool?.version);
  return Object.assign(base, {
    interactionType: "tool_call",
    toolName,
    toolParameters: toFreeValue(interaction.toolParameters, options.maxLength, metadata),
    toolCategory: tool?.category,
    riskLevel: tool?.riskLevel,
    metadata: metadata.rest(),
  } as const);
}

/** The caller's own outcome wins over the form of the result. */
function toOutcome(
  toolResult: unknown,
  metadata: MetadataReader,
): { success: boolean; toolError: string | undefined } {
  const toolError = metadata.takeString("toolError");
  const isSuccess = metadata.peek("success");
  if (typeof isSuccess === "boolean") metadata.take("success");
  const success =
    typeof isSuccess === "boolean"
      ? isSuccess
      : toolError === undefined && !isFailedResult(toolResult);
  if (success || toolError !== undefined) return { success, toolError };
  return { success, toolError: describeError(toolResult).message };
}

/** Builds a tool_result; its success is read from the result. */
export function buildToolResult(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const { toolResult } = interaction;
  const { success, toolError } = toOutcome(toolResult, metadata);
  const executionTime =
    interaction.executionTime ??
    metadata.takeNumber("executionTime") ??
    metadata.takeNumber("toolExecutionTime");
  if (executionTime === undefined) metadata.add("executionTimeKnown", false);
  return Object.assign(base, {
    interactionType: "tool_result",
    toolName: cutString(interaction.toolName ?? "", MAX_NAME_LENGTH),
    toolResult: toFreeValue(toolResult, options.maxLength, metadata),
    toolError:
      toolError === undefined ? undefined : toContent(toolError, options.maxLength, metadata),
    executionTime: executionTime ?? 0,
    success,
    metadata: metadata.rest(),
  } as const);
}

function toErrorCode(described: DescribedError, metadata: MetadataReader): string | undefined {
  const given = metadata.peek("errorCode");
  if (typeof given !== "string" && typeof given !== "number") return described.code;
  metadata.take("errorCode");
  return String(given);
}

/** Builds an error event; the metadata wins over the members of the error. */
export function buildError(
  ...[base, interaction, metadata, options]: Parameters<Build>
): DetailedEvent {
  const described = describeError(interaction.error);
  const severity = errorSeveritySchema.safeParse(metadata.peek("severity"));
  if (severity.success) metadata.take("severity");
  const recoverable = metadata.take("recoverable");
  const errorType = metadata.takeString("errorType") ?? described.type;
  const errorStack = metadata.takeString("errorStack") ?? described.stack;
  const errorCode = toErrorCode(described, metadata);
  if (described.cause !== undefined) {
    metadata.add("cause", toFreeValue(described.cause, options.maxLength, metadata));
  }
  if (described.original !== undefined) {
    metadata.add("originalError", toFreeValue(described.original, options.maxLength, metadata));
  }
  return Object.assign(base, {
    interactionType: "error",
    errorType: cutString(errorType, MAX_NAME_LENGTH),
    errorMessage: toContent(described.message, options.maxLength, metadata),
    errorStack:
      errorStack === undefined ? undefined : toContent(errorStack, options.maxLength, metadata),
    errorCode: errorCode === undefined ? undefined : cutString(errorCode, MAX_NAME_LENGTH),
    severity: severity.success ? severity.data : "medium",
    recoverable: typeof recoverable === "boolean" ? recoverable : true,
    metadata: metadata.rest(),
  } as const);
}
