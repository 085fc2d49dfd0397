import { cutString } from "../util/cut-string.ts";
import { isError, readMember } from "../util/untrusted-values.ts";
import { MAX_NAME_LENGTH } from "./agent.ts";
import { errorSeveritySchema } from "./base-event.ts";
import type { Build } from "./event-builder.ts";
import type { MetadataReader } from "./metadata-reader.ts";

/** Fields of a value that was thrown, returned or passed as an error. */
interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: string | undefined;
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

function describeMembers(value: unknown): DescribedError {
  return {
    type: toScalarText(readMember(value, "name")) ?? UNKNOWN_TYPE,
    message: toScalarText(readMember(value, "message")) ?? toScalarText(value) ?? "",
    stack: toScalarText(readMember(value, "stack")),
    code: toScalarText(readMember(value, "code")),
    cause: readMember(value, "cause"),
  };
}

/** Describes a value that stands for an error; never throws. */
function describeError(value: unknown, depth = 0): DescribedError {
  if (typeof value === "string") return { type: UNKNOWN_TYPE, message: value };
  if (isError(value)) return describeMembers(value);
  const nested = readMember(value, "error");
  const isNested = nested !== undefined && nested !== null && depth < MAX_NESTING;
  const described = isNested ? describeError(nested, depth + 1) : describeMembers(value);
  return { ...described, original: value };
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
export const buildToolCall: Build = (base, interaction, metadata, { agent }) => {
  const toolName = cutString(interaction.toolName ?? "", MAX_NAME_LENGTH);
  const tool = agent?.facts.tools.get(toolName);
  metadata.complete("toolVersion", tool?.version);
  return Object.assign(base, {
    interactionType: "tool_call",
    toolName,
    toolParameters: metadata.toFreeValue(interaction.toolParameters),
    toolCategory: tool?.category,
    riskLevel: tool?.riskLevel,
    metadata: metadata.rest(),
  } as const);
};

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
export const buildToolResult: Build = (base, interaction, metadata) => {
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
    toolResult: metadata.toFreeValue(toolResult),
    toolError: toolError && metadata.toContent(toolError),
    executionTime: executionTime ?? 0,
    success,
    metadata: metadata.rest(),
  } as const);
};

function toErrorCode(described: DescribedError, metadata: MetadataReader): string | undefined {
  const given = metadata.peek("errorCode");
  if (typeof given !== "string" && typeof given !== "number") return described.code;
  metadata.take("errorCode");
  return String(given);
}

/** Builds an error event; the metadata wins over the members of the error. */
export const buildError: Build = (base, interaction, metadata) => {
  const described = describeError(interaction.error);
  const severity = errorSeveritySchema.safeParse(metadata.peek("severity"));
  if (severity.success) metadata.take("severity");
  const recoverable = metadata.take("recoverable");
  const errorType = metadata.takeString("errorType") ?? described.type;
  const errorStack = metadata.takeString("errorStack") ?? described.stack;
  const errorCode = toErrorCode(described, metadata);
  if (described.cause !== undefined) metadata.add("cause", metadata.toFreeValue(described.cause));
  if (described.original !== undefined)
    metadata.add("originalError", metadata.toFreeValue(described.original));
  return Object.assign(base, {
    interactionType: "error",
    errorType: cutString(errorType, MAX_NAME_LENGTH),
    errorMessage: metadata.toContent(described.message),
    errorStack: errorStack && metadata.toContent(errorStack),
    errorCode: errorCode && cutString(errorCode, MAX_NAME_LENGTH),
    severity: severity.success ? severity.data : "medium",
    recoverable: typeof recoverable === "boolean" ? recoverable : true,
    metadata: metadata.rest(),
  } as const);
};
