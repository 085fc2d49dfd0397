import { randomFillSync } from "node:crypto";
import { isSpanContextValid, TraceFlags, type Span, type SpanContext } from "@opentelemetry/api";

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** Random bytes to come: asking the system for a few takes as long as for a few thousand. */
const pool = Buffer.alloc(4096);
let used = pool.length;

function toId(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
}

/** Gives the ids of a span; none for one that a tracer which does nothing has handed out: it has its parent's. */
export function readIds(span: Span | undefined, above?: SpanContext): SpanContext | undefined {
  const given = span?.spanContext();
  return given && isSpanContextValid(given) && given.spanId !== above?.spanId ? given : undefined;
}

/** Makes ids for a span that no tracer makes, in the trace of the one above it. */
export function makeIds(above: SpanContext | undefined): SpanContext {
  const traceId = above && isSpanContextValid(above) ? above.traceId : toId(TRACE_ID_BYTES);
  return { traceId, spanId: toId(SPAN_ID_BYTES), traceFlags: TraceFlags.SAMPLED };
}

/** Takes the ids of a span, or makes some. */
export function toIds(span: Span | undefined, above: SpanContext | undefined): SpanContext {
  return readIds(span, above) ?? makeIds(above);
}
