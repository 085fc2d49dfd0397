import { AsyncResource } from "node:async_hooks";
import { context, createContextKey, ROOT_CONTEXT, type Context } from "@opentelemetry/api";
import { currentConversationScope, isUnobserved } from "../../scope/scopes.ts";
import { systemClock } from "../../util/clock.ts";
import { withFrameRoom } from "../../util/frame-room.ts";
import { toErrorFrames, toErrorName } from "../../util/logger.ts";
import { followResult, isThenable } from "../../util/untrusted-values.ts";
import { activeHookContext } from "../hooks/hook-span.ts";
import type { FetchObserverHost } from "../host.ts";
import { findAddress, notePassing, toKnownCall, type Address } from "./addresses.ts";
import { Attempt } from "./attempt.ts";
import {
  ObservedCall,
  OpenCalls,
  RetryWindow,
  type CallDependencies,
  type SentRequest,
} from "./observed-call.ts";
import { isPost, readBody, readUrl, type LateBody } from "./request-parts.ts";

/** The platform's `fetch`, or one that is passed to a client instead. */
export type Fetch = typeof globalThis.fetch;

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

/**
 * Observes the model calls over HTTP that go through a `fetch`.
 *
 * The application's requests and responses stay the objects they are. The observer reads only what the application
 * reads, sends nothing and throws nothing; its own failures are logged, and the call goes on.
 */
export class FetchObserver {
  readonly #with: CallDependencies;
  #isClosed = false;

  constructor(host: FetchObserverHost) {
    const clock = host.clock ?? systemClock;
    const expire = (call: ObservedCall): void => void this.#guard(() => call.expire());
    const calls = new OpenCalls(clock, expire);
    const retries = new RetryWindow(expire);
    this.#with = { host, clock, calls, retries, onProblem: (error) => this.#report(error) };
  }

  /** Calls that are not over. */
  get open(): number {
    return this.#with.calls.size;
  }

  /** Returns a `fetch` that behaves like the given one and reports its model calls to the host. */
  observe(fetch: Fetch): Fetch {
    // A proxy keeps the name, the length and the members of its target.
    return new Proxy(fetch, {
      apply: (target, self, args: Parameters<Fetch>) =>
        withFrameRoom(() => this.#apply(target, self, args)),
    });
  }

  /** Reports calls that failed and wait for a retry; running calls go on. */
  flush(): void {
    this.#with.calls.flush(false);
  }

  /** Reports every open call with what is known so far. */
  drain(): void {
    this.#with.calls.flush(true);
  }

  /** Drains, and stops observing. */
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
    const address = url === undefined ? undefined : findAddress(url);
    if (!address || url === undefined) return undefined;
    for (const { name } of address.protocols) notePassing(name, this.#with.clock);
    if (this.#isClosed || isUnobserved()) return undefined;
    const active = activeHookContext();
    if (depth.calls > 0 || active.getValue(IS_OBSERVED) === true) return undefined;
    const parts = { input, init };
    if (!isPost(parts)) return undefined;
    const body = readBody(parts);
    const scope = currentConversationScope();
    const start = (text?: string): Started =>
      this.#attempt(address, { parts, url, body: text, context: active, scope });
    return typeof body === "object" ? this.#startLater(body, start) : start(body);
  }

  #startLater({ read, isSent }: LateBody, start: (text?: string) => Started): Late {
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
    let call = this.#with.retries.take(request);
    if (!call) {
      call = new ObservedCall(this.#with, known, markObserved(request.context));
      this.#with.calls.add(call);
    }
    return new Attempt(call, request, this.#with);
  }

  /** Applies the result of a request to its call. */
  #settle(begun: Begun, action: (attempt: Attempt) => void): void {
    if (!begun) return;
    if ("started" in begun) {
      if (begun.startNow) this.#settle(begun.startNow(), action);
      else void begun.started.then((late) => this.#settle(late, action));
      return;
    }
    const isDone = this.#guard(() => {
      action(begun);
      return true;
    });
    // Nothing else would end it.
    if (isDone !== true) this.#guard(() => begun.giveUp());
  }

  /** Sends the request as the application would, and passes on the result unchanged. */
  #send(begun: NonNullable<Begun>, fetch: Fetch, self: unknown, args: Parameters<Fetch>): unknown {
    const fail = (error: unknown): void => this.#settle(begun, (attempt) => attempt.fail(error));
    const inside = "started" in begun ? markObserved(context.active()) : begun.context;
    let sent: unknown;
    depth.calls++;
    try {
      sent = context.with(inside, fetch, self, ...args);
    } catch (error) {
      fail(error);
      throw error;
    } finally {
      depth.calls--;
    }
    if (!isThenable(sent)) {
      this.#settle(begun, (attempt) => attempt.giveUp());
      return sent;
    }
    return followResult(
      sent,
      (response) => this.#settle(begun, (attempt) => attempt.respond(response as Response)),
      fail,
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
    this.#with.host.log?.log("warn", "fetch_observer", "a model call could not be observed", {
      error: toErrorName(error),
      at: toErrorFrames(error).slice(0, 3),
    });
  }
}

interface Installation {
  /** Installed observers; only the first one observes, so that a call is reported once. */
  readonly observers: FetchObserver[];
  readonly original: Fetch;
  readonly observed: Fetch;
}

/** The copies of the package in a process share one installation. */
const INSTALLATION = Symbol.for("agent-monitor.fetch-installation");

type Holder = { [INSTALLATION]?: Installation | undefined; fetch: Fetch };

const holder = globalThis as unknown as Holder;

function create(original: Fetch): Installation {
  const observers: FetchObserver[] = [];
  let known: { readonly by: FetchObserver; readonly fetch: Fetch } | undefined;
  const observed = new Proxy(original, {
    apply(target, self, args: Parameters<Fetch>): unknown {
      const [by] = observers;
      // A caller may have kept it after it was uninstalled.
      if (!by) return Reflect.apply(target, self, args);
      if (known?.by !== by) known = { by, fetch: by.observe(target) };
      return Reflect.apply(known.fetch, self, args);
    },
  });
  return { observers, original, observed };
}

/**
 * Installs an observer on the global `fetch`, once however often it is called.
 *
 * With several monitors in a process the first one observes; when it is uninstalled, the next one does. A `fetch` that
 * the application installs later stays in place.
 *
 * @returns A function that uninstalls the observer, and restores the original `fetch` unless it was replaced since.
 */
export function installFetchObserver(observer: FetchObserver): () => void {
  let installation = holder[INSTALLATION];
  const isInPlace = installation !== undefined && holder.fetch === installation.observed;
  if (!installation || !isInPlace) {
    // An older installation may still wrap the original; its observers move, or two would report one call.
    const next = create(holder.fetch);
    // The assignment comes first because it may fail: a platform may lack `fetch` or freeze it.
    holder.fetch = next.observed;
    next.observers.push(...(installation?.observers.splice(0) ?? []));
    holder[INSTALLATION] = next;
    installation = next;
  }
  const { observers } = installation;
  if (!observers.includes(observer)) observers.push(observer);
  return () => uninstall(observer);
}

/** Returns whether another observer observes in place of this one. */
export function isSecondObserver(observer: FetchObserver): boolean {
  const observers = holder[INSTALLATION]?.observers ?? [];
  return observers.includes(observer) && observers[0] !== observer;
}

function uninstall(observer: FetchObserver): void {
  const installation = holder[INSTALLATION];
  const index = installation?.observers.indexOf(observer) ?? -1;
  if (!installation || index < 0) return;
  installation.observers.splice(index, 1);
  if (installation.observers.length > 0) return;
  holder[INSTALLATION] = undefined;
  if (holder.fetch === installation.observed) holder.fetch = installation.original;
}
