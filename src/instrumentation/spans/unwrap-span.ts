import type { Span } from "@opentelemetry/api";
import type { BridgeSpan } from "../../bridge/bridge-span.ts";
import { readMember } from "../../util/untrusted-values.ts";
import type { FetchObserverHost } from "../host.ts";

/** A span as the SDK makes it, of which the API shows less. */
export type SdkSpan = Span & Partial<Pick<BridgeSpan, "attributes" | "resource" | "name">>;

function hasAttributes(value: unknown): value is SdkSpan {
  return typeof value === "object" && value !== null && "attributes" in value;
}

/**
 * Gives the SDK's span of one that wraps it, as OpenInference's do: a wrapper holds what it wraps, which has the same
 * id. One that wraps none is given back.
 */
export function unwrapSpan(span: Span | undefined): SdkSpan | undefined {
  if (!span || hasAttributes(span)) return span;
  const { spanId } = span.spanContext();
  for (const name of Object.keys(span)) {
    const held = readMember(span, name);
    if (!hasAttributes(held) || typeof readMember(held, "spanContext") !== "function") continue;
    if (held.spanContext().spanId === spanId) return held;
  }
  return span;
}

/** Tells whether a span stands for a model call and can still be written. */
export function isOpenCall(span: SdkSpan | undefined, host: FetchObserverHost): boolean {
  if (!span?.attributes || !span.isRecording()) return false;
  return host.isModelCall(span as SdkSpan & BridgeSpan);
}
