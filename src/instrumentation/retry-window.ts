import { createHash } from "node:crypto";
import { trace, type Context } from "@opentelemetry/api";
import { BoundedMap } from "../util/bounded-map.ts";
import type { ConversationScope } from "../util/conversation-scope.ts";
import type { ObservedCall } from "./observed-call.ts";
import { readHeader, type RequestParts } from "./request-parts.ts";

const MAX_CALLS = 1000;
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

/** Keeps calls whose attempt failed until the client tries again, so that all attempts are one call. */
export class RetryWindow {
  readonly #waiting = new BoundedMap<string, ObservedCall>(MAX_CALLS);
  readonly #keys = new WeakMap<ObservedCall, string>();

  /** Waits for the next attempt of a call. */
  add(call: ObservedCall, request: SentRequest): void {
    if (request.body === undefined) return;
    const key = toKey(request);
    this.#keys.set(call, key);
    this.#waiting.set(key, call);
  }

  /** Finds the call that a request is another attempt of. */
  take(request: SentRequest): ObservedCall | undefined {
    if (this.#waiting.size === 0 || request.body === undefined) return undefined;
    const resends = readResends(request.parts);
    if (resends === 0) return undefined;
    const key = toKey(request);
    const call = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (!call || call.isOver) return undefined;
    call.resends = Math.max(call.resends + 1, resends ?? 0);
    return call;
  }

  /** Forgets a call that is over. */
  delete(call: ObservedCall): void {
    if (this.#waiting.size === 0) return;
    const key = this.#keys.get(call);
    if (key !== undefined && this.#waiting.get(key) === call) this.#waiting.delete(key);
  }
}
