import { join } from "node:path";
import { expect, vi } from "vitest";
import type { EventBatch } from "../../src/events/batch.ts";
import type { VerifiableBatch } from "../../src/delivery/chain/chain.ts";
import { listDeadLetters, readDeadLetter } from "../../src/delivery/spool/dead-letters.ts";
import { nodeFileSystem } from "../../src/delivery/spool/file-system.ts";
import type { SpoolSettings } from "../../src/delivery/spool/spool-context.ts";
import { verifyBatches } from "../../src/delivery/chain/verify-chain.ts";
import { createPendingEvent, isBalanced } from "./exporter.ts";
import {
  createFaultyFileSystem,
  diskFull,
  keepWritten,
  makeFastDirectory,
  nothingFails,
  refuse,
  type Pick,
} from "./faulty-file-system.ts";
import { crash, flush, leftovers, shutdown, startLife, type Life } from "./spool-life.ts";
import { createSpoolPlatform, type Mood, type SpoolPlatform } from "./spool-platform.ts";

export const DISKS = ["ok", "full", "short", "no_sync"] as const;
export type Disk = (typeof DISKS)[number];

function toWriterId({ batch }: VerifiableBatch): string | undefined {
  return (batch as EventBatch).metadata?.chain?.writerId;
}

function toReportedWriterIds({ batch }: VerifiableBatch): string[] {
  const dropped = (batch as EventBatch).metadata?.dropped ?? [];
  return dropped.flatMap(({ writerId }) => writerId ?? []);
}

/** Something that happens to a monitor with a spool. */
export type SpoolOperation =
  | { readonly kind: "track"; readonly count: number; readonly padding: number }
  | { readonly kind: "flush"; readonly timeoutMillis: number }
  | { readonly kind: "advance"; readonly millis: number }
  | { readonly kind: "platform"; readonly mood: Mood }
  | { readonly kind: "disk"; readonly disk: Disk }
  | { readonly kind: "crash" }
  /** @param share - Which part of what is not synced survives, for one file after the other. */
  | { readonly kind: "power_cut"; readonly shares: readonly number[] }
  | { readonly kind: "restart" }
  | { readonly kind: "second"; readonly count: number };

/**
 * What an event may count on: `memory` survives nothing, `stored` the end of the process, `safe` a power cut, and of
 * `doubtful` ones nobody knows.
 */
type Promised = "memory" | "stored" | "safe" | "doubtful" | "refused";

const FAULTS = {
  ok: nothingFails,
  full: diskFull,
  short: refuse("short", ["append"]),
  no_sync: refuse("EIO", ["sync", "syncDirectory"]),
} as const;

const isBad = (eventId: string): boolean => Number(eventId.slice("event-".length)) % 11 === 3;

/** A monitor, or one after the other, and what it has promised. */
export class SpoolModel {
  readonly platform: SpoolPlatform = createSpoolPlatform(isBad);
  readonly #root = makeFastDirectory();
  readonly #settings: Partial<SpoolSettings>;
  readonly #promises = new Map<string, { promised: Promised; readonly life: Life }>();
  #directory: string;
  #fs = createFaultyFileSystem();
  #life: Life;
  #lives = 0;
  #tracked = 0;
  #disk: Disk = "ok";
  #hadFault = false;
  /** A power cut has taken what nobody was promised. */
  #hadLoss = false;

  readonly #isSlow: boolean;

  /** @param isSlow - Whether the disk takes time for what is not done at once. */
  constructor(settings: Partial<SpoolSettings>, isSlow: boolean) {
    this.#settings = settings;
    this.#isSlow = isSlow;
    this.#fs.isSlow = isSlow;
    this.#directory = join(this.#root, "0");
    this.#life = this.#start();
  }

  async run(operation: SpoolOperation): Promise<void> {
    switch (operation.kind) {
      case "track":
        this.#track(this.#life, operation.count, "x".repeat(operation.padding));
        break;
      case "flush":
        await this.#flush(operation.timeoutMillis);
        break;
      case "advance":
        await this.#life.clock.advance(operation.millis);
        break;
      case "platform":
        this.platform.mood = operation.mood;
        break;
      case "disk":
        this.#setDisk(operation.disk);
        break;
      case "crash":
        await this.#crash(keepWritten, ["memory"]);
        break;
      case "power_cut":
        await this.#cutPower(operation.shares);
        break;
      case "restart":
        await this.#restart();
        break;
      case "second":
        await this.#runSecond(operation.count);
        break;
    }
    this.#noteStored();
    expect(isBalanced(this.#life.path), "the books balance").toBe(true);
    expect(this.platform.violations).toEqual([]);
  }

  /** Lets everything work again, and checks that nothing is lost. */
  async finish(): Promise<void> {
    this.platform.mood = "healthy";
    this.#setDisk("ok");
    // A request that hangs ends with its process.
    await this.#restart();
    await this.#life.clock.advance(1_000_000);
    await flush(this.#life);
    const { pending, state, spool } = this.#life.path.stats();
    expect({ pending, state }).toEqual({ pending: 0, state: "idle" });
    expect(spool).toMatchObject({ state: "ok", eventsInMemory: 0 });
    // What was given up last is told with the next batch.
    this.#track(this.#life, 1, "");
    await flush(this.#life);
    await shutdown(this.#life);
    await vi.waitFor(() => expect(leftovers(this.#directory)).toEqual([]));
    await this.#checkPromises();
    await this.#checkChains();
    expect(this.platform.violations).toEqual([]);
  }

  async #checkPromises(): Promise<void> {
    const letters = await this.#readDeadLetters();
    for (const [id, { promised }] of this.#promises) {
      const isDelivered = this.platform.events.has(id);
      if (promised === "refused") expect(isDelivered, `${id} was refused`).toBe(false);
      else if (promised !== "doubtful" && !isDelivered && !this.#isExcused(id))
        expect(letters, `${id} was promised (${promised})`).toContain(id);
    }
    for (const id of [...this.platform.events, ...letters])
      expect(this.#promises.has(id), `${id} was tracked`).toBe(true);
  }

  /** A dead letter needs a disk that works. */
  #isExcused(id: string): boolean {
    return this.#hadFault && isBad(id);
  }

  async #readDeadLetters(): Promise<string[]> {
    const options = {
      spoolDirectory: this.#directory,
      fs: nodeFileSystem,
      cipherOf: () => undefined,
    };
    const ids: string[] = [];
    try {
      for (const name of listDeadLetters(options)) {
        const read = await readDeadLetter(options, name);
        if (read.kind === "letter") ids.push(String(read.letter.event["eventId"]));
      }
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOENT" });
    }
    return ids;
  }

  /**
   * A process that could not keep what it had sent as which batch may break its chain when it starts again, and what
   * a power cut takes may be in the midst of what it leaves.
   */
  async #checkChains(): Promise<void> {
    if (this.#hadFault || this.#hadLoss) return;
    expect(this.platform.late).toEqual([]);
    const { batches } = this.platform;
    const { writers } = await verifyBatches(batches);
    expect(writers.flatMap(({ breaks }) => breaks)).toEqual([]);
    for (const { writerId, successor } of writers) {
      if (!successor) continue;
      const rest = batches.filter((batch) => toWriterId(batch) !== writerId);
      const report = await verifyBatches(rest);
      const broken = report.writers.filter(({ status }) => status === "broken");
      const ids = broken.map((writer) => writer.writerId);
      expect(ids, "who was removed though a later one names it").toContain(writerId);
      // Its batches also had the reports of events that were given up after their own writer's last batch.
      const reported = batches
        .filter((batch) => !rest.includes(batch))
        .flatMap(toReportedWriterIds);
      expect([writerId, ...reported], "who lost batches or reports").toEqual(
        expect.arrayContaining(ids),
      );
    }
  }

  #start(): Life {
    const life = startLife({
      spoolDirectory: this.#directory,
      script: this.platform.script,
      settings: this.#settings,
      fs: this.#fs,
      batchSize: 10,
      maxBatchBytes: 8192,
      maxQueueSize: 60,
      retryAttempts: 1,
    });
    this.#lives++;
    return life;
  }

  #setDisk(disk: Disk): void {
    this.#disk = disk;
    this.#hadFault ||= disk !== "ok";
    this.#fs.fault = FAULTS[disk];
  }

  #track(life: Life, count: number, padding: string): void {
    const { path } = life;
    for (let index = 0; index < count; index++) {
      const event = createPendingEvent(this.#tracked++, padding);
      const before = path.stats().droppedByReason;
      path.record("test", event);
      const { droppedByReason, spool } = path.stats();
      const isFull = droppedByReason.spool_full !== before.spool_full;
      const isQueueFull = droppedByReason.queue_full !== before.queue_full;
      // What is dropped has a reason, and the reason is so.
      if (isQueueFull) expect(spool?.state).toBe("degraded");
      if (isFull) expect(spool?.bytes).toBeGreaterThan(Number(this.#settings.maxSpoolBytes) / 2);
      const inMemory = spool?.state === "degraded" ? "memory" : "stored";
      const promised = isFull || isQueueFull ? "refused" : inMemory;
      this.#promises.set(event.eventId, { promised, life });
    }
  }

  #change(from: readonly Promised[], to: Promised, life?: Life): void {
    for (const entry of this.#promises.values())
      if (from.includes(entry.promised) && (!life || entry.life === life)) entry.promised = to;
  }

  #noteStored(): void {
    if (this.#life.path.stats().spool?.state === "ok")
      this.#change(["memory"], "stored", this.#life);
  }

  async #flush(timeoutMillis: number): Promise<void> {
    this.#noteStored();
    await flush(this.#life, timeoutMillis);
    if (this.#disk === "ok") this.#change(["stored"], "safe", this.#life);
  }

  /** Ends cleanly; a disk that works has taken everything, and synced what it had before. */
  async #end(): Promise<void> {
    const isWorking = this.#disk === "ok" || this.#disk === "no_sync";
    await shutdown(this.#life);
    if (this.#disk === "ok") this.#change(["stored"], "safe", this.#life);
    this.#change(["memory"], isWorking ? "stored" : "doubtful", this.#life);
  }

  async #restart(): Promise<void> {
    await this.#end();
    this.#setDisk("ok");
    this.#life = this.#start();
  }

  async #crash(pick: Pick, taken: readonly Promised[]): Promise<void> {
    const target = join(this.#root, String(this.#lives));
    await crash(this.#life, target, pick);
    this.#change(taken, "doubtful");
    this.#directory = target;
    // Whatever the image holds has survived.
    this.#fs = createFaultyFileSystem();
    this.#fs.isSlow = this.#isSlow;
    this.#setDisk("ok");
    this.#life = this.#start();
  }

  async #cutPower(shares: readonly number[]): Promise<void> {
    this.#hadLoss ||= [...this.#promises.values()].some(({ promised }) => promised === "stored");
    let files = 0;
    const pick: Pick = (synced, length) => {
      const share = shares[files++ % shares.length] ?? 0;
      return synced + Math.floor(share * (length - synced));
    };
    await this.#crash(pick, ["memory", "stored"]);
  }

  async #runSecond(count: number): Promise<void> {
    const first = this.#life;
    this.#setDisk("ok");
    const second = this.#start();
    this.#life = second;
    this.#track(second, count, "");
    await this.#flush(20_000);
    expect(isBalanced(second.path)).toBe(true);
    await this.#end();
    this.#life = first;
  }
}
