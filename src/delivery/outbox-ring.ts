import { countNoun } from "../util/count-noun.ts";
import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { BatchLimits } from "./batch-queue.ts";
import type { Lineage, PlannedBatch } from "./batch.ts";
import type { DropReason } from "./ledger.ts";
import type { Outbox } from "./outbox.ts";

/** Wait before an outbox that can't be read is tried again. */
const REST_MILLIS = 60_000;
/** Each active outbox takes two file descriptors, and the application needs some, too. */
const MAX_ACTIVE = 64;

export interface OutboxRingOptions {
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Called when an outbox that was added has been emptied. */
  readonly onDrained?: (outbox: Outbox) => void;
  /** Called when an outbox that could not be read may be tried again. */
  readonly wake: () => void;
}

/** A batch, and the outbox that it comes from. */
export interface Turn {
  readonly outbox: Outbox;
  readonly batch: PlannedBatch;
}

/**
 * The outboxes of a sender, which take turns: a long backlog of another process must not hold up new events.
 *
 * Of more than 64, some wait until others are empty or at rest.
 */
export class OutboxRing {
  readonly #own: Outbox;
  readonly #options: OutboxRingOptions;
  #active: Outbox[];
  #waiting: Outbox[] = [];
  /** Outboxes that could not be read: they must not keep the others from being sent. */
  readonly #resting = new Set<Outbox>();

  /** @param own - The outbox that never goes away. */
  constructor(own: Outbox, options: OutboxRingOptions) {
    this.#own = own;
    this.#options = options;
    this.#active = [own];
  }

  get outboxes(): readonly Outbox[] {
    return [...this.#active, ...this.#waiting];
  }

  /** Events that are not settled. */
  get pending(): number {
    return this.outboxes.reduce((sum, { pending }) => sum + pending, 0);
  }

  /** Whether events are pending in memory only. */
  get isVolatile(): boolean {
    return this.#active.some(({ isDurable, pending }) => !isDurable && pending > 0);
  }

  get hasNext(): boolean {
    return this.#active.some((outbox) => !this.#resting.has(outbox) && outbox.hasNext);
  }

  /** Lineages of which the platform has refused every part. */
  get suspended(): readonly Lineage[] {
    return this.#active.flatMap(({ suspended }) => suspended);
  }

  add(outbox: Outbox): void {
    this.#waiting.push(outbox);
    this.#activate();
  }

  /** Releases all stored events. @returns A function that returns whether all of them are settled. */
  releaseAll(): () => boolean {
    const targets = this.outboxes.map((outbox) => ({ outbox, sequence: outbox.newestSequence }));
    for (const { outbox, sequence } of targets) outbox.release(sequence);
    return () => targets.every(({ outbox, sequence }) => outbox.settledSequence >= sequence);
  }

  /**
   * Returns the next batch of the outbox whose turn it is; a probe while everything is refused.
   *
   * Empty outboxes make room for others.
   */
  async next(limits: BatchLimits, isRefused: boolean): Promise<Turn | undefined> {
    for (;;) {
      const turn = await this.#nextOfActive(limits, isRefused);
      if (turn) return turn;
      this.removeDrained();
      if (isRefused || !this.hasNext) return undefined;
    }
  }

  async #nextOfActive(limits: BatchLimits, isRefused: boolean): Promise<Turn | undefined> {
    for (const outbox of this.#active.slice()) {
      if (this.#resting.has(outbox)) continue;
      this.#active = [...this.#active.filter((other) => other !== outbox), outbox];
      try {
        const batch = await (isRefused ? outbox.nextProbe(limits) : outbox.next(limits));
        if (batch) return { outbox, batch };
      } catch (error) {
        this.#rest(outbox, limits, toErrorName(error));
      }
    }
    return undefined;
  }

  /** Resumes every outbox: the platform accepts events again. */
  resume(): void {
    for (const outbox of this.#active) outbox.resume();
  }

  /** Drops all events that are in memory only. */
  dropVolatile(reason: DropReason): void {
    const volatile = this.#active.filter(({ isDurable }) => !isDurable);
    for (const outbox of volatile) outbox.dropFrom(1, reason);
  }

  /** Removes the empty outboxes of earlier processes, and activates waiting ones. */
  removeDrained(): void {
    for (const outbox of this.#active.slice()) {
      if (outbox === this.#own || outbox.pending > 0) continue;
      this.#active = this.#active.filter((other) => other !== outbox);
      this.#options.onDrained?.(outbox);
    }
    this.#activate();
  }

  #activate(): void {
    const room = Math.max(0, MAX_ACTIVE + this.#resting.size - this.#active.length);
    this.#active.push(...this.#waiting.splice(0, room));
  }

  /** Lets a durable outbox rest, to be tried again later; drops the next batch of one in memory, to get past it. */
  #rest(outbox: Outbox, { maxCount }: BatchLimits, errorName: string): void {
    const { log, clock, wake } = this.#options;
    if (!outbox.isDurable) {
      const count = outbox.dropNext(maxCount, "internal_error");
      const message = `${countNoun(count, "event is", "events are")} lost: ${count === 1 ? "it" : "they"} could not be made a batch (${errorName})`;
      log.log("error", "drop:internal_error", message, { count }, count);
      return;
    }
    const message = `spool: events can't be read (${errorName}); they are kept in ${outbox.directory}`;
    log.log("error", "spool_read", message);
    this.#resting.add(outbox);
    this.#activate();
    clock.schedule(() => {
      this.#resting.delete(outbox);
      wake();
    }, REST_MILLIS);
  }
}
