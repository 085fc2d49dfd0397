import type { Attributes, Span, SpanContext } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import type { SpanLike } from "../span-exchange.ts";

/** A span of an SDK, as its processors see it. */
export interface SdkSpan extends SpanLike {
  readonly parentSpanContext?: SpanContext | undefined;
  readonly resource?: { readonly attributes: Readonly<Record<string, unknown>> };
  spanContext(): SpanContext;
}

/** A span that is still being written. */
export interface WritableSpan extends SdkSpan, Pick<Span, "isRecording"> {
  setAttributes(attributes: Attributes): unknown;
}

const MAX_OPEN_SPANS = 10_000;
const MAX_ANCESTORS = 100;

/** Returns whether a span can still be written. */
export function isWritable(span: SdkSpan): span is WritableSpan {
  return (span as Partial<WritableSpan>).isRecording?.() === true;
}

/**
 * Knows the spans of this process that have not ended, so that what is found in one can be written on those above it.
 *
 * A span that never ends is not kept alive here if it may have content; of others a bounded number is.
 */
export class OpenSpans {
  readonly #spans = new BoundedMap<string, SdkSpan | WeakRef<SdkSpan>>(MAX_OPEN_SPANS);

  /** @param mayHaveContent - Weak references cost more than all the rest, so other spans go without. */
  open(span: SdkSpan, mayHaveContent: boolean): void {
    this.#spans.set(span.spanContext().spanId, mayHaveContent ? new WeakRef(span) : span);
  }

  close(span: SdkSpan): void {
    this.#spans.delete(span.spanContext().spanId);
  }

  clear(): void {
    this.#spans.clear();
  }

  /** Finds a span that can still be written. */
  find(context: SpanContext | undefined): WritableSpan | undefined {
    if (!context) return undefined;
    const kept = this.#spans.get(context.spanId);
    const span = kept instanceof WeakRef ? kept.deref() : kept;
    if (!span || span.spanContext().traceId !== context.traceId) return undefined;
    return isWritable(span) ? span : undefined;
  }

  /** Returns the open spans above one, the nearest first, up to the first that has ended or is of another process. */
  ancestors(span: SdkSpan): WritableSpan[] {
    const found: WritableSpan[] = [];
    let parent = this.find(span.parentSpanContext);
    while (parent && found.length < MAX_ANCESTORS) {
      found.push(parent);
      parent = this.find(parent.parentSpanContext);
    }
    return found;
  }
}
