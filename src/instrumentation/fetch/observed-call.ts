import type { Context } from "@opentelemetry/api";
import type { Clock } from "../../util/clock.ts";
import type { Completion } from "../completion.ts";
import type { FetchObserverHost } from "../host.ts";
import type { CallOutcome, KnownCall } from "../spans/call-attributes.ts";
import { CallSpan } from "../spans/call-span.ts";
import { SpanTime } from "../spans/observed-span.ts";
import type { CallFailure } from "./call-failure.ts";

/** Dependencies of a call. */
export interface CallDependencies {
  readonly host: FetchObserverHost;
  readonly clock: Clock;
  /** Called when a call is over. */
  readonly onOver: (call: ObservedCall) => void;
}

/** One logical call of a model, however many attempts it takes. */
export class ObservedCall {
  readonly known: KnownCall;
  readonly span: CallSpan;
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
  /** Monotonic ms at which the last attempt ended, for a call that waits for a retry. */
  #attemptEnd: number | undefined;
  /** Monotonic ms of the last activity. */
  #lastSeen: number;

  constructor(dependencies: CallDependencies, known: KnownCall, context: Context) {
    this.#with = dependencies;
    this.known = known;
    const { clock, host } = dependencies;
    this.#time = new SpanTime(clock);
    this.#lastSeen = this.#time.startMonotonic;
    this.span = new CallSpan(host, known, context, this.#time);
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
