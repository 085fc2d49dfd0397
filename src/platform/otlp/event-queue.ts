import type { DetailedEvent } from "../../events/detailed-event.ts";
import { countNoun } from "../../util/count-noun.ts";
import { createBurstLogger, toErrorName, type BurstLogger } from "../../util/logger.ts";
import type { ResolvedOptions } from "../resolve-options.ts";
import type { Store } from "../store/store.ts";
import { StoreError } from "../store/store-error.ts";
import type { Turns } from "../turns.ts";
import { storeEvents } from "./store-events.ts";

const MAX_EVENTS_PER_BATCH = 500;
/** UTF-16 units of JSON above which nothing more is asked for. */
const MAX_WAITING = 32 * 1024 * 1024;
/** Waits in ms before a store that failed is tried again: the first, and the longest. */
const FIRST_WAIT_MILLIS = 1000;
const LONGEST_WAIT_MILLIS = 30_000;

interface EventQueueOptions extends Pick<ResolvedOptions, "clock" | "logger"> {
  readonly store: Store;
  readonly turns: Turns;
  readonly organizationId: string;
}

/**
 * The events of one organization that wait to be stored.
 *
 * What they were made of has been acknowledged: while the store fails they stay, and are tried again.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #log: BurstLogger;
  /** Each as JSON, the oldest first. */
  readonly #waiting: string[] = [];
  #length = 0;
  #waitMillis = FIRST_WAIT_MILLIS;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: EventQueueOptions) {
    this.#options = options;
    this.#log = createBurstLogger(options.logger, options.clock);
  }

  /** Whether so much waits that nothing more should come until the store takes events again. */
  get isFull(): boolean {
    return this.#length > MAX_WAITING;
  }

  /** Takes an event; it is stored with those that follow at once. */
  add(event: DetailedEvent): void {
    const json = JSON.stringify(event);
    this.#waiting.push(json);
    this.#length += json.length;
    const isFailing = this.#waitMillis > FIRST_WAIT_MILLIS;
    if (this.#waiting.length === MAX_EVENTS_PER_BATCH && !isFailing) this.#run();
    // The events of a trace are told one after the other, and belong into one batch.
    else this.#cancel ??= this.#options.clock.schedule(() => this.#run(), 0);
  }

  /** Stores what waits; what the store does not take now is lost, and told. */
  async close(): Promise<void> {
    await this.#running;
    this.#run();
    await this.#running;
    this.#cancel?.();
    this.#log.flush();
    const { length } = this.#waiting;
    if (length === 0) return;
    this.#options.logger.error(`spans: ${countNoun(length, "event")} lost, the store takes none`);
  }

  #run(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#running ??= this.#storeAll().finally(() => (this.#running = undefined));
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (await this.#storeOldest()) continue;
      this.#cancel?.();
      this.#cancel = this.#options.clock.schedule(() => this.#run(), this.#waitMillis);
      this.#waitMillis = Math.min(2 * this.#waitMillis, LONGEST_WAIT_MILLIS);
      return;
    }
  }

  /** Stores the oldest; tells whether the store takes events. */
  async #storeOldest(): Promise<boolean> {
    const { store, turns, organizationId, clock, logger } = this.#options;
    const events = this.#waiting.slice(0, MAX_EVENTS_PER_BATCH);
    const origin = { organizationId, now: clock.now() };
    try {
      const { accepted, rejected } = await storeEvents(store, turns, events, origin);
      logger.info(`spans: ${countNoun(accepted, "event")} made, ${rejected} rejected`);
    } catch (error) {
      if (error instanceof StoreError) return this.#keep(error);
      const lost = countNoun(events.length, "event");
      logger.error(`spans: ${lost} could not be stored: ${toErrorName(error)}`);
    }
    this.#waiting.splice(0, events.length);
    for (const json of events) this.#length -= json.length;
    this.#waitMillis = FIRST_WAIT_MILLIS;
    return true;
  }

  #keep({ message }: StoreError): false {
    const waits = countNoun(this.#waiting.length, "event waits", "events wait");
    this.#log.log("error", "store", `spans: ${waits}, the store takes none (${message})`);
    return false;
  }
}
