import { FETCH_SCOPE_NAME } from "../../semconv.ts";
import type { SpanRecord } from "../span-record.ts";

/** Returns how long a span took, in ms; 0 when its end is unknown. */
function durationOf({ start, end, isAbandoned }: SpanRecord): number {
  return isAbandoned ? 0 : end - start;
}

/**
 * Orders spans of one call from the inner one to the outer: what watches HTTP is the nearest to the facts, of others the
 * shorter one is. When a span began tells less: many say it in whole ms, often the same.
 */
export function fromInner(one: SpanRecord, other: SpanRecord): number {
  const [isInner, isOtherInner] = [one, other].map(({ scope }) => scope === FETCH_SCOPE_NAME);
  if (isInner !== isOtherInner) return isInner ? -1 : 1;
  return durationOf(one) - durationOf(other);
}
