import { LONGEST_TIMER_MILLIS } from "../../util/clock.ts";
import { countNoun } from "../../util/count-noun.ts";
import { type BurstLogger, toErrorName } from "../../util/logger.ts";
import type { ResolvedOptions } from "../options.ts";
import { type SharedTransaction, StoreError, type Transaction } from "../store/sql-database.ts";
import type { Store } from "../store/store.ts";
import {
  findReplayStart,
  listArrivals,
  removeArrivals,
  type StoredArrival,
} from "../store/telemetry-arrivals.ts";
import {
  advancePosition,
  type HeldPosition,
  isPositionWanted,
  LEASE_MILLIS,
  LostLeaseError,
  releasePosition,
} from "../store/telemetry-position.ts";
import type { Steps, Turns } from "../turns.ts";
import type { Alarm } from "./alarm.ts";
import { type AddedEvents, addMadeBatches, type MadeBatch, makeBatch } from "./made-batch.ts";
import { TelemetryTail } from "./telemetry-tail.ts";

/** Time after which a replica looks for what others have stored. */
export const POLL_MILLIS = 1000;
/** Time after which a position is written down of which no events came. */
const KEEP_MILLIS = 1000;
const RENEW_MILLIS = LEASE_MILLIS / 4;
/** Arrivals that are read at a time. */
const CHUNK = 64;
const MAX_EVENTS_PER_BATCH = 500;
/** Arrivals after which a position is written down, though nothing came of them. */
const MAX_NOT_KEPT = 50;
/** What is read again at a start: conversations go on, and repeat what was said before. */
const REPLAY = { maxRows: 20_000, maxBytes: 64 * 1024 * 1024 };

/** What makes events, and who it is. */
export interface Making extends Pick<ResolvedOptions, "clock" | "logger"> {
  readonly store: Store;
  readonly turns: Turns;
  readonly owner: string;
  readonly alarm: Alarm;
  readonly log: BurstLogger;
  readonly ending: AbortSignal;
}

/** What a look at the store has found. */
interface Seen {
  readonly arrivals: readonly StoredArrival[];
  /** Set when something is due that is not to wait for what comes. */
  readonly passTo?: number;
}

/** Follows what is stored, and stores the events of it, for as long as no other replica does. */
export class TelemetryFollower {
  readonly #making: Making;
  readonly #tail: TelemetryTail;
  /** Called when something was stored. */
  readonly #onKept: () => void;
  /** The position as it is stored. */
  #kept: HeldPosition;
  #keptAt: number;
  /** When the lease was renewed. */
  #heldAt: number;
  /** The last time that was passed, and when that was. */
  #passed: { readonly to: number; readonly at: number };

  constructor(making: Making, position: HeldPosition, onKept: () => void) {
    const { store, clock, log } = making;
    const at = clock.monotonic();
    this.#making = making;
    this.#tail = new TelemetryTail(store.database, log);
    this.#onKept = onKept;
    this.#kept = position;
    this.#keptAt = at;
    this.#heldAt = at;
    this.#passed = { to: Math.max(position.clock, position.readClock), at };
  }

  /** Follows until it is to end. @throws LostLeaseError where another replica has taken over. */
  async follow(): Promise<void> {
    const { ending, alarm, turns } = this.#making;
    await this.#replay();
    for (;;) {
      const { arrivals, passTo } = await this.#look();
      await this.#readAll(arrivals);
      if (passTo !== undefined) await turns.take(this.#tail.pass(passTo));
      if (this.#tail.madeCount > 0) await this.#keep();
      if (arrivals.length > 0 || passTo !== undefined) continue;
      if (this.#isChanged && this.#sinceKept >= KEEP_MILLIS) await this.#keep();
      if (ending.aborted) break;
      const wait = this.#findWait();
      if (wait > 0) await alarm.wait(wait);
    }
    await this.#end();
  }

  /** Comes to where the one before was. */
  async #replay(): Promise<void> {
    const { store, turns } = this.#making;
    const { database } = store;
    const { doneSeq, readSeq } = this.#kept;
    let after = await store.read(findReplayStart(database, doneSeq, REPLAY));
    while (after < readSeq) {
      const arrivals = await store.read(listArrivals(database, after, CHUNK));
      for (const arrival of arrivals)
        if (arrival.seq <= readSeq) await turns.take(this.#tail.read(arrival));
      after = arrivals.at(-1)?.seq ?? readSeq;
      if (this.#isToRenew)
        await store.write((transaction) => this.#advance(transaction, this.#kept));
    }
    await turns.take(this.#tail.goOn(this.#kept));
  }

  /**
   * Looks for what was stored. Where that is nothing, and something is due, the time passes: what is stored later comes later.
   *
   * In a transaction, which sees no rows that may yet be rolled back, and no other one stores anything meanwhile.
   */
  #look(): Promise<Seen> {
    const now = this.#findNow();
    return this.#making.store.write((transaction) => this.#lookIn(transaction, now));
  }

  *#lookIn(transaction: Transaction, now: number): Steps<Seen> {
    const { position, nextDue } = this.#tail;
    const arrivals = yield* listArrivals(transaction, position.readSeq, CHUNK);
    const isDue = arrivals.length === 0 && nextDue <= now;
    if (isDue) yield* this.#advance(transaction, { ...this.#kept, clock: now });
    else if (this.#isToRenew) yield* this.#advance(transaction, this.#kept);
    return { arrivals, ...(isDue && { passTo: now }) };
  }

  async #readAll(arrivals: readonly StoredArrival[]): Promise<void> {
    const { turns } = this.#making;
    for (const arrival of arrivals) {
      await turns.take(this.#tail.read(arrival));
      const notKept = this.#tail.position.readSeq - this.#kept.readSeq;
      if (this.#tail.madeCount >= MAX_EVENTS_PER_BATCH || notKept >= MAX_NOT_KEPT)
        await this.#keep();
    }
    const to = this.#tail.position.readClock;
    if (to > this.#findNow()) this.#passed = { to, at: this.#making.clock.monotonic() };
  }

  get #isChanged(): boolean {
    const { readSeq, doneSeq } = this.#tail.position;
    return readSeq !== this.#kept.readSeq || doneSeq !== this.#kept.doneSeq;
  }

  get #sinceKept(): number {
    return this.#making.clock.monotonic() - this.#keptAt;
  }

  get #isToRenew(): boolean {
    const { store, clock } = this.#making;
    return (
      store.database.dialect === "postgres" && clock.monotonic() - this.#heldAt >= RENEW_MILLIS
    );
  }

  /** Returns the time up to which nothing arrives any more: at least as much later as has passed, whatever clocks do. */
  #findNow(): number {
    const { clock } = this.#making;
    const { to, at } = this.#passed;
    return Math.max(clock.now(), to + Math.floor(clock.monotonic() - at));
  }

  /** Returns how long nothing is to be done. */
  #findWait(): number {
    const { store } = this.#making;
    const isShared = store.database.dialect === "postgres";
    const untilDue = this.#tail.nextDue - this.#findNow();
    const untilKept = this.#isChanged ? KEEP_MILLIS - this.#sinceKept : Infinity;
    return Math.min(untilDue, untilKept, isShared ? POLL_MILLIS : LONGEST_TIMER_MILLIS);
  }

  /** Writes down how far it has come, and goes on holding it. In a transaction. */
  *#advance(transaction: Transaction, position: HeldPosition): Steps<void> {
    const { owner, clock } = this.#making;
    yield* advancePosition(transaction, position, { owner, now: clock.now() });
    if (position.clock > this.#passed.to)
      this.#passed = { to: position.clock, at: clock.monotonic() };
    this.#kept = position;
    this.#heldAt = clock.monotonic();
  }

  /** Stores the events that were made, and how far they go. */
  async #keep(isLast = false): Promise<void> {
    const { store, logger } = this.#making;
    const batches = await this.#takeBatches();
    const write = (all: readonly MadeBatch[]) =>
      store.write((transaction) => this.#keepIn(transaction, all, isLast));
    try {
      const { accepted, rejected } = await write(batches);
      if (batches.length > 0)
        logger.info(`spans: ${countNoun(accepted, "event")} made, ${rejected} rejected`);
    } catch (error) {
      if (error instanceof StoreError || error instanceof LostLeaseError) throw error;
      logger.error(`spans: events could not be stored: ${toErrorName(error)}`);
      await write([]);
    }
    this.#keptAt = this.#making.clock.monotonic();
    this.#onKept();
  }

  *#keepIn(
    transaction: SharedTransaction,
    batches: readonly MadeBatch[],
    isLast: boolean,
  ): Steps<AddedEvents> {
    const { store, owner } = this.#making;
    const position = { ...this.#tail.position, clock: this.#kept.clock };
    yield* this.#advance(transaction, position);
    yield* removeArrivals(transaction, position.doneSeq - REPLAY.maxRows);
    if (isLast) yield* releasePosition(transaction, owner);
    return yield* addMadeBatches(transaction, batches, store.review);
  }

  async #takeBatches(): Promise<MadeBatch[]> {
    const { turns, clock, logger } = this.#making;
    const batches: MadeBatch[] = [];
    for (const { organizationId, events } of this.#tail.takeMade()) {
      for (let first = 0; first < events.length; first += MAX_EVENTS_PER_BATCH) {
        const part = events.slice(first, first + MAX_EVENTS_PER_BATCH);
        try {
          batches.push(await turns.take(makeBatch(organizationId, part, clock.now())));
        } catch (error) {
          const lost = countNoun(part.length, "event");
          logger.error(`spans: ${lost} could not be stored: ${toErrorName(error)}`);
        }
      }
    }
    return batches;
  }

  /** Leaves what waits to another replica that goes on at once; else makes the events of it, as much as has come. */
  async #end(): Promise<void> {
    const { store, clock } = this.#making;
    if (!(await store.read(isPositionWanted(store.database, clock.now())))) this.#tail.drain();
    await this.#keep(true);
  }
}
