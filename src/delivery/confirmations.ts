import { toBackoffMillis } from "../http/backoff.ts";
import { sleep, startCountdown, type Clock } from "../util/clock.ts";
import type { SequenceRange } from "./batch.ts";
import type { RetryOptions } from "./circuit.ts";
import type { DropReason } from "./ledger.ts";
import type { OutboxRecord } from "./outbox-state.ts";
import type { Sender } from "./sender.ts";
import type { Storage } from "./storage.ts";

/** However long the platform is away, it is asked as often within the time that there is. */
const LONGEST_WAIT_MILLIS = 5000;

/** What a Confirmations works with. */
export interface ConfirmationsOptions {
  readonly clock: Clock;
  readonly retry: Pick<RetryOptions, "retryDelay" | "random">;
}

/** An event whose fate somebody waits for. */
export interface ExpectedEvent {
  readonly sequence: number;
  /** `true` once the platform has it, `false` once it is given up. */
  isDelivered: boolean | undefined;
}

/** Where events wait. */
export type Keeper = Pick<Storage, "store" | "outbox" | "isSafe">;

/** Where events wait, and what sends them. */
export interface DeliveryParts {
  readonly storage: Keeper;
  readonly sender: Pick<Sender, "drain" | "wake" | "state">;
}

/** Follows events to their end. */
export interface ConfirmedDelivery {
  /** Begins to follow an event that has just been stored. */
  expect(sequence: number): ExpectedEvent;
  /** Sends events and waits for what becomes of them; gives up in time. @returns How many are given up. */
  confirm(events: readonly ExpectedEvent[], timeoutMillis: number): Promise<number>;
}

const isWithin = (sequence: number, { first, last }: SequenceRange): boolean =>
  first <= sequence && sequence <= last;

/** Gives the ranges that sequences form, in order. */
function toRanges(sequences: readonly number[]): SequenceRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const sequence of sequences.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && sequence <= range.last + 1) range.last = sequence;
    else ranges.push({ first: sequence, last: sequence });
  }
  return ranges;
}

/** Gives what a record gives up. */
function toLost(record: OutboxRecord): SequenceRange[] {
  if (record.type === "drop") return [record];
  if (record.type !== "settle") return [];
  return record.dropped.flatMap(({ firstSequence: first, lastSequence: last }) =>
    first !== undefined && last !== undefined ? [{ first, last }] : [],
  );
}

/** Tells what becomes of single events, to those who must answer for them. */
export class Confirmations {
  readonly #options: ConfirmationsOptions;
  /** By sequence: as many as the store holds at most. */
  readonly #expected = new Map<number, ExpectedEvent>();
  /** Given up here, but in a batch with others that are not. */
  #abandoned: number[] = [];
  /** Fires at the next event that is settled. */
  #change = new AbortController();

  constructor(options: ConfirmationsOptions) {
    this.#options = options;
  }

  /** Tells what becomes of events that wait and are sent here. */
  over(parts: DeliveryParts): ConfirmedDelivery {
    return {
      expect: (sequence) => {
        const expected: ExpectedEvent = { sequence, isDelivered: undefined };
        this.#expected.set(sequence, expected);
        return expected;
      },
      confirm: (events, timeoutMillis) => this.#confirm(events, parts, timeoutMillis),
    };
  }

  /** Takes note of what an outbox decides. */
  readonly note = (record: OutboxRecord): void => {
    if (this.#expected.size === 0 || (record.type !== "settle" && record.type !== "drop")) return;
    const lost = toLost(record);
    for (const [sequence, expected] of this.#expected) {
      if (!isWithin(sequence, record)) continue;
      this.#expected.delete(sequence);
      expected.isDelivered = !lost.some((range) => isWithin(sequence, range));
    }
    const change = this.#change;
    this.#change = new AbortController();
    change.abort();
  };

  /**
   * Sends events and waits until the platform has each of them, or the disk; tries again until the time is up, and
   * then gives the rest up.
   *
   * A platform that answers, but takes nothing, is not waited for.
   *
   * @returns How many are given up.
   */
  async #confirm(
    events: readonly ExpectedEvent[],
    { storage, sender }: DeliveryParts,
    timeoutMillis: number,
  ): Promise<number> {
    const { clock, retry } = this.#options;
    const remaining = startCountdown(clock, timeoutMillis);
    const findOpen = (): ExpectedEvent[] =>
      events.filter(({ isDelivered }) => isDelivered === undefined);
    for (let attempt = 1; ; attempt++) {
      await this.#keep(findOpen(), storage);
      if (findOpen().length > 0) await sender.drain(remaining());
      const open = findOpen();
      if (open.length === 0) break;
      if (remaining() <= 0 || sender.state === "blocked" || sender.state === "closed") {
        const isBlocked = sender.state === "blocked";
        this.#giveUp(open, storage, isBlocked ? "export_blocked" : "export_timeout");
        break;
      }
      const wait = toBackoffMillis(attempt, retry.retryDelay, retry.random());
      await sleep(clock, Math.min(wait, remaining(), LONGEST_WAIT_MILLIS), this.#change.signal);
    }
    sender.wake();
    return events.filter(({ isDelivered }) => isDelivered === false).length;
  }

  /** What outlives the process is as good as delivered. */
  async #keep(open: readonly ExpectedEvent[], { store, outbox, isSafe }: Keeper): Promise<void> {
    const newest = open.at(-1);
    if (!newest) return;
    outbox.release(newest.sequence);
    await store.sync();
    for (const expected of open) {
      if (expected.isDelivered !== undefined || !isSafe(expected.sequence)) continue;
      this.#expected.delete(expected.sequence);
      expected.isDelivered = true;
    }
  }

  /** Gives up events, and batches of which all events are given up by now. */
  #giveUp(open: readonly ExpectedEvent[], { outbox }: Keeper, reason: DropReason): void {
    this.#abandoned.push(...open.map(({ sequence }) => sequence));
    for (const range of toRanges(this.#abandoned)) outbox.dropRange(range, reason);
    this.#abandoned = this.#abandoned.filter((sequence) => sequence > outbox.settledSequence);
    for (const expected of open) {
      this.#expected.delete(expected.sequence);
      expected.isDelivered ??= false;
    }
  }
}
