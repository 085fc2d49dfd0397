import { isError, readMember } from "../util/untrusted-values.ts";

/** What can be told of anything that was thrown, returned or passed as an error. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly cause?: unknown;
  /** The thing itself, where it is neither an `Error` nor a string. */
  readonly original?: unknown;
}

const UNKNOWN_TYPE = "Error";
/** `{ error: { error: … } }` is followed this far. */
const MAX_NESTING = 5;

/** Gives a scalar as a text, one that is not empty. */
function toScalarText(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return undefined;
}

/** Describes a value that stands for an error; never throws. */
export function describeError(value: unknown): DescribedError {
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

/** Tells whether a tool's result says that the tool failed: an `Error`, `{ error }` or `{ isError: true }`. */
export function isFailedResult(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  if (isError(result)) return true;
  const error = readMember(result, "error");
  return (
    readMember(result, "isError") === true ||
    (error !== undefined && error !== null && error !== false)
  );
}
