import { toChainSequence } from "./batch-queue.ts";
import { Lineage, type BatchPlan } from "./batch.ts";

/** An unsettled batch, and why the platform refused it when it was sent last. */
interface OpenBatch {
  readonly lineage: Lineage;
  refusal?: string | undefined;
}

/** What the platform has said of batches that are not settled. */
export class OpenBatches {
  readonly #batches = new Map<number, OpenBatch>();

  /** @param lineage - Of the batch that it is a part of; a batch of new events begins one. */
  add(plan: BatchPlan, lineage = new Lineage(plan.eventCount)): void {
    this.#batches.set(toChainSequence(plan), { lineage });
  }

  /** Adds a batch of an earlier process, which may be the rest of one that was refused. */
  restore(plan: BatchPlan): void {
    const isLeftover = plan.metadata.chain.replaces !== undefined;
    this.add(plan, new Lineage(plan.eventCount, isLeftover));
  }

  delete(plan: BatchPlan): void {
    this.#batches.delete(toChainSequence(plan));
  }

  lineageOf(plan: BatchPlan): Lineage {
    return this.#get(plan).lineage;
  }

  /** The batches of a lineage that were refused, and why. */
  refusedOf(lineage: Lineage, plans: readonly BatchPlan[]): { plan: BatchPlan; refusal: string }[] {
    return plans.flatMap((plan) => {
      const { lineage: own, refusal } = this.#get(plan);
      return own === lineage && refusal !== undefined ? [{ plan, refusal }] : [];
    });
  }

  noteRefusal(plan: BatchPlan, reason: string): void {
    this.#get(plan).refusal = reason;
  }

  /** Whether a batch may be sent now. */
  isSendable(plan: BatchPlan): boolean {
    const entry = this.#batches.get(toChainSequence(plan));
    // One that is planned at this moment is not known here yet.
    return !entry || (entry.refusal === undefined && !entry.lineage.isSuspended);
  }

  /** Whether a part of a lineage has not been refused. */
  hasUnrefused(lineage: Lineage): boolean {
    return this.#entriesOf(lineage).some(({ refusal }) => refusal === undefined);
  }

  /** Lineages that wait until the platform has taken another one. */
  get suspended(): Lineage[] {
    const lineages = Array.from(this.#batches.values(), ({ lineage }) => lineage);
    return [...new Set(lineages)].filter(({ isSuspended }) => isSuspended);
  }

  /** The platform takes events: what was refused of a lineage is tried again, for the last time. */
  revive(lineage: Lineage): void {
    lineage.noteTaken();
    for (const entry of this.#entriesOf(lineage)) entry.refusal = undefined;
  }

  #entriesOf(lineage: Lineage): OpenBatch[] {
    return [...this.#batches.values()].filter((entry) => entry.lineage === lineage);
  }

  #get(plan: BatchPlan): OpenBatch {
    const entry = this.#batches.get(toChainSequence(plan));
    if (!entry) throw new Error(`outbox: batch ${toChainSequence(plan)} is not open`);
    return entry;
  }
}
