import { createHash } from "node:crypto";
import { trace, type Context } from "@opentelemetry/api";
import type { ConversationScope } from "../../scope/scopes.ts";
import { BoundedMap } from "../../util/bounded-map.ts";
import type { Clock } from "../../util/clock.ts";
import type { Completion } from "../completion.ts";
import type { FetchObserverHost } from "../host.ts";
import {
  startCallSpan,
  toContentAttributes,
  toEndAttributes,
  type CallOutcome,
  type KnownCall,
} from "../spans/call-span.ts";
import { SpanTime } from "../spans/observed-span.ts";
import type { SpanPair } from "../spans/span-pair.ts";
import type { CallFailure } from "./call-failure.ts";
import { readResends, type RequestParts } from "./request-parts.ts";

/** Dependencies of calls and of their attempts. */
export interface CallDependencies {
  readonly host: FetchObserverHost;
  readonly clock: Clock;
  /** Keeps calls that are not over. */
  readonly calls: OpenCalls;
  /** Keeps calls that wait for a retry. */
  readonly retries: RetryWindow;
  readonly onProblem: (error: unknown) => void;
}

/** One logical call of a model, however many attempts it takes. */
export class ObservedCall {
  readonly known: KnownCall;
  /** The context that requests are sent in. */
  readonly context: Context;
  /** Monotonic ms at which the call is reported with what is known; `Infinity` while the server is to respond. */
  deadline = Infinity;
  resends = 0;
  status: number | undefined;
  failure: CallFailure | undefined;
  answer: Completion | undefined;
  /** The current attempt; events of earlier ones are ignored. */
  attempt: object | undefined;
  isOver = false;
  readonly #with: CallDependencies;
  readonly #time: SpanTime;
  readonly #spans: SpanPair;
  /** Monotonic ms at which the last attempt ended, for a call that waits for a retry. */
  #attemptEnd: number | undefined;
  /** Monotonic ms of the last activity. */
  #lastSeen: number;

  constructor(dependencies: CallDependencies, known: KnownCall, context: Context) {
    this.#with = dependencies;
    this.known = known;
    this.#time = new SpanTime(dependencies.clock);
    this.#lastSeen = this.#time.startMonotonic;
    this.#spans = startCallSpan(dependencies.host, known, context, this.#time);
    const { shown } = this.#spans;
    this.context = shown ? trace.setSpan(context, shown) : context;
  }

  /** Starts another attempt: the results of the previous one are dropped. */
  begin(attempt: object): void {
    this.attempt = attempt;
    this.deadline = Infinity;
    this.status = undefined;
    this.failure = undefined;
    this.answer = undefined;
    this.#attemptEnd = undefined;
  }

  /** Records activity, and waits at most `millis` for the caller to go on. */
  see(millis: number): void {
    this.#lastSeen = this.#with.clock.monotonic();
    this.deadline = this.#lastSeen + millis;
  }

  /** Waits at most `millis` for what may follow an attempt that is over. */
  hold(millis: number): void {
    const now = this.#with.clock.monotonic();
    this.#attemptEnd ??= now;
    this.deadline = now + millis;
  }

  /** Ends the call with what is known after a wait. */
  expire(): void {
    this.finish(
      this.failure ? "failed" : this.answer?.isComplete === true ? "complete" : "abandoned",
    );
  }

  /** Whether the attempt is over, so that only a retry or the rest of an error body may follow. */
  get isHeld(): boolean {
    return this.#attemptEnd !== undefined;
  }

  finish(kind: CallOutcome["kind"]): void {
    if (this.isOver) return;
    this.isOver = true;
    const { known, answer, failure, status, resends } = this;
    const outcome = { kind, answer, failure, status, resends };
    const last = kind === "abandoned" ? this.#lastSeen : this.#with.clock.monotonic();
    const end = this.#attemptEnd ?? last;
    this.#with.calls.delete(this);
    this.#with.retries.delete(this);
    this.answer = undefined;
    this.#spans.end(this.#time.at(end), {
      attributes: toEndAttributes(outcome),
      failure,
      answerLength: answer?.length ?? 0,
      toContent: () => toContentAttributes(known, outcome),
    });
  }
}

const MAX_CALLS = 10_000;
const SWEEP_MILLIS = 1000;

/** Keeps the calls that are not over, and ends those whose deadline has passed; bounded. */
export class OpenCalls {
  readonly #calls = new Set<ObservedCall>();
  readonly #clock: Clock;
  readonly #expire: (call: ObservedCall) => void;
  #cancelSweep: (() => void) | undefined;

  /** @param expire - Ends a call; must not throw. */
  constructor(clock: Clock, expire: (call: ObservedCall) => void) {
    this.#clock = clock;
    this.#expire = expire;
  }

  get size(): number {
    return this.#calls.size;
  }

  add(call: ObservedCall): void {
    this.#calls.add(call);
    if (this.#calls.size > MAX_CALLS) {
      const [oldest] = this.#calls;
      if (oldest) this.#end(oldest);
    }
    this.#schedule();
  }

  delete(call: ObservedCall): void {
    this.#calls.delete(call);
  }

  /** Ends calls that wait for a retry; with `isLast` the others as well. */
  flush(isLast: boolean): void {
    for (const call of this.#calls) if (isLast || call.isHeld) this.#end(call);
    if (!isLast) return;
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #end(call: ObservedCall): void {
    this.#calls.delete(call);
    this.#expire(call);
  }

  /** Schedules one timer for all calls; it does not keep the process alive. */
  #schedule(): void {
    this.#cancelSweep ??= this.#clock.schedule(() => {
      this.#cancelSweep = undefined;
      const now = this.#clock.monotonic();
      for (const call of this.#calls) if (call.deadline <= now) this.#end(call);
      if (this.#calls.size > 0) this.#schedule();
    }, SWEEP_MILLIS);
  }
}

const MAX_WAITING = 1000;
/** Most UTF-16 units of waiting requests: while a provider is down, every call waits. */
const MAX_LENGTH = 32 * 1024 * 1024;

/** A sent request, with what identifies its retries. */
export interface SentRequest {
  readonly parts: RequestParts;
  readonly url: string;
  readonly body: string | undefined;
  /** Context at sending: a retry comes from the same context. */
  readonly context: Context;
  readonly scope: ConversationScope | undefined;
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
    this.#waiting = new BoundedMap(MAX_WAITING, (call) => {
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
