import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { AnyValue, AnyValueMap } from "@opentelemetry/api-logs";
import type { EncodedEvent } from "./log-record.ts";
import { ATTR_EVENT_JSON_ATTRIBUTES, ATTR_EVENT_LENGTH } from "../semconv.ts";

function toSpanValue(value: AnyValue): AttributeValue | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (value === null || value === undefined) return undefined;
  return JSON.stringify(value);
}

/** Names the attributes that hold JSON here, those of the record included. */
function findJsonAttributes(attributes: AnyValueMap): string[] {
  const inRecord = (attributes[ATTR_EVENT_JSON_ATTRIBUTES] ?? []) as string[];
  const structured = Object.keys(attributes).filter(
    (key) => typeof attributes[key] === "object" && key !== ATTR_EVENT_JSON_ATTRIBUTES,
  );
  return [...inRecord, ...structured];
}

/** Gives an event's attributes the form that spans take: OTel 2.x drops structured values there without a word. */
export function toSpanAttributes({ attributes, isFlat }: EncodedEvent): Attributes {
  if (isFlat) return attributes as Attributes;
  const target: Attributes = {};
  for (const key in attributes) {
    const value = toSpanValue(attributes[key]);
    if (value !== undefined) target[key] = value;
  }
  // All of the event is here: who reads it back must know which texts are JSON.
  if (attributes[ATTR_EVENT_LENGTH] !== undefined) {
    target[ATTR_EVENT_JSON_ATTRIBUTES] = findJsonAttributes(attributes);
  }
  return target;
}
