import type { Attributes, Span, SpanContext } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import type { BridgeSpan, SdkSpan } from "../bridge-span.ts";
import { readIdentity, readRole, readSpan } from "../dialects/index.ts";
import type { ExchangeIdentity, SpanExchange, SpanLike, Writable } from "../span-record.ts";

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
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined) this.#calls.delete(oldest);
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

const MAX_QUESTIONS = 10_000;

/** Members that spans above fill. */
const FILLED = ["agentId", "agentName", "sessionId", "conversationId", "userId"] as const;

/** Reads what the spans around an exchange say of it. */
export class SpanAncestry {
  readonly #spans: OpenSpans;
  /** The user's last message by the span around its calls: some producers send only what is new. */
  readonly #questions = new BoundedMap<string, string>(MAX_QUESTIONS);

  constructor(spans: OpenSpans) {
    this.#spans = spans;
  }

  /** Fills in who took part and what was asked, of an exchange that was found on a span. */
  complete(exchange: SpanExchange, span: SdkSpan): SpanExchange {
    const key = `${span.spanContext().traceId}${span.parentSpanContext?.spanId ?? ""}`;
    if (exchange.userMessage !== undefined) this.#questions.set(key, exchange.userMessage);
    if (exchange.agentResponse === undefined) return exchange;
    const identity = this.#readIdentity(exchange, span);
    const userMessage = exchange.userMessage ?? this.#questions.get(key);
    return { ...exchange, ...identity, ...(userMessage !== undefined && { userMessage }) };
  }

  #readIdentity(exchange: SpanExchange, span: SdkSpan): ExchangeIdentity {
    const filled: Writable<ExchangeIdentity> = {};
    const holders = [span, ...this.#spans.ancestors(span)];
    for (const identity of [exchange, ...holders.map((holder) => readIdentity(holder))]) {
      for (const member of FILLED) filled[member] ??= identity[member];
    }
    return filled;
  }

  /**
   * Finds the open span that sums up the run around a call: the nearest agent, else the outermost workflow.
   *
   * @param isAgent - Knows agents that no dialect does.
   */
  findRun(span: SdkSpan, isAgent: (span: SdkSpan) => boolean): WritableSpan | undefined {
    let workflow: WritableSpan | undefined;
    for (const ancestor of this.#spans.ancestors(span)) {
      const role = isAgent(ancestor) ? "agent" : readRole(ancestor);
      if (role === "agent") return ancestor;
      if (role === "workflow") workflow = ancestor;
    }
    return workflow;
  }

  clear(): void {
    this.#questions.clear();
  }
}
