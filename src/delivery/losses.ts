import { countNoun } from "../util/count-noun.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { DropReason, LedgerEntries } from "./ledger.ts";

/** Why events are lost, in words; `docs/delivery.md` has an alert for each. */
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
  return `${countNoun(count, "event")} ${count === 1 ? "is" : "are"} lost`;
}

/** Tells of events that are lost. */
export function toLossMessage(reason: DropReason, count: number): string {
  return `${toBeginning(count)}: ${LOSS_CAUSES[reason]}`;
}

/** What was lost for good. */
export interface Losses extends Pick<LedgerEntries, "dead" | "dropped"> {
  readonly droppedByReason: Partial<Record<DropReason, number>>;
}

/** Tells in one line of everything that was lost, and why; `undefined` when nothing was. */
export function toLossSummary({ dead, dropped, droppedByReason }: Losses): string | undefined {
  const reasons = Object.entries(droppedByReason) as [DropReason, number][];
  const parts = reasons.map(([reason, count]) => `${count} ${reason} (${LOSS_CAUSES[reason]})`);
  const lost = dropped > 0 ? [`${toBeginning(dropped)}: ${parts.join(", ")}`] : [];
  const refused =
    dead > 0 ? [`${countNoun(dead, "event")} refused by the platform for good (dead)`] : [];
  const all = [...lost, ...refused];
  return all.length > 0 ? all.join("; ") : undefined;
}

/** Creates what tells at the end, in one line, of everything that was lost, unless it was told already. */
export function createLossTeller(readLosses: () => Losses, log: BurstLogger): () => void {
  let told: string | undefined;
  return () => {
    log.flush();
    const summary = toLossSummary(readLosses());
    if (summary === undefined || summary === told) return;
    told = summary;
    log.log("error", "losses", summary);
    log.flush();
  };
}
