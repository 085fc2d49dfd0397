import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import type { Clock } from "../util/clock.ts";
import { sizeOfItem } from "./otlp-item-size.ts";
import type { OtlpItem } from "./otlp-protocol.ts";

/** What became of the spans or log records of one destination; they sum up to what was offered. */
export interface OtlpLedger {
  /** In the queue or being sent. */
  readonly pending: number;
  /** Taken by the backend. */
  readonly sent: number;
  /** Refused by the backend, or by a queue that was full. */
  readonly dropped: number;
}

/** What came of sending a batch. */
export interface OtlpDelivery {
  readonly sent: number;
  /** Why the rest was not sent. */
  readonly reason?: string | undefined;
}

export interface OtlpOutboxOptions<Item extends OtlpItem> {
  /** Sends a batch; never rejects. */
  readonly send: (items: Item[]) => Promise<OtlpDelivery>;
  /** Ends what is being sent at once. */
  readonly abort: () => void;
  readonly maxItems: number;
  readonly maxBytes: number;
  readonly onDropped: (count: number, reason: string) => void;
  readonly clock: Clock;
}

/** A collector refuses bodies above 20 MiB by default, and with them all that is inside. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** Cuts a batch where it gets too large for a request. */
function splitBySize<Item extends OtlpItem>(items: Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const size = sizeOfItem(item);
    if (bytes + size > MAX_BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(item);
    bytes += size;
  }
  return batches;
}

/** The queue of one destination and signal, bounded in number and bytes: batches wait until they are sent or given up. */
export class OtlpOutbox<Item extends OtlpItem> {
  readonly #options: OtlpOutboxOptions<Item>;
  readonly #queue: Item[][] = [];
  readonly #counts = { pending: 0, sent: 0, dropped: 0 };
  /** Called when a batch is settled. */
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #settledBatches = 0;
  #isRunning = false;
  /** What is being sent, unless it was given up. */
  #sending: Item[] | undefined;

  constructor(options: OtlpOutboxOptions<Item>) {
    this.#options = options;
  }

  /** Tells whether there is room for an item, and keeps the room for it. */
  admit(item: Item): boolean {
    const size = sizeOfItem(item);
    const { maxItems, maxBytes } = this.#options;
    if (this.#counts.pending >= maxItems || this.#bytes + size > maxBytes) {
      this.#drop(1, "queue full");
      return false;
    }
    this.#bytes += size;
    this.#counts.pending++;
    return true;
  }

  /** Takes a batch of admitted items and answers at once: a processor must not wait for a backend that hangs. */
  export(items: Item[], done: (result: ExportResult) => void): void {
    this.#queue.push(...splitBySize(items));
    done({ code: ExportResultCode.SUCCESS });
    void this.#run();
  }

  /** Resolves when the batches that are here now are settled, or none was for a time in ms. */
  async drain(stallMillis: number): Promise<void> {
    // What comes later is not waited for: under steady load there would be no end to it.
    const goal = this.#settledBatches + this.#queue.length + (this.#sending ? 1 : 0);
    for (let seen = -1; this.#settledBatches < goal && seen !== this.#settledBatches;) {
      seen = this.#settledBatches;
      await this.#nextSettled(stallMillis);
    }
  }

  /** Drops what is in the queue, and what is being sent, which it ends: both are counted at once. */
  giveUp(reason: string): void {
    const given = [...(this.#sending ? [this.#sending] : []), ...this.#queue.splice(0)];
    this.#sending = undefined;
    for (const items of given) this.#settle(items, { sent: 0, reason });
    this.#options.abort();
  }

  ledger(): OtlpLedger {
    return { ...this.#counts };
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let items = this.#queue.shift(); items; items = this.#queue.shift()) {
      this.#sending = items;
      const delivery = await this.#options.send(items);
      if (this.#sending === items) this.#settle(items, delivery);
      this.#sending = undefined;
    }
    this.#isRunning = false;
  }

  #settle(items: Item[], { sent, reason = "unreadable" }: OtlpDelivery): void {
    this.#settledBatches++;
    for (const item of items) this.#bytes -= sizeOfItem(item);
    this.#counts.pending -= items.length;
    this.#counts.sent += sent;
    this.#drop(items.length - sent, reason);
    for (const resume of this.#waiting) resume();
  }

  #drop(count: number, reason: string): void {
    if (count <= 0) return;
    this.#counts.dropped += count;
    this.#options.onDropped(count, reason);
  }

  /** Resolves when a batch is settled, or after a time in ms. */
  #nextSettled(timeoutMillis: number): Promise<void> {
    return new Promise((resolve) => {
      const resume = (): void => {
        cancel();
        this.#waiting.delete(resume);
        resolve();
      };
      const cancel = this.#options.clock.schedule(resume, timeoutMillis);
      this.#waiting.add(resume);
    });
  }
}
