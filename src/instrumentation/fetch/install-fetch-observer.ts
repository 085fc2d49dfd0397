import type { Fetch, FetchObserver } from "./fetch-observer.ts";

interface Installation {
  /** Those who want to observe; the first one does, so that a call is told once. */
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
      // Somebody may have kept it after it was taken out again.
      if (!by) return Reflect.apply(target, self, args);
      if (known?.by !== by) known = { by, fetch: by.observe(target) };
      return Reflect.apply(known.fetch, self, args);
    },
  });
  return { observers, original, observed };
}

/**
 * Puts an observer before the global `fetch`; again is no more than once.
 *
 * With several monitors in a process the first one observes; when it goes, the next one does. A `fetch` that the
 * application puts in later stays in its place.
 *
 * @returns Takes the observer out, and puts the original back if nobody else has changed it since.
 */
export function installFetchObserver(observer: FetchObserver): () => void {
  let installation = holder[INSTALLATION];
  const isInPlace = installation !== undefined && holder.fetch === installation.observed;
  if (!installation || !isInPlace) {
    // Another one may still stand below; its observers move, or a call would be told by two.
    const next = create(holder.fetch);
    // First what may fail: a platform without a `fetch`, or with one that can't be changed.
    holder.fetch = next.observed;
    next.observers.push(...(installation?.observers.splice(0) ?? []));
    holder[INSTALLATION] = next;
    installation = next;
  }
  const { observers } = installation;
  if (!observers.includes(observer)) observers.push(observer);
  return () => uninstall(observer);
}

/** Tells whether another observer sees what this one would. */
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
