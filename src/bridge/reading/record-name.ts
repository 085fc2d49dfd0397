import type { SpanContext } from "@opentelemetry/api";
import { ATTR_EVENT_NAME } from "../../semconv.ts";

/** The members of a log record that are read. */
export interface RecordLike {
  readonly eventName?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly spanContext?: SpanContext | undefined;
}

/** The name of a record's event: older producers write it as an attribute. */
export function toEventName({ eventName, attributes }: RecordLike): string {
  if (eventName) return eventName;
  const name = attributes[ATTR_EVENT_NAME];
  return typeof name === "string" ? name : "";
}
