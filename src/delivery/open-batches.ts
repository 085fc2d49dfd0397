import { Lineage, toChainSequence, type BatchPlan } from "./batch.ts";

/** An unsettled batch, and the reason for which the platform refused it last. */
interface OpenBatch {
  readonly lineage: Lineage;
  refusal?: string | undefined;
}

/** Keeps lineage and refusal of each batch that is not settled. */
export class OpenBatches {
  readonly #batches = new Map<number, OpenBatch>();

  /** @param lineage - Lineage of the batch that it is a part of; a batch of new events starts one. */
  add(plan: BatchPlan, lineage = new Lineage(plan.eventCount)): void {
    this.#batches.set(toChainSequence(plan), { lineage });
  }

  /** Adds a batch of an earlier process, which may be a part of a refused one. */
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

  /** Returns the refused batches of a lineage, with reasons. */
  refusedOf(lineage: Lineage, plans: readonly BatchPlan[]): { plan: BatchPlan; refusal: string }[] {
    return plans.flatMap((plan) => {
      const { lineage: own, refusal } = this.#get(plan);
      return own === lineage && refusal !== undefined ? [{ plan, refusal }] : [];
    });
  }

  noteRefusal(plan: BatchPlan, reason: string): void {
    this.#get(plan).refusal = reason;
  }

  /** Returns whether a batch may be sent now. */
  isSendable(plan: BatchPlan): boolean {
    const entry = this.#batches.get(toChainSequence(plan));
    // A batch that is being planned at this moment is not known here yet.
    return !entry || (entry.refusal === undefined && !entry.lineage.isSuspended);
  }

  /** Returns whether a part of a lineage has not been refused. */
  hasUnrefused(lineage: Lineage): boolean {
    return this.#entriesOf(lineage).some(({ refusal }) => refusal === undefined);
  }

  /** Lineages that wait until the platform has accepted another batch. */
  get suspended(): Lineage[] {
    const lineages = Array.from(this.#batches.values(), ({ lineage }) => lineage);
    return [...new Set(lineages)].filter(({ isSuspended }) => isSuspended);
  }

  /** Clears the refusals of a lineage once the platform accepts events: its batches are tried a last time. */
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
