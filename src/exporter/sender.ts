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
  /** A lone event that was refused: it is dead if the next batch is taken, else the stream is blocked. */
  #suspect: PendingEvent | undefined;

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
    if (this.#state === "idle") this.#start();
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
    await keepAliveUntil(clock, withDeadline(clock, this.#runUntil(target), timeoutMillis));
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
    this.#burySuspect();
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
    this.#suspect = undefined;
    this.#settled += count;
    store.removeOldest(count);
    return count;
  }

  /** Enters events that the platform has decided about into the books. */
  #enterSettled(events: readonly PendingEvent[], { dead, duplicates }: DeliveryOutcome): void {
    if (events.length === 0) return;
    const { ledger } = this.#options;
    this.#unblock();
    this.#burySuspect();
    ledger.ack(events.length - dead.length);
    ledger.noteDuplicates(duplicates);
    for (const { event, reason } of dead) this.#bury(event, reason);
    this.#remove(events);
  }

  /** Decides about events that the platform has not taken; tells whether the next ones may be tried. */
  #mayGoOn(
    events: readonly PendingEvent[],
    { status, reason }: DeliveryOutcome,
    isProbe: boolean,
  ): boolean {
    const { log } = this.#options;
    if (status === "exhausted") {
      if (isProbe) return this.#block(this.#blockedReason ?? reason);
      this.#burySuspect();
      this.#remove(events);
      this.#drop("retries_exhausted", events.length, `no retry is left (${reason})`);
      return true;
    }
    if (status === "refused") {
      if (events.length === 1 && !this.#suspect) {
        this.#suspect = events[0];
        log.log(
          "warn",
          "suspect",
          `the platform refused an event (${reason}); the next one tells why`,
        );
        return true;
      }
      return this.#block(`${reason}: every part of a batch is refused`);
    }
    return this.#block(reason);
  }

  /** The oldest events that are released; behind a suspect, the events after it. */
  #next(): PendingEvent[] {
    const { store, batchSize, maxBatchBytes } = this.#options;
    if (!this.#suspect) return store.peek(this.#released, batchSize, maxBatchBytes);
    return store.peek(this.#released, batchSize + 1, maxBatchBytes + this.#suspect.bytes).slice(1);
  }

  #remove(events: readonly PendingEvent[]): void {
    this.#options.store.removeOldest(events.length);
    this.#settled = events.at(-1)?.sequence ?? this.#settled;
  }

  #burySuspect(): void {
    const suspect = this.#suspect;
    if (!suspect) return;
    this.#suspect = undefined;
    this.#bury(suspect, "refused");
    this.#remove([suspect]);
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
    this.#suspect = undefined;
    this.#blockedReason = reason;
    this.#state = "blocked";
    this.#cancelProbe = clock.schedule(() => this.#start(), PROBE_INTERVAL_MILLIS);
    return false;
  }

  #unblock(): void {
    if (this.#blockedReason === undefined) return;
    this.#blockedReason = undefined;
    this.#options.log.log("info", "unblocked", "the platform takes events again");
  }
}
