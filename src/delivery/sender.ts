import { keepAliveUntil, sleep, withDeadline } from "../util/clock.ts";
import { toErrorName } from "../util/logger.ts";
import type { BatchLimits } from "./batch-queue.ts";
import type { BatchResult, SendBatch } from "./batch-sender.ts";
import type { PlannedBatch } from "./batch.ts";
import { Circuit, type CircuitOptions } from "./circuit.ts";
import type { Rejected } from "./http-transport.ts";
import type { DropReason } from "./ledger.ts";
import { OutboxRing, type OutboxRingOptions, type Turn } from "./outbox-ring.ts";
import type { Outbox } from "./outbox.ts";

/** Number of accepted batches after which the byte limit, once reduced, grows. */
const GROW_AFTER = 10;
const GROW_FACTOR = 1.25;
const LEAST_BYTES = 1024;

/** Byte limit of a batch: as configured, or less once the platform has responded with 413. */
export class ByteLimit {
  bytes: number;
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
    this.bytes = most;
  }

  /** Reduces the limit after a body was refused for its size. */
  shrink(refusedBytes: number): void {
    this.#taken = 0;
    this.bytes = Math.max(LEAST_BYTES, Math.min(this.bytes, Math.floor(refusedBytes / 2)));
  }

  /** Counts an accepted batch, and raises a reduced limit after ten of them. */
  grow(): void {
    if (this.bytes >= this.#most || ++this.#taken < GROW_AFTER) return;
    this.#taken = 0;
    this.bytes = Math.min(this.#most, Math.ceil(this.bytes * GROW_FACTOR));
  }
}

/** Conflicts in a row that a new id may resolve; with one more, the platform is at fault. */
const MAX_CONFLICTS = 3;
/** With more leftovers of earlier processes that are refused again, the platform counts as refusing everything. */
const MAX_LEFTOVERS = 4;

/** State of the sender; `open` and `blocked` are those of the circuit, and keep events. */
export type SenderState = "idle" | "sending" | "open" | "blocked" | "closed";

interface SenderOptions
  extends Omit<CircuitOptions, "countPending" | "probe">, Omit<OutboxRingOptions, "wake"> {
  readonly sendBatch: SendBatch;
  readonly batchSize: number;
  readonly maxBatchBytes: number;
}

/** Extent of a run: a single batch, one batch to compare a refusal with, or all there is. */
type RunKind = "probe" | "compare" | "all";

function isAllRejected({ events }: PlannedBatch, rejected: readonly Rejected[]): boolean {
  const indexes = new Set(rejected.map(({ index }) => index));
  return events.every((_event, index) => indexes.has(index));
}

/** Sends released events, oldest first, one batch at a time; several outboxes take turns. */
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
    // A probe that is under way does not end the halt.
    if (this.#circuit.state !== "closed") return this.#circuit.state;
    return this.#running ? "sending" : "idle";
  }

  /** Reason for which nothing is sent, while the state is `open` or `blocked`. */
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

  /** Adds the outbox of an earlier process, and sends its events, too. */
  add(outbox: Outbox): void {
    outbox.release(outbox.newestSequence);
    this.#ring.add(outbox);
    this.wake();
  }

  /** Starts to send if there is something to send. */
  wake(): void {
    if (!this.#ring.hasNext) return;
    if (this.#circuit.state === "closed") this.#start();
    // A lone refusal does not show whether event or platform is at fault; the next batch does.
    else if (this.#circuit.reason === this.#refusedReason && this.#ring.suspended.length === 1)
      this.#start("compare");
  }

  /**
   * Sends everything stored now, and resolves when it is settled or can't be, or the deadline passes.
   *
   * It never rejects, and concurrent calls all wait.
   *
   * @param isLast - Whether events in memory are dropped afterwards: then every retry is made for them, also if the
   * platform was unreachable before.
   */
  async drain(timeoutMillis?: number, isLast = false): Promise<void> {
    const { clock } = this.#options;
    const isSettled = this.#ring.releaseAll();
    if (isSettled()) return;
    const run = this.#runUntil(isSettled, isLast && this.#ring.isVolatile);
    await keepAliveUntil(clock, withDeadline(clock, run, timeoutMillis), timeoutMillis);
  }

  /** Stops at once; events in memory are dropped and counted. */
  async close(reason: DropReason): Promise<void> {
    if (this.#isClosed) return;
    this.#abort.abort();
    this.#circuit.cancel();
    await this.#running;
    this.#isClosed = true;
    this.dropPending(reason);
  }

  /** Drops all events that are in memory only. */
  dropPending(reason: DropReason): void {
    this.#ring.dropVolatile(reason);
  }

  get #limits(): BatchLimits {
    return { maxCount: this.#options.batchSize, maxBytes: this.#byteLimit.bytes };
  }

  async #runUntil(isSettled: () => boolean, isLast: boolean): Promise<void> {
    const { signal } = this.#abort;
    const isRepeated = isLast && this.#circuit.state === "open";
    if (isRepeated) {
      // A running probe has no retry.
      await this.#running;
      await sleep(this.#options.clock, this.#circuit.forbiddenMillis, signal);
    }
    // A running batch may have been started before the newest events were released.
    while (!isSettled() && !signal.aborted) {
      const before = this.pending;
      this.#start(isRepeated ? "all" : undefined);
      await this.#running;
      if (this.#circuit.state !== "closed") return;
      // A run that ended without the newest events has been followed by one that has them.
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
      // Events may have been released between the last look and here.
      if (this.#circuit.state === "closed") this.wake();
    });
  }

  async #run(kind: RunKind): Promise<void> {
    const { sendBatch, retry } = this.#options;
    const { signal } = this.#abort;
    const isRefused = this.#circuit.state === "blocked" && this.#ring.suspended.length > 0;
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
      // The batch may have been given up meanwhile: a late response settles nothing.
      if (!outbox.isOpen(batch.plan)) continue;
      if (result.status === "retryable" && signal.aborted) break;
      if (!(await this.#settle(turn, result, isProbe))) return;
      isProbe = false;
    }
    // Also when the run was stopped after the last response.
    this.#ring.removeDrained();
    // No event waits any more: the next one shows the state of the platform.
    if (!isAsked) this.#circuit.reset();
    if (this.#ring.suspended.length > 0) this.#circuit.block(this.#refusedReason);
  }

  /** Handles the result of a batch. @returns Whether the next batch may be sent. */
  async #settle({ outbox, batch }: Turn, result: BatchResult, isProbe: boolean): Promise<boolean> {
    switch (result.status) {
      case "accepted":
        // A platform that accepts none of the events refuses them, whatever its status.
        if (isAllRejected(batch, result.rejected))
          return this.#refuse({ outbox, batch }, "every event is rejected", isProbe);
        await outbox.accept(batch, result.rejected, result.duplicates);
        this.#byteLimit.grow();
        this.#conflicts = 0;
        this.#ring.resume();
        this.#circuit.close();
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
        // No retry is left: everything waits, and the platform is probed from time to time.
        this.#circuit.open(result.reason, result.retryAfterMillis);
        return false;
      case "blocked":
        return this.#block(result.reason);
    }
  }

  #block(reason: string): false {
    this.#circuit.block(reason);
    return false;
  }

  /** Compares a lone refusal with the next batch; a batch of which every part is refused blocks the circuit. */
  async #refuse({ outbox, batch }: Turn, reason: string, isProbe: boolean): Promise<boolean> {
    const lineage = await outbox.refuse(batch, reason, isProbe);
    this.#refusedReason = `${reason}: every part of a batch is refused`;
    const { suspended } = this.#ring;
    const speaksForAll = lineage.isLeftover
      ? suspended.length > MAX_LEFTOVERS
      : !lineage.isLone || suspended.filter(({ isLeftover }) => !isLeftover).length > 1;
    const isWhole = lineage.isSuspended && speaksForAll;
    return isWhole ? this.#block(this.#refusedReason) : true;
  }
}
