import { createHash } from "node:crypto";
import { trace, type Context } from "@opentelemetry/api";
import { BoundedMap } from "../../util/bounded-map.ts";
import type { ConversationScope } from "../../scope/conversation-scope.ts";
import type { ObservedCall } from "./observed-call.ts";
import { readHeader, type RequestParts } from "./request-parts.ts";

const MAX_CALLS = 1000;
/** Most UTF-16 units of waiting requests: while a provider is down, every call waits. */
const MAX_LENGTH = 32 * 1024 * 1024;
/** Header in which clients that Stainless generates (OpenAI, Anthropic, Groq) count their attempts, from 0. */
const RETRY_HEADER = "x-stainless-retry-count";

/** A sent request, with what identifies its retries. */
export interface SentRequest {
  readonly parts: RequestParts;
  readonly url: string;
  readonly body: string | undefined;
  /** Context at sending: a retry comes from the same context. */
  readonly context: Context;
  readonly scope: ConversationScope | undefined;
}

/** Reads the client's count of retries; `undefined` when the client does not count. */
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

/** The request that a waiting call expects again. */
interface Sent {
  readonly key: string;
  readonly resends: number | undefined;
  readonly length: number;
}

/** Keeps calls whose attempt failed until the client retries, so that all attempts are one call; bounded. */
export class RetryWindow {
  readonly #waiting: BoundedMap<string, ObservedCall>;
  readonly #sent = new WeakMap<ObservedCall, Sent>();
  readonly #expire: (call: ObservedCall) => void;
  #length = 0;

  /** @param expire - Ends a call when too many wait; must not throw. */
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

  /** Returns the call that a request retries. */
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
   * Returns whether a request that the client counts as the first attempt may still be a retry: LangChain retries with
   * a client whose own retries are off. A repeat of a call that the caller aborted is a new call.
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
