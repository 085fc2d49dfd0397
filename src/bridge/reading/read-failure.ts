import type { ErrorSeverity } from "../../events/base-event.ts";
import * as semconv from "../../semconv.ts";
import type { Failure, SpanLike } from "../span-record.ts";
import { findMatch, firstText, firstValue, toCapturedText } from "./read-attributes.ts";

/** `SpanStatusCode.ERROR` of OpenTelemetry, of every version. */
const STATUS_ERROR = 2;
const UNKNOWN_TYPE = "Error";
/** Clients write the status of the answer in their messages: "429 Rate limit reached", "[500 Internal Server Error]". */
const STATUS_IN_TEXT = [
  /^(?:[\w ]{1,40}: )?([45]\d{2})\b/,
  /\bstatus(?: code)?[:=]? ?([45]\d{2})\b/i,
  /\[([45]\d{2}) /,
  /"code": ?([45]\d{2})\b/,
] as const;
/** UTF-16 units at the beginning of a message in which a status is looked for. */
const MAX_SEARCHED = 1000;

function readStatus(value: unknown): string | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 400 && status <= 599 ? String(status) : undefined;
}

/** Describes a failure by what a producer says of it. */
export function toFailure(
  type: unknown,
  message: unknown,
  more: { readonly stack?: unknown; readonly status?: unknown } = {},
): Failure {
  const text = typeof message === "string" ? message : "";
  return {
    type: toCapturedText(type) ?? UNKNOWN_TYPE,
    message: text,
    stack: toCapturedText(more.stack),
    code:
      readStatus(more.status) ??
      readStatus(type) ??
      findMatch(text.slice(0, MAX_SEARCHED), STATUS_IN_TEXT),
  };
}

const MESSAGES = [semconv.ATTR_ERROR_MESSAGE, semconv.ATTR_EXCEPTION_MESSAGE] as const;
const STATUSES = [
  semconv.ATTR_HTTP_RESPONSE_STATUS_CODE,
  semconv.ATTR_HTTP_STATUS_CODE,
  semconv.ATTR_ERROR_TYPE,
] as const;

/** Reads how a span failed, from its exception, its status or `error.type`; `undefined` when it did not. */
export function readFailure({ attributes, status, events }: SpanLike): Failure | undefined {
  const exception = events?.find(({ name }) => name === "exception")?.attributes;
  const errorType = toCapturedText(attributes[semconv.ATTR_ERROR_TYPE]);
  const isFailed = status?.code === STATUS_ERROR || exception !== undefined;
  if (!isFailed && errorType === undefined) return undefined;
  const said = exception ?? {};
  const type = toCapturedText(said[semconv.ATTR_EXCEPTION_TYPE]) ?? errorType;
  const message =
    toCapturedText(said[semconv.ATTR_EXCEPTION_MESSAGE]) ??
    toCapturedText(status?.message) ??
    firstText(attributes, MESSAGES);
  return toFailure(type, message, {
    stack: said[semconv.ATTR_EXCEPTION_STACKTRACE],
    status: firstValue(attributes, STATUSES),
  });
}

/** How bad a failure is, and whether the same request may go well another time. */
interface FailureRating {
  readonly severity: ErrorSeverity;
  readonly recoverable: boolean;
}

/** What is not rated otherwise, as errors that are tracked by hand. */
const UNKNOWN: FailureRating = { severity: "medium", recoverable: true };
/** Nobody is answered until somebody changes a key, a right or a contract. */
const LOCKED_OUT: FailureRating = { severity: "high", recoverable: false };
/** The same request fails again. */
const REFUSED: FailureRating = { severity: "medium", recoverable: false };
/** The application itself has called it off. */
const CALLED_OFF: FailureRating = { severity: "low", recoverable: true };

/** Types of errors, of clients, of providers and of Node.js, the surest first; signs between words do not count. */
const BY_TYPE: readonly (readonly [RegExp, FailureRating])[] = [
  [/abort|cancel/, CALLED_OFF],
  [/quota|billing|paymentrequired|creditbalance/, LOCKED_OUT],
  [/authentication|unauthorized|unauthenticated|apikey|credential|expiredtoken/, LOCKED_OUT],
  [/permission|forbidden|accessdenied/, LOCKED_OUT],
  [/ratelimit|throttl|toomanyrequests|resourceexhausted|overloaded/, UNKNOWN],
  [/timeout|timedout|connection|network|econn|enotfound|unavailable|internalserver/, UNKNOWN],
  [/notfound|badrequest|invalidrequest|invalidargument|validation|unprocessable/, REFUSED],
  [/contextlength|toolarge|contentfilter|contentpolicy|unsupported|notimplemented/, REFUSED],
];

const MAX_TYPE_LENGTH = 200;

function rateType(type: string): FailureRating | undefined {
  const name = type
    .slice(0, MAX_TYPE_LENGTH)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  return BY_TYPE.find(([pattern]) => pattern.test(name))?.[1];
}

/** Statuses of the 400s after which the same request may go well. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const LOCKING: ReadonlySet<number> = new Set([401, 402, 403, 407]);
const NEVER_SERVED: ReadonlySet<number> = new Set([501, 505]);

function rateStatus(code: string | undefined): FailureRating | undefined {
  const status = Number(code);
  if (!(status >= 400 && status <= 599)) return undefined;
  if (LOCKING.has(status)) return LOCKED_OUT;
  if (TEMPORARY.has(status)) return UNKNOWN;
  return status < 500 || NEVER_SERVED.has(status) ? REFUSED : UNKNOWN;
}

/** Rates how a model call or a run failed: by the status of the answer, else by the type of the error. */
export function rateFailure({ type, code }: Failure): FailureRating {
  const byType = rateType(type);
  // A quota that is used up comes with the status of too many requests.
  if (byType === LOCKED_OUT) return byType;
  return rateStatus(code) ?? byType ?? UNKNOWN;
}
