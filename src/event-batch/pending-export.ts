import type { ExpectedEvent } from "../exporter/confirmations.ts";

/** One call of `export()`: the traces that it waits for, and the events that came of them. */
export class PendingExport {
  readonly events: ExpectedEvent[] = [];
  /** What could not become an event, or was refused. */
  lost = 0;
  readonly #traces = new Set<string>();
  #resolve: (() => void) | undefined;

  /** Begins to wait for a trace. */
  watch(traceId: string): void {
    this.#traces.add(traceId);
  }

  /** A trace has told all that it will tell. */
  release(traceId: string): void {
    this.#traces.delete(traceId);
    if (this.#traces.size === 0) this.#resolve?.();
  }

  /** Resolves when every trace has told what came of it. */
  told(): Promise<void> {
    if (this.#traces.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

/** Who waits for which trace. */
export class TraceWatchers {
  readonly #watchers = new Map<string, Set<PendingExport>>();

  add(traceId: string, pending: PendingExport): void {
    const watchers = this.#watchers.get(traceId) ?? new Set<PendingExport>();
    this.#watchers.set(traceId, watchers.add(pending));
    pending.watch(traceId);
  }

  /** Gives those who wait for one of the traces, who wait for it no more. */
  take(traceIds: readonly string[]): Set<PendingExport> {
    const taken = new Set<PendingExport>();
    for (const traceId of traceIds) {
      for (const pending of this.#watchers.get(traceId) ?? []) taken.add(pending);
      this.#watchers.delete(traceId);
    }
    return taken;
  }
}
