import { pickText, toCapturedText } from "./read-attributes.ts";
import type { SpanLike } from "../span-exchange.ts";
import type { Failure } from "../span-record.ts";
import {
  ATTR_ERROR_MESSAGE,
  ATTR_ERROR_TYPE,
  ATTR_EXCEPTION_MESSAGE,
  ATTR_EXCEPTION_STACKTRACE,
  ATTR_EXCEPTION_TYPE,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_STATUS_CODE,
} from "../../semconv.ts";

/** `SpanStatusCode.ERROR` of OpenTelemetry, of every version. */
const STATUS_ERROR = 2;
const UNKNOWN_TYPE = "Error";
/** Clients tell the status of the answer in their messages: "429 Rate limit reached", "[500 Internal Server Error]". */
const STATUS_IN_TEXT = [
  /^(?:[\w ]{1,40}: )?([45]\d{2})\b/,
  /\bstatus(?: code)?[:=]? ?([45]\d{2})\b/i,
  /\[([45]\d{2}) /,
  /"code": ?([45]\d{2})\b/,
] as const;
/** UTF-16 units at the beginning of a message in which a status is looked for. */
const MAX_SEARCHED = 1000;

function findStatus(message: string): string | undefined {
  const text = message.slice(0, MAX_SEARCHED);
  for (const pattern of STATUS_IN_TEXT) {
    const status = pattern.exec(text)?.[1];
    if (status !== undefined) return status;
  }
  return undefined;
}

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
  const code = readStatus(more.status) ?? readStatus(type) ?? findStatus(text);
  const stack = toCapturedText(more.stack);
  return {
    type: toCapturedText(type) ?? UNKNOWN_TYPE,
    message: text,
    ...(stack !== undefined && { stack }),
    ...(code !== undefined && { code }),
  };
}

/** Reads how a span failed, from its exception, its status or `error.type`; `undefined` when it did not. */
export function readFailure(span: SpanLike): Failure | undefined {
  const { attributes, status, events } = span;
  const exception = events?.find(({ name }) => name === "exception")?.attributes;
  const errorType = attributes[ATTR_ERROR_TYPE];
  const isFailed = status?.code === STATUS_ERROR || exception !== undefined;
  if (!isFailed && toCapturedText(errorType) === undefined) return undefined;
  const message = pickText(
    exception?.[ATTR_EXCEPTION_MESSAGE],
    status?.message,
    attributes[ATTR_ERROR_MESSAGE],
    attributes[ATTR_EXCEPTION_MESSAGE],
  );
  const type = pickText(exception?.[ATTR_EXCEPTION_TYPE], errorType);
  return toFailure(type, message, {
    stack: exception?.[ATTR_EXCEPTION_STACKTRACE],
    status: pickStatus(attributes),
  });
}

function pickStatus(attributes: SpanLike["attributes"]): unknown {
  return (
    attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] ??
    attributes[ATTR_HTTP_STATUS_CODE] ??
    attributes[ATTR_ERROR_TYPE]
  );
}
