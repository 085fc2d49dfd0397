import { createHash } from "node:crypto";
import { trace, type Context } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import type { ConversationScope } from "../../scope/conversation-scope.ts";
import type { ObservedCall } from "./observed-call.ts";
import { readHeader, type RequestParts } from "./request-parts.ts";

const MAX_CALLS = 1000;
/** UTF-16 units of the requests that wait: while a provider is down, every call does. */
const MAX_LENGTH = 32 * 1024 * 1024;
/** Clients that Stainless generates (OpenAI, Anthropic, Groq) count their attempts in it, from 0. */
const RETRY_HEADER = "x-stainless-retry-count";

/** A request as it was sent, with what tells it from others. */
export interface SentRequest {
  readonly parts: RequestParts;
  readonly url: string;
  readonly body: string | undefined;
  /** Where it was sent: a retry comes from the same place. */
  readonly context: Context;
  readonly scope: ConversationScope | undefined;
}

/** Reads how often the client says it has sent a request again; `undefined` when it does not count. */
export function readResends(parts: RequestParts): number | undefined {
  const count = Number(readHeader(parts, RETRY_HEADER) ?? Number.NaN);
  return Number.isInteger(count) && count >= 0 ? count : undefined;
}

function toKey({ url, body, context, scope }: SentRequest): string {
  const { spanId } = trace.getSpanContext(context) ?? {};
  return createHash("sha256")
    .update(JSON.stringify([url, spanId, scope?.sessionId, scope?.requestId]))
    .update(body ?? "")
    .digest("base64");
}

/** What is known of the request that a call waits to see again. */
interface Sent {
  readonly key: string;
  readonly resends: number | undefined;
  readonly length: number;
}

/** Keeps calls whose attempt failed until the client tries again, so that all attempts are one call; bounded. */
export class RetryWindow {
  readonly #waiting: BoundedMap<string, ObservedCall>;
  readonly #sent = new WeakMap<ObservedCall, Sent>();
  readonly #expire: (call: ObservedCall) => void;
  #length = 0;

  /** @param expire - Ends a call that can wait no longer, since too many do; must not throw. */
  constructor(expire: (call: ObservedCall) => void) {
    this.#expire = expire;
    this.#waiting = new BoundedMap(MAX_CALLS, (call) => {
      this.#length -= this.#sent.get(call)?.length ?? 0;
      expire(call);
    });
  }

  /** Waits for the next attempt of a call. */
  add(call: ObservedCall, request: SentRequest): void {
    if (request.body === undefined) return;
    const key = toKey(request);
    this.#remove(key);
    const { length } = request.body;
    this.#sent.set(call, { key, resends: readResends(request.parts), length });
    this.#length += length;
    this.#waiting.set(key, call);
    while (this.#length > MAX_LENGTH && this.#waiting.size > 1) {
      const [oldest, other] = this.#waiting.oldest() ?? [];
      if (oldest === undefined || !other) return;
      this.#remove(oldest);
      this.#expire(other);
    }
  }

  /** Finds the call that a request is another attempt of. */
  take(request: SentRequest): ObservedCall | undefined {
    if (this.#waiting.size === 0 || request.body === undefined) return undefined;
    const resends = readResends(request.parts);
    const key = toKey(request);
    const call = this.#waiting.get(key);
    if (!call || (resends === 0 && !this.#isRepeated(call))) return undefined;
    this.#remove(key);
    if (call.isOver) return undefined;
    call.resends = Math.max(call.resends + 1, resends ?? 0);
    return call;
  }

  /**
   * Tells whether a request that the client counts as a first one may repeat a call for all that: LangChain tries again
   * with a client whose own retries are off. What the caller had given up is asked anew.
   */
  #isRepeated(call: ObservedCall): boolean {
    return this.#sent.get(call)?.resends === 0 && call.failure?.type !== "AbortError";
  }

  /** Forgets a call that is over. */
  delete(call: ObservedCall): void {
    if (this.#waiting.size === 0) return;
    const key = this.#sent.get(call)?.key;
    if (key !== undefined && this.#waiting.get(key) === call) this.#remove(key);
  }

  #remove(key: string): void {
    const call = this.#waiting.get(key);
    if (!call) return;
    this.#waiting.delete(key);
    this.#length -= this.#sent.get(call)?.length ?? 0;
  }
}
