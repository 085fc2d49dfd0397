import { BoundedMap } from "../util/bounded-map.ts";
import type { BridgeSpan } from "./bridge-span.ts";
import { readSpan } from "./dialects/index.ts";
import type { SpanLike } from "./span-exchange.ts";

/** Spans that are looked through: a process has few model calls at a time. */
const MAX_CALLS = 200;

/** Knows the spans of other GenAI instrumentations that have not ended, model calls among them; bounded. */
export class OpenCalls {
  readonly #calls = new BoundedMap<string, WeakRef<BridgeSpan>>(MAX_CALLS);

  /** Takes a span that has started; what it stands for some say only later. */
  add(span: BridgeSpan): void {
    this.#calls.set(span.spanContext().spanId, new WeakRef(span));
  }

  delete(span: BridgeSpan): void {
    if (this.#calls.size > 0) this.#calls.delete(span.spanContext().spanId);
  }

  /**
   * Finds the span of the same call: of the same model, with the same question. Some instrumentations make no span
   * active, so that nothing else says so.
   *
   * @param toSpan - Gives what is known of the call, when there is something to compare it with.
   */
  find(toSpan: () => SpanLike): BridgeSpan | undefined {
    if (this.#calls.size === 0) return undefined;
    const call = readSpan(toSpan());
    if (call?.model === undefined || call.userMessage === undefined) return undefined;
    // The one that began last is the nearest.
    for (const reference of [...this.#calls.values()].toReversed()) {
      const span = reference.deref();
      const open = span && readSpan(span);
      if (open?.role !== "call" || open.model !== call.model) continue;
      if (open.userMessage === call.userMessage) return span;
    }
    return undefined;
  }
}
