import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { AnyValue } from "@opentelemetry/api-logs";
import type { EncodedEvent } from "./log-record.ts";

function toSpanValue(value: AnyValue): AttributeValue | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (value === null || value === undefined) return undefined;
  return JSON.stringify(value);
}

/** Gives an event's attributes the form that spans take: OTel 2.x drops structured values there without a word. */
export function toSpanAttributes({ attributes, isFlat }: EncodedEvent): Attributes {
  if (isFlat) return attributes as Attributes;
  const target: Attributes = {};
  for (const key in attributes) {
    const value = toSpanValue(attributes[key]);
    if (value !== undefined) target[key] = value;
  }
  return target;
}
