import type { Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import { keepAliveUntil, withDeadline } from "../util/sleep.ts";
import { deliverBatch, type DeliveryOutcome } from "./batch-delivery.ts";
import type { SendBatch } from "./batch-sender.ts";
import type { EventStore } from "./event-store.ts";
import type { DropReason, Ledger } from "./ledger.ts";
import type { PendingEvent } from "./pending-event.ts";

/** A blocked sender asks again after this time, or when somebody flushes. */
const PROBE_INTERVAL_MILLIS = 60_000;

/**
 * What the sender is doing.
 *
 * `blocked`: the platform takes nothing until credentials, address or platform change; events are kept.
 */
export type SenderState = "idle" | "sending" | "blocked" | "closed";

export interface SenderOptions {
  readonly store: EventStore;
  readonly ledger: Ledger;
  readonly sendBatch: SendBatch;
  readonly clock: Clock;
  readonly log: BurstLogger;
  readonly batchSize: number;
  readonly maxBatchBytes: number;
  readonly retryAttempts: number;
}

/** Sends what is released, oldest first, one batch at a time. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #abort = new AbortController();
  #state: SenderState = "idle";
  #released = 0;
  #settled = 0;
  /** Grows when everything is given up: an answer that comes after that settles nothing. */
  #generation = 0;
  #running: Promise<void> | undefined;
  #blockedReason: string | undefined;
  #cancelProbe: (() => void) | undefined;
  /** Set while the only event of a batch is what was refused: the next ones tell whose fault it is. */
  #isLoneRefusal = false;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  get state(): SenderState {
    return this.#state;
  }

  /** Why nothing is taken, while the state is `blocked`. */
  get blockedReason(): string | undefined {
    return this.#blockedReason;
  }

  /** Lets everything up to a sequence be sent. */
  release(sequence: number): void {
    this.#released = Math.max(this.#released, sequence);
    const isComparable =
      this.#isLoneRefusal && this.#state === "blocked" && this.#next().length > 1;
    if (this.#state === "idle" || isComparable) this.#start();
  }

  /**
   * Sends everything that is stored now, and resolves when it is settled, can't be, or the deadline passes.
   *
   * It never rejects, and concurrent calls all wait.
   */
  async drain(timeoutMillis?: number): Promise<void> {
    const { store, clock } = this.#options;
    const target = store.newestSequence;
    if (this.#settled >= target) return;
    this.#released = Math.max(this.#released, target);
    const settled = withDeadline(clock, this.#runUntil(target), timeoutMillis);
    await keepAliveUntil(clock, settled, timeoutMillis);
  }

  /** Sends what it can within the deadline, then stops; what is left is dropped and counted. */
  async close(timeoutMillis: number, reason: DropReason): Promise<void> {
    if (this.#state === "closed") return;
    await this.drain(timeoutMillis);
    this.#abort.abort();
    this.#cancelProbe?.();
    await this.#running;
    this.#state = "closed";
    this.dropPending(reason);
  }

  /** Gives up everything that is stored. */
  dropPending(reason: DropReason): void {
    const { store } = this.#options;
    this.#generation++;
    const count = store.size;
    if (count === 0) return;
    store.removeOldest(count);
    this.#settled = store.newestSequence;
    this.#drop(reason, count, "could not be delivered");
  }

  #drop(reason: DropReason, count: number, why: string): void {
    const { ledger, log } = this.#options;
    ledger.drop(reason, count);
    const message = `${count} events are lost: ${why}`;
    log.log("error", `drop:${reason}`, message, { reason, count }, count);
  }

  async #runUntil(target: number): Promise<void> {
    // A batch that is under way may have been started before the target was released.
    while (this.#settled < target && !this.#abort.signal.aborted) {
      const before = this.#settled;
      this.#start();
      await this.#running;
      if (this.#state === "blocked" || this.#settled === before) return;
    }
  }

  #start(): void {
    if (this.#running || this.#abort.signal.aborted) return;
    this.#cancelProbe?.();
    const run = this.#run().catch((error: unknown) => {
      this.#state = "idle";
      this.#options.log.log("error", "sender", `sending failed (${toErrorName(error)})`);
      return this.#drop("internal_error", this.#discardNext(), "they could not be sent");
    });
    this.#running = run.finally(() => {
      this.#running = undefined;
      // Something may have been released between the last look and here.
      if (this.#state === "idle" && this.#next().length > 0) this.#start();
    });
  }

  async #run(): Promise<void> {
    const isProbe = this.#state === "blocked";
    this.#state = "sending";
    let retryAttempts = isProbe ? 0 : this.#options.retryAttempts;
    for (let events = this.#next(); events.length > 0; events = this.#next()) {
      const generation = this.#generation;
      const delivering = deliverBatch(
        this.#options.sendBatch,
        events,
        retryAttempts,
        this.#abort.signal,
      );
      this.#readAhead();
      const outcome = await delivering;
      if (generation !== this.#generation) continue;
      this.#enterSettled(events.slice(0, outcome.settledCount), outcome);
      const unsettled = events.slice(outcome.settledCount);
      if (unsettled.length > 0) {
        if (this.#abort.signal.aborted) break;
        if (!this.#mayGoOn(unsettled, outcome, isProbe && retryAttempts === 0)) return;
      }
      retryAttempts = this.#options.retryAttempts;
    }
    this.#state = "idle";
  }

  /** Serialises the batch behind the one that is being compressed and sent. */
  #readAhead(): void {
    const { store, batchSize, maxBatchBytes } = this.#options;
    store.peek(this.#released, 2 * batchSize, 2 * maxBatchBytes);
  }

  /** Takes the events out that can't be sent for a fault of ours, so that those behind them can; tells how many. */
  #discardNext(): number {
    const { store, batchSize } = this.#options;
    const count = Math.min(store.size, batchSize);
    this.#settled += count;
    store.removeOldest(count);
    return count;
  }

  /** Enters events that the platform has decided about into the books. */
  #enterSettled(events: readonly PendingEvent[], { dead, duplicates }: DeliveryOutcome): void {
    if (events.length === 0) return;
    const { ledger } = this.#options;
    this.#unblock();
    ledger.ack(events.length - dead.length);
    ledger.noteDuplicates(Math.min(duplicates, events.length));
    for (const { event, reason } of dead) this.#bury(event, reason);
    this.#remove(events);
  }

  /** Decides about events that the platform has not taken; tells whether the next ones may be tried. */
  #mayGoOn(
    events: readonly PendingEvent[],
    { status, reason }: DeliveryOutcome,
    isProbe: boolean,
  ): boolean {
    if (status === "exhausted") {
      if (isProbe) return this.#block(this.#blockedReason ?? reason);
      this.#remove(events);
      this.#drop("retries_exhausted", events.length, `no retry is left (${reason})`);
      return true;
    }
    if (status === "blocked") return this.#block(reason);
    this.#isLoneRefusal = events.length === 1;
    return this.#block(`${reason}: every part of a batch is refused`);
  }

  /** The oldest events that are released; behind a lone refusal at least one more, to compare it with. */
  #next(): PendingEvent[] {
    const { store, batchSize, maxBatchBytes } = this.#options;
    const count = this.#isLoneRefusal ? Math.max(batchSize, 2) : batchSize;
    return store.peek(this.#released, count, maxBatchBytes);
  }

  #remove(events: readonly PendingEvent[]): void {
    this.#options.store.removeOldest(events.length);
    this.#settled = events.at(-1)?.sequence ?? this.#settled;
  }

  #bury(event: PendingEvent, reason: string): void {
    this.#options.ledger.bury(1);
    this.#options.log.log("error", "dead_event", "the platform refused an event for good", {
      eventId: event.eventId,
      reason,
    });
  }

  #block(reason: string): false {
    const { clock, log, store } = this.#options;
    if (this.#blockedReason !== reason) {
      log.log("error", "blocked", `the platform takes nothing (${reason}); events are kept`, {
        pending: store.size,
      });
    }
    this.#blockedReason = reason;
    this.#state = "blocked";
    this.#cancelProbe = clock.schedule(() => this.#start(), PROBE_INTERVAL_MILLIS);
    return false;
  }

  #unblock(): void {
    this.#isLoneRefusal = false;
    if (this.#blockedReason === undefined) return;
    this.#blockedReason = undefined;
    this.#options.log.log("info", "unblocked", "the platform takes events again");
  }
}
