import { BoundedMap } from "../util/bounded-map.ts";
import { readIdentity, readRole } from "./dialects/index.ts";
import type { OpenSpans, SdkSpan, WritableSpan } from "./assembly/open-spans.ts";
import type { SpanExchange } from "./span-exchange.ts";
import type { ExchangeIdentity } from "./span-record.ts";

const MAX_QUESTIONS = 10_000;

type Filled<T> = { -readonly [Member in keyof T]: T[Member] };

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
    const { agentId, agentName, sessionId, conversationId, userId } = exchange;
    const filled: Filled<ExchangeIdentity> = {
      agentId,
      agentName,
      sessionId,
      conversationId,
      userId,
    };
    for (const holder of [span, ...this.#spans.ancestors(span)]) {
      const identity = readIdentity(holder);
      filled.agentId ??= identity.agentId;
      filled.agentName ??= identity.agentName;
      filled.sessionId ??= identity.sessionId;
      filled.conversationId ??= identity.conversationId;
      filled.userId ??= identity.userId;
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
