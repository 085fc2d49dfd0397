import { countNoun } from "../util/count-noun.ts";
import type { BurstLogger } from "../util/logger.ts";

/** Every reason for which an event is dropped. */
export const DROP_REASONS = [
  "invalid_argument",
  "no_trace_context",
  "queue_full",
  "spool_full",
  "export_timeout",
  "export_blocked",
  "after_shutdown",
  "shutdown",
  "exit",
  "expired",
  "corrupt",
  "spool_removed",
  "internal_error",
] as const;
/** Reason for which an event was dropped: one of `DROP_REASONS`. */
export type DropReason = (typeof DROP_REASONS)[number];

/** Balance of delivery: at any moment `tracked + recovered == acked + pending + dead + dropped`. */
export interface LedgerEntries {
  /** Events handed to `track*`. */
  tracked: number;
  /** Events taken over from an earlier process. */
  recovered: number;
  /** Events that the platform has accepted. */
  acked: number;
  /** Events that wait for delivery or are being sent. */
  pending: number;
  /** Events that the platform refused for good. */
  dead: number;
  /** Events that were dropped, for any reason. */
  dropped: number;
}

/** Counts events by their outcome. */
export class Ledger {
  /** Events handed to `track*`, whether they were stored for delivery or dropped at once. */
  tracked = 0;
  /** Events that an earlier process had tracked. */
  recovered = 0;
  acked = 0;
  /** Events that the platform had already; they count as acked, too. */
  duplicates = 0;
  dead = 0;
  /** Requests that were made again. */
  retries = 0;
  readonly #dropped = new Map<DropReason, number>();

  /** Counts an event that was tracked and dropped at once. */
  refuse(reason: DropReason): void {
    this.tracked++;
    this.drop(reason, 1);
  }

  /** Counts stored events that are dropped. */
  drop(reason: DropReason, count: number): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
  }

  droppedByReason(): Partial<Record<DropReason, number>> {
    return Object.fromEntries(this.#dropped);
  }

  /** @param pending - Number of events in the store: counted apart, so that the balance can be checked against it. */
  entries(pending: number): LedgerEntries {
    const { tracked, recovered, acked, dead } = this;
    let dropped = 0;
    for (const count of this.#dropped.values()) dropped += count;
    return { tracked, recovered, acked, pending, dead, dropped };
  }
}

/** Causes of losses, in words; `docs/delivery.md` has an alert for each. */
export const LOSS_CAUSES: Readonly<Record<DropReason, string>> = {
  invalid_argument: "agent, session or content could not be told",
  no_trace_context:
    "a GenAI message was logged outside of a span: expected a trace context, gen_ai.conversation.id or session.id, got none",
  queue_full: "the queue is full",
  spool_full: "the spool is full",
  after_shutdown: "tracked behind shutdown()",
  shutdown: "not delivered when shutdown() ended",
  exit: "not delivered when the process ended",
  export_timeout: "not delivered within the timeout of an export",
  export_blocked: "the platform takes nothing, and an export does not wait for it",
  expired: "older than maxSpoolAge",
  corrupt: "the spool is damaged",
  spool_removed: "files of the spool were removed",
  internal_error: "a fault of agent-monitor",
};

function toBeginning(count: number): string {
  return `${countNoun(count, "event is", "events are")} lost`;
}

/** Returns the log message about lost events. */
export function toLossMessage(reason: DropReason, count: number): string {
  return `${toBeginning(count)}: ${LOSS_CAUSES[reason]}`;
}

/** Events that are lost for good. */
interface Losses extends Pick<LedgerEntries, "dead" | "dropped"> {
  readonly droppedByReason: Partial<Record<DropReason, number>>;
}

/** Returns one line about everything that was lost, with reasons; `undefined` when nothing was. */
export function toLossSummary({ dead, dropped, droppedByReason }: Losses): string | undefined {
  const reasons = Object.entries(droppedByReason) as [DropReason, number][];
  const parts = reasons.map(([reason, count]) => `${count} ${reason} (${LOSS_CAUSES[reason]})`);
  const lost = dropped > 0 ? [`${toBeginning(dropped)}: ${parts.join(", ")}`] : [];
  const refused =
    dead > 0 ? [`${countNoun(dead, "event")} refused by the platform for good (dead)`] : [];
  return [...lost, ...refused].join("; ") || undefined;
}

/** Creates a function that logs in one line everything that was lost, unless it has logged the same already. */
export function createLossReporter(readLosses: () => Losses, log: BurstLogger): () => void {
  let logged: string | undefined;
  return () => {
    log.flush();
    const summary = toLossSummary(readLosses());
    if (summary === undefined || summary === logged) return;
    logged = summary;
    log.log("error", "losses", summary);
    log.flush();
  };
}
