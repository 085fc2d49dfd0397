import { keepAliveUntil, sleep, withDeadline, type Clock } from "../util/clock.ts";
import { toErrorName, type BurstLogger } from "../util/logger.ts";
import type { BatchLimits } from "./batch-queue.ts";
import type { BatchResult, SendBatch } from "./batch-sender.ts";
import type { PlannedBatch } from "./batch.ts";
import { Circuit, type RetryOptions } from "./circuit.ts";
import type { Rejected } from "./http-transport.ts";
import type { DropReason } from "./ledger.ts";
import { OutboxRing, type Turn } from "./outbox-ring.ts";
import type { Outbox } from "./outbox.ts";

/** A platform that has refused a size is asked for a little more after so many batches that it took. */
const GROW_AFTER = 10;
const GROW_FACTOR = 1.25;
const LEAST_BYTES = 1024;

/** How many bytes a batch may have: what is configured, or less once the platform has said 413. */
export class ByteLimit {
  readonly #most: number;
  #current: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
    this.#current = most;
  }

  get bytes(): number {
    return this.#current;
  }

  /** The platform refused a body for its size. */
  shrink(refusedBytes: number): void {
    this.#taken = 0;
    this.#current = Math.max(LEAST_BYTES, Math.min(this.#current, Math.floor(refusedBytes / 2)));
  }

  /** The platform took a batch. */
  grow(): void {
    if (this.#current >= this.#most) return;
    this.#taken++;
    if (this.#taken < GROW_AFTER) return;
    this.#taken = 0;
    this.#current = Math.min(this.#most, Math.ceil(this.#current * GROW_FACTOR));
  }
}

/** Ids that are tried before an id conflict is taken for a fault of the platform. */
const MAX_CONFLICTS = 3;
/** Rests of batches that an earlier process saw refused, and which are again, before that is said to be of all. */
const MAX_LEFTOVERS = 4;

/** What the sender is doing; `open` and `blocked` as the circuit, in both of which events are kept. */
export type SenderState = "idle" | "sending" | "open" | "blocked" | "closed";

interface SenderOptions {
  readonly sendBatch: SendBatch;
  readonly clock: Clock;
  readonly log: BurstLogger;
  readonly batchSize: number;
  readonly maxBatchBytes: number;
  readonly retry: RetryOptions;
  /** Where the platform is, for the log. */
  readonly url: string;
  /** Whether events wait for the platform; otherwise an export gives up those of its own. */
  readonly keepsEvents: boolean;
  /** Called when an outbox that was added has been emptied. */
  readonly onDrained?: (outbox: Outbox) => void;
}

/** How much is asked of the platform: a single batch, one batch to compare a refusal with, or all there is. */
type RunKind = "probe" | "compare" | "all";

function isAllRejected({ events }: PlannedBatch, rejected: readonly Rejected[]): boolean {
  const indexes = new Set(rejected.map(({ index }) => index));
  return events.every((_event, index) => indexes.has(index));
}

/** Sends what is released, oldest first, one batch at a time; several outboxes take turns. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #abort = new AbortController();
  readonly #byteLimit: ByteLimit;
  readonly #circuit: Circuit;
  readonly #ring: OutboxRing;
  #isClosed = false;
  #running: Promise<void> | undefined;
  #conflicts = 0;
  #refusedReason = "";

  /** @param own - The outbox that never goes away. */
  constructor(own: Outbox, options: SenderOptions) {
    this.#options = options;
    this.#ring = new OutboxRing(own, { ...options, wake: () => this.wake() });
    this.#byteLimit = new ByteLimit(options.maxBatchBytes);
    this.#circuit = new Circuit({
      ...options,
      countPending: () => this.#ring.pending,
      probe: () => this.#start(),
    });
  }

  get state(): SenderState {
    if (this.#isClosed) return "closed";
    // A question that is under way does not end what it asks about.
    if (this.#circuit.state !== "closed") return this.#circuit.state;
    return this.#running ? "sending" : "idle";
  }

  /** Why nothing is sent, while the state is `open` or `blocked`. */
  get haltReason(): string | undefined {
    return this.#circuit.reason;
  }

  /** Bytes that a batch may have now. */
  get maxBatchBytes(): number {
    return this.#byteLimit.bytes;
  }

  get outboxes(): readonly Outbox[] {
    return this.#ring.outboxes;
  }

  /** Events that are not settled. */
  get pending(): number {
    return this.#ring.pending;
  }

  /** Sends what an earlier process has left, too. */
  add(outbox: Outbox): void {
    outbox.release(outbox.newestSequence);
    this.#ring.add(outbox);
    this.wake();
  }

  /** Looks whether there is something to send. */
  wake(): void {
    if (!this.#ring.hasNext) return;
    if (this.#circuit.state === "closed") this.#start();
    // One lone refusal can't tell whose fault it is; the next batch does.
    else if (this.#circuit.reason === this.#refusedReason && this.#ring.suspendedCount === 1)
      this.#start("compare");
  }

  /**
   * Sends everything that is stored now, and resolves when it is settled, can't be, or the deadline passes.
   *
   * It never rejects, and concurrent calls all wait.
   *
   * @param isLast - Whether what is in memory is given up afterwards: then every retry is for it, also where the
   * platform was away before.
   */
  async drain(timeoutMillis?: number, isLast = false): Promise<void> {
    const { clock } = this.#options;
    const isSettled = this.#ring.releaseAll();
    if (isSettled()) return;
    const run = this.#runUntil(isSettled, isLast && this.#ring.isVolatile);
    await keepAliveUntil(clock, withDeadline(clock, run, timeoutMillis), timeoutMillis);
  }

  /** Stops at once; what is left in memory is dropped and counted. */
  async close(reason: DropReason): Promise<void> {
    if (this.#isClosed) return;
    this.#abort.abort();
    this.#circuit.cancel();
    await this.#running;
    this.#isClosed = true;
    this.dropPending(reason);
  }

  /** Gives up everything that is in memory only. */
  dropPending(reason: DropReason): void {
    this.#ring.dropVolatile(reason);
  }

  get #limits(): BatchLimits {
    return { batchSize: this.#options.batchSize, maxBatchBytes: this.#byteLimit.bytes };
  }

  async #runUntil(isSettled: () => boolean, isLast: boolean): Promise<void> {
    const { signal } = this.#abort;
    const isRepeated = isLast && this.#circuit.state === "open";
    if (isRepeated) {
      // A probe that is under way has no retry.
      await this.#running;
      await sleep(this.#options.clock, this.#circuit.forbiddenMillis, signal);
    }
    // A batch that is under way may have been started before the newest were released.
    while (!isSettled() && !signal.aborted) {
      const before = this.pending;
      this.#start(isRepeated ? "all" : undefined);
      await this.#running;
      if (this.#circuit.state !== "closed") return;
      // A run that ended without the newest has been followed by one that has them.
      if (this.pending === before && !this.#running) return;
    }
  }

  #start(kind: RunKind = this.#circuit.state === "closed" ? "all" : "probe"): void {
    if (this.#running || this.#abort.signal.aborted || this.#circuit.forbiddenMillis > 0) return;
    const run = this.#run(kind).catch((error: unknown) => {
      this.#circuit.block(`sending failed (${toErrorName(error)})`);
    });
    this.#running = run.finally(() => {
      this.#running = undefined;
      // Something may have been released between the last look and here.
      if (this.#circuit.state === "closed") this.wake();
    });
  }

  async #run(kind: RunKind): Promise<void> {
    const { sendBatch, retry } = this.#options;
    const { signal } = this.#abort;
    const isRefused = this.#circuit.state === "blocked" && this.#ring.suspendedCount > 0;
    let isProbe = kind === "probe";
    let isAsked = false;
    while (!signal.aborted) {
      const turn = await this.#ring.next(this.#limits, isProbe && isRefused);
      if (!turn) break;
      isAsked = true;
      const { outbox, batch } = turn;
      const sending = sendBatch(batch, isProbe ? 0 : retry.retryAttempts, signal);
      outbox.readAhead(this.#limits);
      const result = await sending;
      // It may have been given up meanwhile: an answer that comes after that settles nothing.
      if (!outbox.isOpen(batch.plan)) continue;
      if (result.status === "retryable" && signal.aborted) break;
      if (!(await this.#settle(turn, result, isProbe))) return;
      isProbe = false;
    }
    // Also when it was stopped behind the last answer.
    this.#ring.removeDrained();
    // Nothing waits any more: what comes next finds out for itself.
    if (!isAsked) this.#circuit.reset();
    if (this.#ring.suspendedCount > 0) this.#circuit.block(this.#refusedReason);
  }

  /** Does what the platform's answer asks for; tells whether the next batch may be sent. */
  async #settle({ outbox, batch }: Turn, result: BatchResult, isProbe: boolean): Promise<boolean> {
    switch (result.status) {
      case "accepted":
        // A platform that takes none of the events refuses them, whatever status it says so with.
        if (isAllRejected(batch, result.rejected))
          return this.#refuse({ outbox, batch }, "every event is rejected", isProbe);
        await outbox.accept(batch, result.rejected, result.duplicates);
        this.#noteTaken();
        return true;
      case "refused":
        if (result.isTooLarge) this.#byteLimit.shrink(batch.body.length);
        return this.#refuse({ outbox, batch }, result.reason, isProbe);
      case "conflict":
        if (++this.#conflicts > MAX_CONFLICTS)
          return this.#block("every batch id is said to be taken");
        outbox.rename(batch);
        return true;
      case "retryable":
        // No retry is left: everything waits, and the platform is asked from time to time.
        this.#circuit.open(result.reason, result.retryAfterMillis);
        return false;
      case "blocked":
        return this.#block(result.reason);
    }
  }

  #noteTaken(): void {
    this.#byteLimit.grow();
    this.#conflicts = 0;
    this.#ring.resume();
    this.#circuit.close();
  }

  #block(reason: string): false {
    this.#circuit.block(reason);
    return false;
  }

  /** One lone refusal is compared with the next batch; a batch of which every part is refused speaks for itself. */
  async #refuse({ outbox, batch }: Turn, reason: string, isProbe: boolean): Promise<boolean> {
    const lineage = await outbox.refuse(batch, reason, isProbe);
    this.#refusedReason = `${reason}: every part of a batch is refused`;
    const { suspectCount, suspendedCount } = this.#ring;
    const speaksForAll = lineage.isLeftover
      ? suspendedCount > MAX_LEFTOVERS
      : !lineage.isLone || suspectCount > 1;
    const isWhole = lineage.isSuspended && speaksForAll;
    return isWhole ? this.#block(this.#refusedReason) : true;
  }
}
