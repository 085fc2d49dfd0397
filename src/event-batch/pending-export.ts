import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { ExpectedEvent } from "../delivery/confirmations.ts";
import { LOSS_CAUSES, type DropReason } from "../delivery/ledger.ts";
import { countNoun } from "../util/count-noun.ts";

/** One call of `export()`: the traces that it waits for, and their events. */
export class PendingExport {
  readonly events: ExpectedEvent[] = [];
  readonly #lost = new Map<DropReason, number>();
  readonly #traces = new Set<string>();
  #resolve: (() => void) | undefined;

  /** Adds a trace to wait for. */
  watch(traceId: string): void {
    this.#traces.add(traceId);
  }

  /** Ends the wait for a trace, of which no more events will come. */
  release(traceId: string): void {
    this.#traces.delete(traceId);
    if (this.#traces.size === 0) this.#resolve?.();
  }

  /** Counts an item that could not become an event, or an event that was refused. */
  lose(reason: DropReason, count = 1): void {
    this.#lost.set(reason, (this.#lost.get(reason) ?? 0) + count);
  }

  /**
   * Creates the result of the export.
   *
   * @param givenUp - Number of events that were stored and not delivered in time.
   * @param blockedReason - Reason for which the platform accepts nothing, if so.
   */
  toResult(givenUp: number, blockedReason: string | undefined): ExportResult {
    let lost = givenUp;
    const reasons = blockedReason === undefined ? [] : [blockedReason];
    for (const [reason, count] of this.#lost) {
      lost += count;
      reasons.push(`${count} ${reason}: ${LOSS_CAUSES[reason]}`);
    }
    if (lost === 0) return { code: ExportResultCode.SUCCESS };
    const why = reasons.length > 0 ? ` (${reasons.join("; ")})` : "";
    const error = new Error(`${countNoun(lost, "event was", "events were")} given up${why}`);
    return { code: ExportResultCode.FAILED, error };
  }

  /** Resolves when all events of every trace are recorded. */
  emitted(): Promise<void> {
    if (this.#traces.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

/** Exports that wait for a trace. */
export class TraceWatchers {
  readonly #watchers = new Map<string, Set<PendingExport>>();

  add(traceId: string, pending: PendingExport): void {
    const watchers = this.#watchers.get(traceId) ?? new Set<PendingExport>();
    this.#watchers.set(traceId, watchers.add(pending));
    pending.watch(traceId);
  }

  /** Removes and returns the exports that wait for one of the traces. */
  take(traceIds: readonly string[]): Set<PendingExport> {
    const taken = new Set<PendingExport>();
    for (const traceId of traceIds) {
      for (const pending of this.#watchers.get(traceId) ?? []) taken.add(pending);
      this.#watchers.delete(traceId);
    }
    return taken;
  }
}
