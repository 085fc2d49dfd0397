import type { BridgeSpan } from "../bridge-span.ts";
import { readSpan } from "../dialects/index.ts";
import type { SpanLike } from "../span-exchange.ts";

/** Spans that are looked through: a process has few model calls at a time. */
const MAX_CALLS = 200;

/** Knows the spans of other GenAI instrumentations that have not ended, model calls among them; bounded. */
export class OpenCalls {
  /** By their ids, the one that began first first. */
  readonly #calls = new Map<string, BridgeSpan | WeakRef<BridgeSpan>>();

  /** Takes a span that has started; what it stands for some say only later. */
  add(span: BridgeSpan): void {
    this.#calls.set(span.spanContext().spanId, span);
    if (this.#calls.size <= MAX_CALLS) return;
    for (const oldest of this.#calls.keys()) {
      this.#calls.delete(oldest);
      return;
    }
  }

  delete(span: BridgeSpan): void {
    if (this.#calls.size > 0) this.#calls.delete(span.spanContext().spanId);
  }

  /** Keeps a span that was given up no longer than somebody else does: it may never end. */
  giveUp(span: BridgeSpan): void {
    const { spanId } = span.spanContext();
    if (this.#calls.has(spanId)) this.#calls.set(spanId, new WeakRef(span));
  }

  /**
   * Finds the span of the same call: of the same model, with the same question. Some instrumentations make no span
   * active, so that nothing else says so.
   *
   * @param toSpan - Returns what is known of the call, when there is something to compare it with.
   */
  find(toSpan: () => SpanLike): BridgeSpan | undefined {
    if (this.#calls.size === 0) return undefined;
    const call = readSpan(toSpan());
    if (call?.model === undefined || call.userMessage === undefined) return undefined;
    // The one that began last is the nearest.
    for (const kept of [...this.#calls.values()].toReversed()) {
      const span = kept instanceof WeakRef ? kept.deref() : kept;
      const open = span && readSpan(span);
      if (open?.role !== "call" || open.model !== call.model) continue;
      if (open.userMessage === call.userMessage) return span;
    }
    return undefined;
  }
}
