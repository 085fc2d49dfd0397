import { countNoun } from "../../util/count-noun.ts";
import type { Outbox } from "../outbox.ts";
import type { Sender } from "../sender.ts";
import { openAdopted, type AdoptedWriter } from "./adopted-writer.ts";
import {
  findOrphans,
  removeDeadOwners,
  removeEnd,
  removeOwnerFiles,
  takeEnds,
} from "./ended-writers.ts";
import { toErrorCode } from "./file-system.ts";
import { readJournal } from "./journal.ts";
import type { Machine } from "./machine.ts";
import { createSegments } from "./segment-set.ts";
import type { SpoolContext } from "./spool-context.ts";
import {
  claimWriter,
  isStagingName,
  listWriters,
  measureDirectory,
  removeWriterDirectory,
  type WriterEntry,
} from "./writers.ts";

/** Interval of the looks for events of ended processes. */
const SCAN_INTERVAL_MILLIS = 30_000;
const MAX_REPORTED = 1000;

/** Takes over the directories of ended writers, and delivers the events in them. */
export class Adoption {
  readonly #context: SpoolContext;
  readonly #own: Outbox;
  readonly #machine: Machine;
  /** Directories that are claimed and not open yet. */
  readonly #claimed: WriterEntry[] = [];
  readonly #adopted = new Map<Outbox, AdoptedWriter>();
  /** Directories that were found and left alone, each logged once. */
  readonly #reported = new Set<string>();
  #sender: Sender | undefined;
  #first: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** One directory at a time: its events are in memory while it is completed. */
  #completing: Promise<void> = Promise.resolve();
  #measuredAt = -Infinity;
  #cancel: (() => void) | undefined;
  #isForeignReported = false;
  #isClosed = false;

  /** @param own - The outbox of this monitor's own events. */
  constructor(context: SpoolContext, own: Outbox, machine: Machine) {
    this.#context = context;
    this.#own = own;
    this.#machine = machine;
  }

  start(sender: Sender): void {
    this.#sender = sender;
    this.#schedule(0);
  }

  /** Resolves once the first look is over. */
  ready(): Promise<void> {
    return this.#first ?? this.look();
  }

  /** Resolves when a look is over that began after the call: a running one may have missed what is there now. */
  look(): Promise<void> {
    this.#next ??= this.#lookAgain();
    this.#first ??= this.#next;
    return this.#next;
  }

  /**
   * Resolves when the events of our directories have their final form, or can't have it now; `undefined` when they
   * have.
   */
  completed(): Promise<void> | undefined {
    const isDone = Array.from(this.#adopted.values()).every(({ completion }) => completion.isDone);
    return isDone ? undefined : this.#completing;
  }

  /** Wakes the sender, so that it looks for something to send. */
  wakeSender(): void {
    this.#sender?.wake();
  }

  /** Removes the directory of a writer whose events are all settled. */
  async remove(outbox: Outbox): Promise<void> {
    const adopted = this.#adopted.get(outbox);
    if (!adopted) return;
    this.#adopted.delete(outbox);
    this.#own.carry(outbox.legacy);
    adopted.close();
    removeWriterDirectory(this.#context.fs, adopted.entry.path);
    removeEnd(this.#context.spoolDirectory, adopted.entry.writerId);
    if (this.#adopted.size === 0) void this.#measure();
  }

  /** Stops looking; events that are not delivered stay on disk for the next process. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    for (const adopted of this.#adopted.values()) adopted.close();
  }

  async #lookAgain(): Promise<void> {
    await this.#running;
    this.#next = undefined;
    this.#running = this.#scan();
    await this.#running;
  }

  #schedule(delayMillis: number): void {
    this.#cancel?.();
    this.#cancel = this.#context.clock.schedule(() => void this.look(), delayMillis);
  }

  async #scan(): Promise<void> {
    // A directory that can't be used yet is looked at once it can.
    if (this.#isClosed || this.#context.problem) return;
    const { clock, spoolDirectory, origin, log } = this.#context;
    try {
      const { organizationId } = origin;
      const adopter = { organizationId, ownerId: this.#own.writerId, machine: this.#machine };
      const { orphans, removable, skipped } = await findOrphans(spoolDirectory, adopter);
      this.#reportForeign();
      takeEnds(this.#context, this.#own);
      for (const { entry, reason } of skipped) if (reason !== "alive") this.#report(entry, reason);
      for (const entry of orphans) await this.#claim(entry);
      for (const entry of removable) this.#discard(entry);
      for (const entry of this.#claimed.splice(0)) await this.#adopt(entry);
      await removeDeadOwners(spoolDirectory, this.#machine, clock.now());
    } catch (error) {
      const code = toErrorCode(error);
      const message = `spool: could not look for what others left in ${spoolDirectory}`;
      log.log("error", "spool_adopt", message, { code });
    }
    if (this.#isClosed) return;
    // Not awaited, and not at every flush: there may be very many dead letters.
    if (clock.monotonic() - this.#measuredAt >= SCAN_INTERVAL_MILLIS) void this.#measure();
    this.#schedule(SCAN_INTERVAL_MILLIS);
  }

  async #measure(): Promise<void> {
    const { spoolDirectory, budget, clock } = this.#context;
    this.#measuredAt = clock.monotonic();
    const bytes = await measureDirectory(spoolDirectory);
    if (!this.#isClosed) budget.setOthers(Math.max(0, bytes - budget.own));
  }

  #report({ path, writerId }: WriterEntry, reason: string): void {
    if (this.#reported.has(path) || this.#reported.size >= MAX_REPORTED) return;
    this.#reported.add(path);
    const message = `spool: the directory of a writer is left alone (${reason}): ${path}`;
    this.#context.log.log("warn", `spool_left:${reason}`, message, { writerId });
  }

  /** Logs once that there are names that no version of ours makes. */
  #reportForeign(): void {
    const { foreign } = listWriters(this.#context.spoolDirectory);
    if (this.#isForeignReported || foreign.every(isStagingName)) return;
    this.#isForeignReported = true;
    const message = `spool: something in ${this.#context.spoolDirectory} is not ours, and is left alone`;
    this.#context.log.log("warn", "spool_foreign", message);
  }

  /** Claims a directory; a failure is logged. */
  #take(orphan: WriterEntry): WriterEntry | undefined {
    const entry = claimWriter(this.#context.spoolDirectory, orphan, this.#own.writerId);
    if (!entry || !("status" in entry)) return entry;
    this.#report(orphan, entry.code);
    return undefined;
  }

  #discard(orphan: WriterEntry): void {
    const entry = this.#take(orphan);
    if (entry) removeWriterDirectory(this.#context.fs, entry.path);
  }

  /** Claims a directory, if it can be read with our key. */
  async #claim(orphan: WriterEntry): Promise<void> {
    try {
      if (await this.#isLocked(orphan)) return this.#report(orphan, "encrypted with another key");
    } catch (error) {
      // It must not keep the others from being delivered; it is tried again at the next look.
      return this.#report(orphan, toErrorCode(error));
    }
    if (this.#isClosed) return;
    const entry = this.#take(orphan);
    if (!entry) return;
    this.#claimed.push(entry);
    // The next owner would only know of this one.
    await removeOwnerFiles(this.#context.spoolDirectory, orphan.ownerId, this.#machine);
  }

  async #isLocked({ path }: WriterEntry): Promise<boolean> {
    const { kind } = await readJournal({ ...this.#context, directory: path });
    if (kind !== "none") return kind === "locked";
    const segments = createSegments(this.#context, path);
    segments.load();
    const isLocked = await segments.isLocked();
    segments.close();
    return isLocked;
  }

  /** Delivers the events of a claimed directory; one that can't be read now is tried again at the next look. */
  async #adopt(entry: WriterEntry): Promise<void> {
    const { ledger, log } = this.#context;
    const { writerId } = entry;
    if (this.#isClosed) return;
    let adopted: AdoptedWriter;
    try {
      adopted = await openAdopted(this.#context, entry, () => this.wakeSender());
    } catch (error) {
      this.#claimed.push(entry);
      return this.#report(entry, toErrorCode(error));
    }
    // After a `close()` meanwhile nobody owns the directory, and nothing in it is ours to touch.
    if (this.#isClosed) return adopted.close();
    const { outbox, completion } = adopted;
    const { pending } = outbox;
    this.#adopted.set(outbox, adopted);
    ledger.recovered += pending;
    if (pending === 0) return this.remove(outbox);
    const message = `spool: ${countNoun(pending, "event")} of an earlier process ${pending === 1 ? "is" : "are"} delivered now`;
    log.log("info", "spool_adopted", message, { writerId, pending }, pending);
    this.#sender?.add(outbox);
    this.#completing = this.#completing.then(() => completion.start());
  }
}
