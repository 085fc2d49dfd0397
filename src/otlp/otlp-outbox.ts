import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { withDeadline, type Clock } from "../util/clock.ts";
import type { OtlpDelivery, OtlpItem } from "./otlp-exporter.ts";

/** What became of the spans or log records of one destination; they sum up to what was offered. */
export interface OtlpLedger {
  /** In the queue or being sent. */
  readonly pending: number;
  /** Taken by the backend. */
  readonly sent: number;
  /** Refused by the backend, or by a queue that was full. */
  readonly dropped: number;
}

/** Bounds of a queue, what is being sent included. */
export interface OtlpBounds {
  readonly maxItems: number;
  readonly maxBytes: number;
}

export interface OtlpOutboxOptions extends OtlpBounds {
  /** Sends a batch; never rejects. */
  readonly send: (items: OtlpItem[]) => Promise<OtlpDelivery>;
  /** Ends what is being sent at once. */
  readonly abort: () => void;
  readonly onDropped: (count: number, reason: string) => void;
  readonly clock: Clock;
}

/** A collector refuses bodies above 20 MiB by default, and with them all that is inside. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** About the bytes of an item beside its texts: ids, times, names. */
const BASE_BYTES = 300;
const MAX_DEPTH = 8;
/** Members of one item that are looked at: values that refer to each other could go on for ever. */
const MAX_MEMBERS = 10_000;

/** Estimated once for all destinations. */
const sizes = new WeakMap<object, number>();

/** Estimates the bytes of an item: a queue bounded by number alone could still hold any amount of conversation. */
function sizeOfItem(item: OtlpItem): number {
  const known = sizes.get(item);
  if (known !== undefined) return known;
  let [bytes, members] = [BASE_BYTES, 0];
  const add = (value: unknown, depth: number): void => {
    if (typeof value === "string") bytes += value.length;
    if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return;
    for (const member of Object.values(value)) {
      if (++members > MAX_MEMBERS) return;
      bytes += 8;
      add(member, depth + 1);
    }
  };
  try {
    add(item.attributes, 0);
    if ("events" in item) for (const { attributes } of item.events) add(attributes, 0);
    else add(item.body, 0);
  } catch {
    // A getter of a value that throws; the serializer will say what becomes of it.
  }
  sizes.set(item, bytes);
  return bytes;
}

/** Cuts a batch where it gets too large for a request. */
function splitBySize(items: OtlpItem[]): OtlpItem[][] {
  const batches: OtlpItem[][] = [];
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

/**
 * The queue of one destination and signal, bounded in number and bytes: batches wait until they are sent or given up.
 *
 * To a batch processor it is the exporter.
 */
export class OtlpOutbox {
  readonly #options: OtlpOutboxOptions;
  readonly #queue: OtlpItem[][] = [];
  readonly #counts = { pending: 0, sent: 0, dropped: 0 };
  #bytes = 0;
  #settledBatches = 0;
  #tellSettled = (): void => undefined;
  #nextSettled = this.#awaitSettled();
  #isRunning = false;
  #isClosed = false;
  /** What is being sent, unless it was given up. */
  #sending: OtlpItem[] | undefined;

  constructor(options: OtlpOutboxOptions) {
    this.#options = options;
  }

  /** Returns whether there is room for an item, and keeps the room for it; a closed outbox has none and counts none. */
  admit(item: OtlpItem): boolean {
    if (this.#isClosed) return false;
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
  export(items: OtlpItem[], done: (result: ExportResult) => void): void {
    this.#queue.push(...splitBySize(items));
    done({ code: ExportResultCode.SUCCESS });
    void this.#run();
  }

  /** Does nothing: what is sent, and for how long that is waited for, is not for the processor to say. */
  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  /** Admits nothing more. */
  shutdown(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  /** Resolves when the batches that are here now are settled, or none was for a time in ms. */
  async drain(stallMillis: number): Promise<void> {
    // What comes later is not waited for: under steady load there would be no end to it.
    const goal = this.#settledBatches + this.#queue.length + (this.#sending ? 1 : 0);
    for (let seen = -1; this.#settledBatches < goal && seen !== this.#settledBatches;) {
      seen = this.#settledBatches;
      await withDeadline(this.#options.clock, this.#nextSettled, stallMillis);
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

  #settle(items: OtlpItem[], { sent, reason = "unreadable" }: OtlpDelivery): void {
    this.#settledBatches++;
    for (const item of items) this.#bytes -= sizeOfItem(item);
    this.#counts.pending -= items.length;
    this.#counts.sent += sent;
    this.#drop(items.length - sent, reason);
    this.#tellSettled();
    this.#nextSettled = this.#awaitSettled();
  }

  #drop(count: number, reason: string): void {
    if (count <= 0) return;
    this.#counts.dropped += count;
    this.#options.onDropped(count, reason);
  }

  #awaitSettled(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellSettled = resolve;
    });
  }
}
