import { SpanStatusCode, type Attributes, type HrTime, type Span } from "@opentelemetry/api";
import type { ErrorSeverity } from "../events/base-event.ts";
import type { ErrorEvent } from "../events/detailed-event.ts";
import * as semconv from "../semconv.ts";

/** From `high` on an error is one of the operation, not only in it. */
const FAILING: ReadonlySet<ErrorSeverity> = new Set(["high", "critical"]);

const EXCEPTION_ATTRIBUTES = [
  semconv.ATTR_EXCEPTION_TYPE,
  semconv.ATTR_EXCEPTION_MESSAGE,
  semconv.ATTR_EXCEPTION_STACKTRACE,
] as const;

/**
 * Writes an error on its span as backends know it: as `exception`, and as the span's status when it is a serious one.
 *
 * @param attributes - Those of the error's event on the span, which hold texts only as the content policy allows.
 * @see https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-spans/
 */
export function writeError(
  span: Span,
  { severity, errorType }: ErrorEvent,
  attributes: Attributes,
  time: HrTime,
): void {
  const exception: Attributes = {};
  for (const key of EXCEPTION_ATTRIBUTES) {
    const value = attributes[key];
    if (value !== undefined) exception[key] = value;
  }
  span.addEvent(semconv.EVENT_EXCEPTION, exception, time);
  if (!FAILING.has(severity)) return;
  const message = attributes[semconv.ATTR_EXCEPTION_MESSAGE];
  span.setAttribute(semconv.ATTR_ERROR_TYPE, errorType);
  span.setStatus({
    code: SpanStatusCode.ERROR,
    ...(typeof message === "string" && { message }),
  });
}
