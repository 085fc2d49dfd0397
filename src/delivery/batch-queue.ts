import type { DroppedReport } from "../events/chain.ts";
import type { Clock } from "../util/clock.ts";
import { countIntegers, type IntegerRange } from "../util/ranges.ts";
import {
  planBatch,
  rebuildBatch,
  toChainSequence,
  type BatchContent,
  type BatchOrigin,
  type BatchPlan,
  type PlannedBatch,
} from "./batch.ts";
import type { EventSource, ReadRange, ReadResult, StoredEvent } from "./event-store.ts";
import type { DropReason, Ledger } from "./ledger.ts";
import {
  addReport,
  applyRecord,
  findLost,
  joinPredecessors,
  toReport,
  toSettledSequence,
  type Legacy,
  type OutboxRecord,
  type OutboxState,
} from "./outbox-state.ts";

/** Keeps records, so that a restarted process knows which events were sent as which batch. */
export interface Journal {
  /** Whether events may be forgotten only once the record of their settlement is synced. */
  readonly mustSync: boolean;
  write(record: OutboxRecord): void;
  /** Resolves once everything written is as durable as the journal makes it. */
  sync(): Promise<void>;
}

export interface BatchQueueOptions {
  readonly origin: BatchOrigin;
  readonly source: EventSource;
  readonly state: OutboxState;
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Called for events that are lost to damage or age. */
  readonly onLoss: (reason: DropReason, count: number) => void;
  /** When the oldest stored event happened, milliseconds since the Unix epoch. */
  readonly oldestAt?: number;
}

/** Bounds of a new batch. */
export type BatchLimits = Pick<ReadRange, "maxCount" | "maxBytes">;

/** Events of a batch that is sent in parts. */
export interface BatchPart extends IntegerRange {
  readonly events: readonly StoredEvent[];
}

/** Record of the end of a batch. */
type Settlement = Extract<OutboxRecord, { type: "settle" }>;

/** Reason for which stored events are missing. */
type LossReason = Extract<DropReason, "corrupt" | "spool_removed">;

/** Events of a batch that can still be read, and the reason for which others are lost. */
export interface Remains {
  readonly events: readonly StoredEvent[];
  readonly reason: LossReason;
}

function toLossReason({ isRemoved = false }: ReadResult): LossReason {
  return isRemoved ? "spool_removed" : "corrupt";
}

const UNBOUNDED = { maxCount: Infinity, maxBytes: Infinity };

/**
 * Plans the batches of one writer from its events, in order, and keeps each until it is settled.
 *
 * Every decision is in the journal before it takes effect, so a process that starts again sends the same batches.
 */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  #released = 0;
  /** The batch that was made last; its bytes are likely to be needed again. */
  #made: PlannedBatch | undefined;
  /** Time of the oldest event that is in no batch yet, or earlier. */
  #unplannedSince: number | undefined;

  constructor(options: BatchQueueOptions) {
    this.#options = options;
    this.#unplannedSince = options.oldestAt;
  }

  /** Batches that are not settled, in the order of their events. */
  protected get open(): readonly BatchPlan[] {
    return this.#options.state.open;
  }

  /** Events that are not settled. */
  get pending(): number {
    const { state, source } = this.#options;
    let pending = Math.max(0, source.newestSequence - state.next + 1) + countIntegers(state.holes);
    for (const plan of state.open) pending += plan.eventCount;
    return pending;
  }

  /** Whether there are released events that are in no batch yet. */
  protected get hasUnplanned(): boolean {
    const { holes, next } = this.#options.state;
    return holes.length > 0 || next <= this.#plannable;
  }

  get settledSequence(): number {
    return toSettledSequence(this.#options.state);
  }

  /** The batch that was planned last. */
  get chain(): OutboxState["chain"] {
    return this.#options.state.chain;
  }

  /** Approximate time of the oldest event that is not settled; `undefined` when there is none. */
  get oldestAt(): number | undefined {
    const { state, source } = this.#options;
    const hasUnplanned = source.newestSequence >= state.next;
    return state.open[0]?.oldestAt ?? (hasUnplanned ? this.#unplannedSince : undefined);
  }

  /** Records an event that the source has just stored. */
  noteAppended(sequence: number, timestamp: number): void {
    if (sequence === this.#options.state.next) this.#unplannedSince = timestamp;
  }

  /** Counts an event that was dropped before it had a sequence, for the next report. */
  noteRefused(reason: DropReason): void {
    addReport(this.#options.state.unreported, { reason, count: 1 });
  }

  /** Reports and predecessors for another writer to carry when this one has no more batches: it may end now. */
  get legacy(): Required<Legacy> {
    const { state, origin } = this.#options;
    const { writerId, platform } = origin;
    const { unreported, predecessors = [], taken } = state;
    const reports = unreported.map((report) => ({ writerId, ...report }));
    if (taken?.platform !== platform) return { reports, predecessors };
    const { sequence, hash } = taken;
    const own = { writerId, sequence, hash };
    return { reports, predecessors: joinPredecessors(predecessors, [own]) };
  }

  /** Adds the reports and predecessors of ended writers to those of the next batch. */
  carry(legacy: Required<Legacy>): void {
    if (legacy.reports.length + legacy.predecessors.length > 0)
      this.#write({ type: "report", ...legacy });
  }

  /** Allows batches of the events up to a sequence. */
  release(sequence: number): void {
    this.#released = Math.max(this.#released, sequence);
  }

  /** Starts to prepare the events of the next batch while another one is being sent. */
  readAhead(limits: BatchLimits): void {
    const { source, state } = this.#options;
    const [first, last] = [state.next, this.#plannable];
    if (first <= last) source.readAhead?.({ first, last, ...limits });
  }

  /** Plans a batch of the next events; returns nothing when they are lost. */
  protected async plan(limits: BatchLimits): Promise<PlannedBatch | undefined> {
    const { source, state } = this.#options;
    const range = state.holes[0] ?? { first: state.next, last: this.#plannable };
    const read = await source.read({ ...range, ...limits });
    const { events, end } = read;
    const reason = toLossReason(read);
    const covered = { first: range.first, last: end };
    if (events.length === 0) {
      this.#write({ type: "drop", reason, ...covered });
      this.#countDamage(end - range.first + 1, reason);
      this.#forget();
      return undefined;
    }
    const lost = findLost(events, covered).map((gap) => toReport(reason, gap));
    for (const { count } of lost) this.#countDamage(count, reason);
    const reports = [...state.unreported, ...lost];
    const carried = { dropped: reports, predecessors: state.predecessors ?? [] };
    const batch = this.#makeBatch({ ...covered, events, ...carried, previous: this.chain });
    this.#write({ type: "plan", plan: batch.plan });
    this.#unplannedSince = events.at(-1)?.timestamp;
    return this.#keep(batch);
  }

  /**
   * Reads the events of a batch.
   *
   * @returns The batch, or its remaining events when some are lost: it can't be sent any more.
   */
  protected async load(plan: BatchPlan): Promise<PlannedBatch | Remains> {
    if (this.#made?.plan === plan) return this.#made;
    const { source, origin } = this.#options;
    const { first, last } = plan;
    const read = await source.read({ first, last, ...UNBOUNDED });
    const batch = rebuildBatch(plan, read.events, origin.organizationId);
    return batch ? this.#keep(batch) : { events: read.events, reason: toLossReason(read) };
  }

  /**
   * Replaces a batch by others with the same events; none when all of them are lost.
   *
   * @param reason - Reason of the loss, if events are lost.
   */
  protected replace(
    plan: BatchPlan,
    parts: readonly BatchPart[],
    reason: LossReason = "corrupt",
  ): BatchPlan[] {
    const events = parts.flatMap((part) => part.events);
    const lost = findLost(events, plan).map((gap) => toReport(reason, gap));
    const isDamaged = events.length < plan.eventCount;
    if (isDamaged) this.#countDamage(plan.eventCount - events.length, reason);
    if (events.length === 0) {
      this.abandon(plan, lost);
      return [];
    }
    // The reports and predecessors of a batch that never arrived go along with its first part.
    const { unreported, predecessors = [] } = this.#options.state;
    const { dropped = [], chain } = plan.metadata;
    let carried: Pick<BatchContent, "dropped" | "predecessors"> = {
      dropped: [...dropped, ...unreported, ...(isDamaged ? lost : [])],
      predecessors: joinPredecessors(chain.predecessors ?? [], predecessors),
    };
    let previous = this.chain;
    const plans: BatchPlan[] = [];
    for (const part of parts) {
      const batch = this.#makeBatch({ ...part, ...carried, previous, replaces: plan });
      plans.push(batch.plan);
      previous = batch.plan.metadata.chain;
      carried = { dropped: [], predecessors: [] };
    }
    this.#write({ type: "replace", replaced: toChainSequence(plan), plans });
    return plans;
  }

  /** Settles a batch that the platform has accepted; events of it that were dropped are reported. */
  protected settle(plan: BatchPlan, dropped: readonly DroppedReport[]): void {
    this.#end(plan, { dropped, takenBy: this.#options.origin.platform });
  }

  /** Settles a batch that will never arrive; the next one carries its reports and predecessors. */
  protected abandon(plan: BatchPlan, dropped: readonly DroppedReport[]): void {
    const { dropped: reports = [], chain } = plan.metadata;
    const { predecessors } = chain;
    this.#end(plan, { dropped: [...reports, ...dropped], ...(predecessors && { predecessors }) });
  }

  /** Drops the events of a range that are in no batch. */
  protected dropUnplanned(given: IntegerRange, reason: DropReason): void {
    const { state } = this.#options;
    for (const range of [...state.holes, { first: state.next, last: given.last }]) {
      const first = Math.max(range.first, given.first);
      const last = Math.min(range.last, given.last);
      if (first <= last) this.#dropRange({ first, last }, reason);
    }
    this.#forget();
  }

  /** Drops the newest events of a batch, but not all of them: the others are sent as another batch. */
  protected cutOff({ last }: BatchPlan, first: number, reason: DropReason): void {
    this.#dropRange({ first, last }, reason);
  }

  /** Newest sequence that may be planned: released, and before the first event that is still provisional. */
  get #plannable(): number {
    return Math.min(this.#released, this.#options.source.finalSequence);
  }

  #dropRange({ first, last }: IntegerRange, reason: DropReason): void {
    this.#write({ type: "drop", reason, first, last });
    this.#options.ledger.drop(reason, last - first + 1);
  }

  #makeBatch(content: Omit<BatchContent, "now">): PlannedBatch {
    const { clock, origin } = this.#options;
    return planBatch({ ...content, now: clock.now() }, origin);
  }

  #end(plan: BatchPlan, ending: Omit<Settlement, "type" | "batch" | "first" | "last">): void {
    const { first, last } = plan;
    this.#write({ type: "settle", batch: toChainSequence(plan), first, last, ...ending });
    if (this.#made?.plan === plan) this.#made = undefined;
    this.#forget();
  }

  #keep(batch: PlannedBatch): PlannedBatch {
    this.#made = batch;
    return batch;
  }

  #countDamage(count: number, reason: LossReason): void {
    this.#options.ledger.drop(reason, count);
    this.#options.onLoss(reason, count);
  }

  #write(record: OutboxRecord): void {
    const { journal, state } = this.#options;
    journal.write(record);
    applyRecord(state, record);
  }

  /** Syncs the journal: only then may a batch be sent, and settled events be forgotten. */
  protected async sync(): Promise<void> {
    const { journal, source } = this.#options;
    await journal.sync();
    if (journal.mustSync) source.forget(this.settledSequence);
  }

  /** Forgets settled events, if they need not wait for a sync of the journal. */
  #forget(): void {
    const { journal, source } = this.#options;
    if (!journal.mustSync) source.forget(this.settledSequence);
  }
}
