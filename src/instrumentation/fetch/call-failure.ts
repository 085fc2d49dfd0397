import { cutString } from "../../util/cut-string.ts";
import { readMember, readText } from "../../util/untrusted-values.ts";
import type { ProviderError } from "../completion.ts";

/** A URL: scheme, user, host with path, query with fragment. */
const ADDRESS = /\b(https?:\/\/)(?:[^\s/?#"']*@)?([^\s?#"']*)(?:[?#][^\s"']*)?/gi;
/** The platform's message for an invalid header value, which it repeats. */
const HEADER_VALUE = /"[^]*"(?= is an invalid header value)/;

/**
 * Removes what may be a credential from an error's message: user, password and query of URLs, where some APIs have
 * their keys, and values of headers.
 */
function withoutCredentials(message: string): string {
  return message.replace(HEADER_VALUE, "a value").replaceAll(ADDRESS, "$1$2");
}

/** Failure of a call. */
export interface CallFailure {
  /** The provider's error type, else the error's code or name, else the status. */
  readonly type: string;
  readonly message: string;
}

const MAX_MESSAGE_LENGTH = 4096;
const MAX_TYPE_LENGTH = 128;
/** A client's own timeout fires at about its limit. */
const TIMEOUT_TOLERANCE_MILLIS = 50;

/** Pattern of an error type; a sentence may be content, and the type is recorded under every policy. */
const TYPE = /^[\w.:/#-]+$/;

function toFailure(type: string, message: string): CallFailure {
  return {
    type: cutString(type, MAX_TYPE_LENGTH),
    message: cutString(withoutCredentials(message), MAX_MESSAGE_LENGTH),
  };
}

/** Describes an error that the provider reports. @param fallback - Type of an error that has none. */
export function toApiFailure(fallback: string, error?: ProviderError): CallFailure {
  const { type, message = "" } = error ?? {};
  return toFailure(type !== undefined && TYPE.test(type) ? type : fallback, message);
}

/** Describes what a library reports as a failure: an `Error`, a text, an object of its own. */
export function toThrownFailure(error: unknown): CallFailure {
  const name = readText(error, "name");
  // Clients' errors have the `name` `Error`; the class name identifies them.
  const className = readText(readMember(error, "constructor"), "name");
  const isNamed = name !== undefined && name !== "Error" && name !== "Object";
  const type = (isNamed ? name : (className ?? name)) ?? "Error";
  const message = typeof error === "string" ? error : readText(error, "message");
  return toFailure(type === "Object" || type === "String" ? "Error" : type, message ?? "");
}

/** Time limits of a call. */
interface CallLimits {
  readonly signal: unknown;
  /** The client's own limit in ms. */
  readonly timeoutMillis: number | undefined;
  readonly elapsedMillis: number;
}

function isTimeout(error: unknown, { signal, timeoutMillis, elapsedMillis }: CallLimits): boolean {
  const names = [readMember(error, "name"), readMember(readMember(signal, "reason"), "name")];
  if (names.includes("TimeoutError")) return true;
  return timeoutMillis !== undefined && elapsedMillis >= timeoutMillis - TIMEOUT_TOLERANCE_MILLIS;
}

/** Describes why a response is missing or incomplete: the connection failed, or the caller aborted. */
export function toNetworkFailure(error: unknown, limits: CallLimits): CallFailure {
  const isAborted =
    readMember(limits.signal, "aborted") === true || readMember(error, "name") === "AbortError";
  if (isAborted) {
    return isTimeout(error, limits)
      ? toFailure("TimeoutError", "the call took longer than its caller allows")
      : toFailure("AbortError", "the caller aborted the call");
  }
  // Its message would repeat what the model has said.
  if (readMember(error, "name") === "SyntaxError") {
    return toFailure("SyntaxError", "the answer is not the JSON that its caller reads");
  }
  const cause = readMember(error, "cause");
  const type = readText(cause, "code") ?? readText(error, "code");
  const texts = [readText(error, "message"), readText(cause, "message")];
  return toFailure(
    type ?? readText(error, "name") ?? "Error",
    texts.filter((text) => text !== undefined).join(": "),
  );
}

const RETRYABLE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Returns whether clients retry a request after this status. */
export function isRetryable(status: number): boolean {
  return RETRYABLE.has(status) || status >= 500;
}
