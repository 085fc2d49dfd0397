import { randomBytes } from "node:crypto";
import { isSpanContextValid, TraceFlags, type Span, type SpanContext } from "@opentelemetry/api";

const toId = (bytes: number): string => randomBytes(bytes).toString("hex");

/** Gives the ids of a span; none for one that a tracer which does nothing has handed out: it has its parent's. */
export function readIds(span: Span | undefined, above?: SpanContext): SpanContext | undefined {
  const given = span?.spanContext();
  return given && isSpanContextValid(given) && given.spanId !== above?.spanId ? given : undefined;
}

/** Makes ids for a span that no tracer makes, in the trace of the one above it. */
export function makeIds(above: SpanContext | undefined): SpanContext {
  const traceId = above && isSpanContextValid(above) ? above.traceId : toId(16);
  return { traceId, spanId: toId(8), traceFlags: TraceFlags.SAMPLED };
}

/** Takes the ids of a span, or makes some. */
export function toIds(span: Span | undefined, above: SpanContext | undefined): SpanContext {
  return readIds(span, above) ?? makeIds(above);
}
