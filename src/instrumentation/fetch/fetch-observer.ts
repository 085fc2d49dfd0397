import { AsyncResource } from "node:async_hooks";
import { context, createContextKey, ROOT_CONTEXT, type Context } from "@opentelemetry/api";
import { currentConversationScope, isUnobserved } from "../../scope/scopes.ts";
import { systemClock } from "../../util/clock.ts";
import { withFrameRoom } from "../../util/frame-room.ts";
import { toErrorFrames, toErrorName } from "../../util/logger.ts";
import { isThenable } from "../../util/untrusted-values.ts";
import { activeHookContext } from "../hooks/hook-span.ts";
import type { FetchObserverHost } from "../host.ts";
import type { KnownCall } from "../spans/call-span.ts";
import { Attempt, type AttemptDependencies } from "./attempt.ts";
import { Addresses, notePassing, toKnownCall, type Address } from "./addresses.ts";
import {
  ObservedCall,
  OpenCalls,
  RetryWindow,
  type CallDependencies,
  type SentRequest,
} from "./observed-call.ts";
import { isPost, readBody, readUrl, type RequestBody } from "./request-parts.ts";

/** The platform's `fetch`, or one that is passed to a client instead. */
export type Fetch = typeof globalThis.fetch;

/** Observes the model calls that go through a `fetch`. */
export interface FetchObserver {
  /** Returns a `fetch` that behaves like the given one and reports its model calls to the host. */
  observe(fetch: Fetch): Fetch;
  /** Reports calls that failed and wait for a retry; running calls go on. */
  flush(): void;
  /** Reports every open call with what is known so far. */
  drain(): void;
  /** Drains, and stops observing. */
  close(): void;
  /** Calls that are not over. */
  readonly open: number;
}

/** Marks the inside of an observed call: an observer further down must not report the call again. */
const IS_OBSERVED = createContextKey("agent-monitor.observed");
/** Context of most calls in applications without a context manager. */
const OBSERVED_ROOT = ROOT_CONTEXT.setValue(IS_OBSERVED, true);
/**
 * The same mark without a context manager, valid for the synchronous part of a call; shared by all copies of the
 * package.
 */
const DEPTH = Symbol.for("agent-monitor.fetch-depth");
const depth = ((globalThis as { [DEPTH]?: { calls: number } })[DEPTH] ??= { calls: 0 });

type Started = Attempt | undefined;
/** A call whose request body is not known yet; that of a stream is known once it was sent. */
interface Late {
  readonly started: Promise<Started>;
  /** Starts the call with what is known, when a response has come and no more of the body follows. */
  readonly startNow: (() => Started) | undefined;
}
/** A call that was started before sending: at once, or as soon as its body is known. */
type Begun = Started | Late;

function markObserved(active: Context): Context {
  return active === ROOT_CONTEXT ? OBSERVED_ROOT : active.setValue(IS_OBSERVED, true);
}

class Observer implements FetchObserver {
  readonly #calls: OpenCalls;
  readonly #retries: RetryWindow;
  readonly #addresses = new Addresses();
  readonly #forCalls: CallDependencies;
  readonly #forAttempts: AttemptDependencies;
  readonly #log: FetchObserverHost["log"];
  #isClosed = false;

  constructor(host: FetchObserverHost) {
    const clock = host.clock ?? systemClock;
    this.#log = host.log;
    const expire = (call: ObservedCall): void => void this.#guard(() => call.expire());
    this.#calls = new OpenCalls(clock, expire);
    this.#retries = new RetryWindow(expire);
    this.#forAttempts = {
      clock,
      retries: this.#retries,
      onProblem: (error) => this.#report(error),
    };
    this.#forCalls = {
      host,
      clock,
      onOver: (call) => {
        this.#calls.delete(call);
        this.#retries.delete(call);
      },
    };
  }

  get open(): number {
    return this.#calls.size;
  }

  observe(fetch: Fetch): Fetch {
    // A proxy keeps the name, the length and the members of its target.
    return new Proxy(fetch, {
      apply: (target, self, args: Parameters<Fetch>) =>
        withFrameRoom(() => this.#apply(target, self, args)),
    });
  }

  flush(): void {
    this.#calls.flush(false);
  }

  drain(): void {
    this.#calls.flush(true);
  }

  close(): void {
    this.#isClosed = true;
    this.drain();
  }

  #apply(fetch: Fetch, self: unknown, args: Parameters<Fetch>): unknown {
    const begun = this.#guard(() => this.#begin(args));
    return begun ? this.#send(begun, fetch, self, args) : Reflect.apply(fetch, self, args);
  }

  #begin([input, init]: Partial<Parameters<Fetch>>): Begun {
    const url = readUrl(input);
    const address = url === undefined ? undefined : this.#addresses.find(url);
    if (!address || url === undefined) return undefined;
    for (const { name } of address.protocols) notePassing(name, this.#forAttempts.clock);
    if (this.#isClosed || isUnobserved()) return undefined;
    const active = activeHookContext();
    if (depth.calls > 0 || active.getValue(IS_OBSERVED) === true) return undefined;
    const parts = { input, init };
    if (!isPost(parts)) return undefined;
    const body = readBody(parts);
    const scope = currentConversationScope();
    const start = (text?: string): Started =>
      this.#attempt(address, { parts, url, body: text, context: active, scope });
    if (body.kind !== "later") return start(body.kind === "text" ? body.text : undefined);
    return this.#startLater(body, start);
  }

  #startLater(
    { read, isSent }: Extract<RequestBody, { kind: "later" }>,
    start: (text?: string) => Started,
  ): Late {
    let known: { readonly attempt: Started } | undefined;
    const know = (text?: string): Started =>
      (known ??= { attempt: this.#guard(() => start(text)) }).attempt;
    const started = new Promise<Started>((resolve) =>
      // The code that sends the body may run for another conversation by then.
      read(AsyncResource.bind((text) => resolve(know(text)))),
    );
    return { started, startNow: isSent ? know : undefined };
  }

  #attempt(address: Address, request: SentRequest): Started {
    const known = toKnownCall(address, request.body);
    if (!known) return undefined;
    const call = this.#retries.take(request) ?? this.#start(known, request.context);
    return new Attempt(call, request, this.#forAttempts);
  }

  #start(known: KnownCall, active: Context): ObservedCall {
    const call = new ObservedCall(this.#forCalls, known, markObserved(active));
    this.#calls.add(call);
    return call;
  }

  #emit(begun: Begun, action: (attempt: Attempt) => void): void {
    if (!begun) return;
    if ("started" in begun) {
      void begun.started.then((late) => this.#emit(late, action));
      return;
    }
    const isDone = this.#guard(() => {
      action(begun);
      return true;
    });
    // Nothing else would end it.
    if (isDone !== true) this.#guard(() => begun.giveUp());
  }

  /** Applies the result of a request to its call. */
  #settle(begun: NonNullable<Begun>, action: (attempt: Attempt) => void): void {
    const isLate = "started" in begun && begun.startNow !== undefined;
    this.#emit(isLate ? begun.startNow() : begun, action);
  }

  /** Sends the request as the application would, and passes on the result unchanged. */
  #send(begun: NonNullable<Begun>, fetch: Fetch, self: unknown, args: Parameters<Fetch>): unknown {
    const inside = "started" in begun ? markObserved(context.active()) : begun.context;
    let sent: unknown;
    depth.calls++;
    try {
      sent = context.with(inside, fetch, self, ...args);
    } catch (error) {
      this.#settle(begun, (attempt) => attempt.fail(error));
      throw error;
    } finally {
      depth.calls--;
    }
    if (!isThenable(sent)) {
      this.#settle(begun, (attempt) => attempt.giveUp());
      return sent;
    }
    return (sent as Promise<Response>).then(
      (response) => {
        this.#settle(begun, (attempt) => attempt.respond(response));
        return response;
      },
      (error: unknown) => {
        this.#settle(begun, (attempt) => attempt.fail(error));
        throw error;
      },
    );
  }

  /** Runs an action of the observer, whose failure must not reach the application. */
  #guard<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #report(error: unknown): void {
    this.#log?.log("warn", "fetch_observer", "a model call could not be observed", {
      error: toErrorName(error),
      at: toErrorFrames(error).slice(0, 3),
    });
  }
}

/**
 * Creates an observer of model calls over HTTP.
 *
 * The application's requests and responses stay the objects they are. The observer reads only what the application
 * reads, sends nothing and throws nothing; its own failures are logged, and the call goes on.
 */
export function createFetchObserver(host: FetchObserverHost): FetchObserver {
  return new Observer(host);
}
