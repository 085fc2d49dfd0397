import type { Context } from "@opentelemetry/api";
import type { Clock } from "../../util/clock.ts";
import type { Completion } from "../completion.ts";
import type { FetchObserverHost } from "../host.ts";
import type { CallOutcome, KnownCall } from "../spans/call-attributes.ts";
import { CallSpan } from "../spans/call-span.ts";
import { SpanTime } from "../spans/observed-span.ts";
import type { CallFailure } from "./call-failure.ts";

/** What a call works with. */
export interface CallDependencies {
  readonly host: FetchObserverHost;
  readonly clock: Clock;
  /** Is told that a call is over. */
  readonly onOver: (call: ObservedCall) => void;
}

/** One logical call of a model, however many attempts it takes. */
export class ObservedCall {
  readonly known: KnownCall;
  readonly span: CallSpan;
  /** Monotonic ms at which the call is told as far as it is known; `Infinity` while the server is to answer. */
  deadline = Infinity;
  resends = 0;
  status: number | undefined;
  failure: CallFailure | undefined;
  answer: Completion | undefined;
  /** The attempt that runs; what others still say does not count. */
  attempt: object | undefined;
  isOver = false;
  readonly #with: CallDependencies;
  readonly #time: SpanTime;
  /** Monotonic ms at which the last attempt was over, for a call that waits for another one. */
  #attemptEnd: number | undefined;
  /** Monotonic ms at which something was seen last. */
  #lastSeen: number;

  constructor(surroundings: CallDependencies, known: KnownCall, context: Context) {
    this.#with = surroundings;
    this.known = known;
    const { clock, host } = surroundings;
    this.#time = new SpanTime(clock);
    this.#lastSeen = this.#time.startMonotonic;
    this.span = new CallSpan(host, known, context, this.#time);
  }

  /** Begins another attempt: nothing of the last one counts. */
  begin(attempt: object): void {
    this.attempt = attempt;
    this.deadline = Infinity;
    this.status = undefined;
    this.failure = undefined;
    this.answer = undefined;
    this.#attemptEnd = undefined;
  }

  /** Takes note that something was seen, and waits for the caller to go on, at most so many ms. */
  see(millis: number): void {
    this.#lastSeen = this.#with.clock.monotonic();
    this.deadline = this.#lastSeen + millis;
  }

  /** Waits for what may still come of an attempt that is over, at most so many ms. */
  hold(millis: number): void {
    const now = this.#with.clock.monotonic();
    this.#attemptEnd ??= now;
    this.deadline = now + millis;
  }

  /** Tells the call as it is known after a wait. */
  expire(): void {
    this.finish(
      this.failure ? "failed" : this.answer?.isComplete === true ? "complete" : "abandoned",
    );
  }

  /** Whether the attempt is over, so that only another one or the rest of a refusal may come. */
  get isHeld(): boolean {
    return this.#attemptEnd !== undefined;
  }

  finish(kind: CallOutcome["kind"]): void {
    if (this.isOver) return;
    this.isOver = true;
    const { answer, failure, status, resends } = this;
    const last = kind === "abandoned" ? this.#lastSeen : this.#with.clock.monotonic();
    const end = this.#attemptEnd ?? last;
    this.#with.onOver(this);
    this.answer = undefined;
    this.span.end({ kind, answer, failure, status, resends }, this.#time.at(end));
  }
}

const MAX_CALLS = 10_000;
const SWEEP_MILLIS = 1000;

/** Knows the calls that are not over, and ends those that wait in vain; bounded. */
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

  /** Ends calls that wait for another attempt; with `isLast` the others as well. */
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

  /** One timer for all calls; it does not hold the process. */
  #schedule(): void {
    this.#cancelSweep ??= this.#clock.schedule(() => {
      this.#cancelSweep = undefined;
      const now = this.#clock.monotonic();
      for (const call of this.#calls) if (call.deadline <= now) this.#end(call);
      if (this.#calls.size > 0) this.#schedule();
    }, SWEEP_MILLIS);
  }
}
