import { createHash } from "node:crypto";
import { EVENT_SCHEMA_VERSION } from "../../events/base-event.ts";
import { CHECKSUM_PREFIX } from "../../events/batch.ts";
import type { DetailedEvent } from "../../events/detailed-event.ts";
import { countNoun } from "../../util/count-noun.ts";
import { uuidV7 } from "../../util/ids.ts";
import { findMember } from "../../util/json-span.ts";
import { createBurstLogger, toErrorName, type BurstLogger } from "../../util/logger.ts";
import type { ResolvedOptions } from "../options.ts";
import { parseJsonSteps } from "../parse-json-steps.ts";
import { addBatch } from "../store/batch-store.ts";
import type { Store } from "../store/store.ts";
import { StoreError } from "../store/sql-database.ts";
import type { Steps, Turns } from "../turns.ts";
import { parseEnvelope, validateBatch, type ReceivedBatch } from "../validate-batch.ts";

/** Encoding of batches that were created from OpenTelemetry data. */
const ENCODING = "otlp";

const sha256 = (text: Buffer | string): string => createHash("sha256").update(text).digest("hex");

function* readBatch(bytes: Buffer): Steps<ReceivedBatch> {
  const value = yield* parseJsonSteps(bytes);
  const body = { bytes, wireBytes: bytes.length, encoding: "identity", value } as const;
  return yield* validateBatch(parseEnvelope(value), body, findMember(bytes, "events"));
}

/**
 * Stores events that were created here, each as JSON, like a received batch, with the same checks.
 *
 * @returns How many of them are new and how many were refused.
 */
async function storeEvents(
  { store, turns, organizationId, clock }: EventQueueOptions,
  events: readonly string[],
) {
  const now = clock.now();
  const array = `[${events.join(",")}]`;
  const envelope = JSON.stringify({
    batchId: uuidV7(now),
    organizationId,
    timestamp: now,
    eventCount: events.length,
    totalSize: Buffer.byteLength(array),
    checksum: CHECKSUM_PREFIX + sha256(array),
    metadata: { batchVersion: EVENT_SCHEMA_VERSION },
  });
  const bytes = Buffer.from(`${envelope.slice(0, -1)},"events":${array}}`);
  const batch = await turns.take(readBatch(bytes));
  const delivery = {
    contentHash: sha256(bytes),
    receivedAt: now,
    wireBytes: bytes.length,
    encoding: ENCODING,
  };
  const { accepted, rejected } = await store.write((transaction) =>
    addBatch(transaction, batch, delivery, store.review),
  );
  return { accepted, rejected: rejected.length };
}

const MAX_EVENTS_PER_BATCH = 500;
/** UTF-16 units of JSON above which no more telemetry is accepted. */
const MAX_WAITING = 32 * 1024 * 1024;
/** Waits in ms before a store that failed is tried again: the first, and the longest. */
const FIRST_WAIT_MILLIS = 1000;
const LONGEST_WAIT_MILLIS = 30_000;

/** Options of a queue. */
export interface EventQueueOptions extends Pick<ResolvedOptions, "clock" | "logger"> {
  readonly store: Store;
  readonly turns: Turns;
  readonly organizationId: string;
}

/**
 * The events of one organization that wait to be stored.
 *
 * Their telemetry has been acknowledged: while the store fails the events stay, and are tried again.
 */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #log: BurstLogger;
  /** JSON of each event, the oldest first. */
  readonly #waiting: string[] = [];
  #length = 0;
  #waitMillis = FIRST_WAIT_MILLIS;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;

  constructor(options: EventQueueOptions) {
    this.#options = options;
    this.#log = createBurstLogger(options.logger, options.clock);
  }

  /** Whether so many events wait that no more should come until the store works again. */
  get isFull(): boolean {
    return this.#length > MAX_WAITING;
  }

  /** Takes an event; it is stored together with those that follow at once. */
  add(event: DetailedEvent): void {
    const json = JSON.stringify(event);
    this.#waiting.push(json);
    this.#length += json.length;
    const isFailing = this.#waitMillis > FIRST_WAIT_MILLIS;
    if (this.#waiting.length === MAX_EVENTS_PER_BATCH && !isFailing) this.#run();
    // The events of a trace are emitted one after the other, and belong into one batch.
    else this.#cancel ??= this.#options.clock.schedule(() => this.#run(), 0);
  }

  /** Stores the waiting events; those that the store does not take now are lost, and logged. */
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

  /** Stores the oldest events; returns whether the store works. */
  async #storeOldest(): Promise<boolean> {
    const { logger } = this.#options;
    const events = this.#waiting.slice(0, MAX_EVENTS_PER_BATCH);
    try {
      const { accepted, rejected } = await storeEvents(this.#options, events);
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
