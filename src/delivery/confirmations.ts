import { toBackoffMillis } from "../http/retry-wait.ts";
import { sleep, startCountdown } from "../util/clock.ts";
import { mergeRanges, toSingle, type IntegerRange } from "../util/ranges.ts";
import type { RetryOptions } from "./circuit.ts";
import type { DropReason } from "./ledger.ts";
import type { OutboxRecord } from "./outbox-state.ts";
import type { Sender } from "./sender.ts";
import type { Storage } from "./storage.ts";

/** Longest wait between attempts, so that an export makes several within its time. */
const LONGEST_WAIT_MILLIS = 5000;

/** An event whose outcome an export waits for. */
export interface ExpectedEvent {
  readonly sequence: number;
  /** `true` once the platform has it, `false` once it is dropped. */
  isDelivered: boolean | undefined;
}

/** Storage of the events that wait. */
type Keeper = Pick<Storage, "store" | "outbox" | "isSafe">;

const isWithin = (sequence: number, { first, last }: IntegerRange): boolean =>
  first <= sequence && sequence <= last;

/** Returns the sequences of the events that a record drops. */
function toLost(record: OutboxRecord): IntegerRange[] {
  if (record.type === "drop") return [record];
  if (record.type !== "settle") return [];
  return record.dropped.flatMap(({ firstSequence: first, lastSequence: last }) =>
    first !== undefined && last !== undefined ? [{ first, last }] : [],
  );
}

/** Reports the outcome of single events to the exports that wait for them. */
export class Confirmations {
  readonly #retry: RetryOptions;
  /** Expected events by sequence: at most as many as the store holds. */
  readonly #expected = new Map<number, ExpectedEvent>();
  /** Sequences given up here that are in a batch with events that are not. */
  #abandoned: number[] = [];
  /** Fires at the next event that is settled. */
  #change = new AbortController();

  constructor(retry: RetryOptions) {
    this.#retry = retry;
  }

  /** Starts to follow an event that has just been stored. */
  expect(sequence: number): ExpectedEvent {
    const expected: ExpectedEvent = { sequence, isDelivered: undefined };
    this.#expected.set(sequence, expected);
    return expected;
  }

  /** Applies a record of the outbox to the expected events. */
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
   * Sends events until the platform or the disk has each of them; repeats until the timeout, then drops the rest.
   *
   * Does not wait for a platform that responds, but accepts nothing.
   *
   * @returns Number of dropped events.
   */
  async confirm(
    events: readonly ExpectedEvent[],
    storage: Keeper,
    sender: Pick<Sender, "drain" | "wake" | "state">,
    timeoutMillis: number,
  ): Promise<number> {
    const { clock, retryDelay, random } = this.#retry;
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
      const wait = toBackoffMillis(attempt, retryDelay, random());
      await sleep(clock, Math.min(wait, remaining(), LONGEST_WAIT_MILLIS), this.#change.signal);
    }
    sender.wake();
    return events.filter(({ isDelivered }) => isDelivered === false).length;
  }

  /** Marks events that outlive the process as delivered. */
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

  /** Drops events; those in a batch only once all events of the batch are given up. */
  #giveUp(open: readonly ExpectedEvent[], { outbox }: Keeper, reason: DropReason): void {
    this.#abandoned.push(...open.map(({ sequence }) => sequence));
    for (const range of mergeRanges(this.#abandoned.map(toSingle))) outbox.dropRange(range, reason);
    this.#abandoned = this.#abandoned.filter((sequence) => sequence > outbox.settledSequence);
    for (const expected of open) {
      this.#expected.delete(expected.sequence);
      expected.isDelivered ??= false;
    }
  }
}
