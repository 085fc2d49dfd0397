import type { DroppedReport } from "../events/chain.ts";
import { toSingle, type IntegerRange } from "../util/ranges.ts";
import {
  BatchQueue,
  type BatchLimits,
  type BatchPart,
  type BatchQueueOptions,
  type Remains,
} from "./batch-queue.ts";
import type { BatchPlan, Lineage, PlannedBatch } from "./batch.ts";
import type { StoredEvent } from "./event-store.ts";
import type { Rejected } from "./http-transport.ts";
import type { DropReason } from "./ledger.ts";
import { OpenBatches } from "./open-batches.ts";
import { toReport } from "./outbox-state.ts";

export interface OutboxOptions extends BatchQueueOptions {
  /** Keeps an event that the platform refused for good. */
  readonly keepDeadLetter: (event: StoredEvent, reason: string) => Promise<void>;
  /** Directory of durable events; absent for events in memory. */
  readonly directory?: string | undefined;
}

/** At this number of suspended lineages, new batches are no longer planned just to probe. */
const MAX_SUSPENDED = 8;
/** Every so many probes, one has new events: what was refused may be all there is that is bad. */
const NEW_AMONG_PROBES = 4;
/** Bounds the open batches while a platform refuses everything for days. */
const MAX_OPEN = 1000;

/** Sends the events of one writer as batches, and settles each: accepted, refused in whole or in part, given up. */
export class Outbox extends BatchQueue {
  readonly #options: OutboxOptions;
  readonly #batches = new OpenBatches();
  #probes = 0;

  constructor(options: OutboxOptions) {
    super(options);
    this.#options = options;
    for (const plan of options.state.open) this.#batches.restore(plan);
  }

  /** Whether the events outlive the process. */
  get isDurable(): boolean {
    return this.directory !== undefined;
  }

  /** Directory of the events; `undefined` for events in memory. */
  get directory(): string | undefined {
    return this.#options.directory;
  }

  get writerId(): string {
    return this.#options.origin.writerId;
  }

  /** Approximate bytes of the events that are kept. */
  get bytes(): number {
    return this.#options.source.bytes;
  }

  /** Sequence of the newest event. */
  get newestSequence(): number {
    return this.#options.source.newestSequence;
  }

  /** Lineages that wait because the platform refused every part of them. */
  get suspended(): readonly Lineage[] {
    return this.#batches.suspended;
  }

  /** Whether there is something to send. */
  get hasNext(): boolean {
    return this.#findSendable() !== undefined || this.hasUnplanned;
  }

  /** Returns whether a batch is not settled yet and still has all of its events. */
  isOpen(plan: BatchPlan): boolean {
    return this.open.includes(plan);
  }

  /** Returns the oldest batch that may be sent; plans one when there is none. */
  async next(limits: BatchLimits): Promise<PlannedBatch | undefined> {
    this.#expire();
    while (this.hasNext) {
      const plan = this.#findSendable();
      const batch = plan ? await this.#loadWhole(plan) : await this.#planNext(limits);
      if (!batch) continue;
      await this.sync();
      return batch;
    }
    await this.sync();
    return undefined;
  }

  /** Returns a batch to probe with while batches are refused, another one each time. */
  async nextProbe(limits: BatchLimits): Promise<PlannedBatch | undefined> {
    this.#expire();
    const { open } = this;
    const isNewWanted =
      this.suspended.length < MAX_SUSPENDED ||
      (open.length < MAX_OPEN && this.#probes % NEW_AMONG_PROBES === 0);
    if (this.hasNext && isNewWanted) {
      this.#probes++;
      return this.next(limits);
    }
    // The newest first: the oldest were refused before.
    const plan = open.at(-1 - (this.#probes++ % open.length));
    const batch = plan && (await this.#loadWhole(plan));
    await this.sync();
    return batch;
  }

  /** Settles a batch that the platform accepted, but for the events that it rejected. */
  async accept(
    batch: PlannedBatch,
    rejected: readonly Rejected[],
    duplicates: number,
  ): Promise<void> {
    const { plan, events } = batch;
    const { ledger } = this.#options;
    const lineage = this.#batches.lineageOf(plan);
    const dead = new Map<StoredEvent, string>();
    for (const { index, code } of rejected) {
      const event = events[index];
      if (event && !dead.has(event)) dead.set(event, code);
    }
    const reports = await this.#keepDead(dead);
    // Everything may have been dropped meanwhile.
    if (!this.isOpen(plan)) return;
    this.settle(plan, reports);
    this.#batches.delete(plan);
    ledger.dead += dead.size;
    ledger.acked += events.length - dead.size;
    ledger.duplicates += Math.min(duplicates, events.length);
    // Events refused while everything was refused are not at fault.
    if (lineage.isSuspended) this.#batches.revive(lineage);
    lineage.noteTaken();
    await this.#buryRefused(lineage);
  }

  /**
   * Handles the refusal of a batch: it is split, or waits, or its only event becomes a dead letter.
   *
   * @param isProbe - Whether the batch was a probe: then its parts wait, too.
   */
  async refuse(batch: PlannedBatch, reason: string, isProbe: boolean): Promise<Lineage> {
    const { plan, events } = batch;
    const lineage = this.#batches.lineageOf(plan);
    lineage.noteRefusal();
    if (events.length === 1) this.#batches.noteRefusal(plan, reason);
    else if (lineage.isSuspended || !lineage.isInVain) this.#split(batch);
    if (lineage.isTaken) await this.#buryRefused(lineage);
    else if (isProbe || lineage.isInVain || !this.#batches.hasUnrefused(lineage)) lineage.suspend();
    return lineage;
  }

  /** Tries the waiting batches again, for the last time, once the platform has accepted another batch. */
  resume(): void {
    for (const lineage of this.suspended) this.#batches.revive(lineage);
  }

  /** Sends the events of a batch under another id. */
  rename({ plan, events }: PlannedBatch): void {
    this.#replaceBy(plan, [{ events, first: plan.first, last: plan.last }]);
  }

  /** Drops the oldest batch, planned or not. @returns Number of dropped events. */
  dropNext(batchSize: number, reason: DropReason): number {
    const { state, source } = this.#options;
    const before = this.pending;
    const [plan] = this.open;
    const last = Math.min(source.newestSequence, state.next + batchSize - 1);
    if (plan) this.#drop(plan, reason);
    else this.dropUnplanned({ first: 1, last }, reason);
    return before - this.pending;
  }

  /** Drops the events of a range, but for those in a batch with others. @returns Number of dropped events. */
  dropRange(range: IntegerRange, reason: DropReason): number {
    const before = this.pending;
    const plans = this.open.filter(({ first, last }) => first >= range.first && last <= range.last);
    for (const plan of plans) this.#drop(plan, reason);
    this.dropUnplanned(range, reason);
    return before - this.pending;
  }

  /** Drops every event from a sequence on, also those in a batch with older ones. */
  dropFrom(first: number, reason: DropReason): void {
    for (const plan of this.open) {
      const count = plan.last - first + 1;
      if (count >= plan.eventCount) this.#drop(plan, reason);
      else if (count > 0) this.cutOff(plan, first, reason);
    }
    this.dropUnplanned({ first, last: this.newestSequence }, reason);
  }

  /** Drops a batch. */
  #drop(plan: BatchPlan, reason: DropReason): void {
    this.abandon(plan, [{ ...toReport(reason, plan), count: plan.eventCount }]);
    this.#batches.delete(plan);
    this.#options.ledger.drop(reason, plan.eventCount);
  }

  #expire(): void {
    const { source, onLoss } = this.#options;
    const expired = Math.min(source.findExpired(), source.newestSequence);
    if (expired <= this.settledSequence) return;
    const count = this.dropRange({ first: 1, last: expired }, "expired");
    if (count > 0) onLoss("expired", count);
  }

  #findSendable(): BatchPlan | undefined {
    return this.open.find((plan) => this.#batches.isSendable(plan));
  }

  async #planNext(limits: BatchLimits): Promise<PlannedBatch | undefined> {
    const batch = await this.plan(limits);
    if (batch) this.#batches.add(batch.plan);
    return batch;
  }

  /** Loads a batch; if events of it are lost, the others become another batch, and `undefined` is returned. */
  async #loadWhole(plan: BatchPlan): Promise<PlannedBatch | undefined> {
    const loaded = await this.load(plan);
    if ("plan" in loaded) return loaded;
    const { events, reason } = loaded;
    this.#replaceBy(plan, [{ events, first: plan.first, last: plan.last }], reason);
    return undefined;
  }

  #split({ plan, events }: PlannedBatch): void {
    const middle = Math.ceil(events.length / 2);
    const split = events[middle]?.sequence ?? plan.last + 1;
    this.#replaceBy(plan, [
      { events: events.slice(0, middle), first: plan.first, last: split - 1 },
      { events: events.slice(middle), first: split, last: plan.last },
    ]);
  }

  #replaceBy(plan: BatchPlan, parts: readonly BatchPart[], reason?: Remains["reason"]): void {
    const lineage = this.#batches.lineageOf(plan);
    for (const part of this.replace(plan, parts, reason)) this.#batches.add(part, lineage);
    this.#batches.delete(plan);
  }

  /** Keeps dead events before they are forgotten. @returns Reports of them. */
  async #keepDead(dead: ReadonlyMap<StoredEvent, string>): Promise<DroppedReport[]> {
    for (const [event, reason] of dead) await this.#options.keepDeadLetter(event, reason);
    return Array.from(dead.keys(), ({ sequence }) => toReport("dead", toSingle(sequence)));
  }

  /** Turns events that were refused alone into dead letters, once others of their lineage were accepted. */
  async #buryRefused(lineage: Lineage): Promise<void> {
    for (const { plan, refusal } of this.#batches.refusedOf(lineage, this.open)) {
      const batch = this.isOpen(plan) ? await this.#loadWhole(plan) : undefined;
      const [event] = batch?.events ?? [];
      if (!event) continue;
      const reports = await this.#keepDead(new Map([[event, refusal]]));
      if (!this.isOpen(plan)) continue;
      this.abandon(plan, reports);
      this.#batches.delete(plan);
      this.#options.ledger.dead++;
    }
  }
}
