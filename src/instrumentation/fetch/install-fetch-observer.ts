import type { Fetch, FetchObserver } from "./fetch-observer.ts";

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
