import { countNoun } from "../../util/count-noun.ts";
import type { EventSource } from "../event-store.ts";
import { createOutboxState, type OutboxState } from "../outbox-state.ts";
import { Outbox } from "../outbox.ts";
import type { Sender } from "../sender.ts";
import { Completion } from "./completion.ts";
import { findOrphans, removeDeadOwners, removeOwnerFiles } from "./dead-owners.ts";
import { removeEnd, takeEnds } from "./ended-writers.ts";
import { toErrorCode } from "./file-system.ts";
import { readJournal, SpoolJournal } from "./journal.ts";
import type { Machine } from "./machine.ts";
import { createExpiry, type SegmentSet } from "./segment-set.ts";
import { createSegments, toKeepDeadLetter, type SpoolContext } from "./spool-room.ts";
import { parseStagingName } from "./staging.ts";
import { measureDirectory, removeWriterDirectory } from "./writer-home.ts";
import { claimWriter, listWriters, type WriterEntry } from "./writers.ts";

/** Interval of the looks for events of ended processes. */
const SCAN_INTERVAL_MILLIS = 30_000;
const MAX_REPORTED = 1000;

/** A writer directory whose events are being delivered. */
interface Adopted {
  readonly entry: WriterEntry;
  readonly segments: SegmentSet;
  readonly journal: SpoolJournal;
  readonly completion: Completion;
}

function close({ completion, segments, journal }: Adopted): void {
  completion.close();
  segments.close();
  journal.close();
}

/** Takes over the directories of ended writers, and delivers the events in them. */
export class Adoption {
  readonly #context: SpoolContext;
  readonly #own: Outbox;
  readonly #ownerId: string;
  readonly #machine: Machine;
  /** Directories that are claimed and not open yet. */
  readonly #claimed: WriterEntry[] = [];
  readonly #adopted = new Map<Outbox, Adopted>();
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
    this.#ownerId = own.writerId;
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
    close(adopted);
    removeWriterDirectory(this.#context.fs, adopted.entry.path);
    removeEnd(this.#context.spoolDirectory, adopted.entry.writerId);
    if (this.#adopted.size === 0) void this.#measure();
  }

  /** Stops looking; events that are not delivered stay on disk for the next process. */
  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    for (const adopted of this.#adopted.values()) close(adopted);
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
      const adopter = { organizationId, ownerId: this.#ownerId, machine: this.#machine };
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
    const isOurs = (name: string): boolean => parseStagingName(name) !== undefined;
    if (this.#isForeignReported || foreign.every(isOurs)) return;
    this.#isForeignReported = true;
    const message = `spool: something in ${this.#context.spoolDirectory} is not ours, and is left alone`;
    this.#context.log.log("warn", "spool_foreign", message);
  }

  #discard(entry: WriterEntry): void {
    const claimed = claimWriter(this.#context.spoolDirectory, entry, this.#ownerId);
    if (claimed && "status" in claimed) this.#report(entry, claimed.code);
    else if (claimed) removeWriterDirectory(this.#context.fs, claimed.path);
  }

  /** Claims a directory, if it can be read with our key. */
  async #claim(orphan: WriterEntry): Promise<void> {
    const { spoolDirectory } = this.#context;
    try {
      if (await this.#isLocked(orphan)) return this.#report(orphan, "encrypted with another key");
    } catch (error) {
      // It must not keep the others from being delivered; it is tried again at the next look.
      return this.#report(orphan, toErrorCode(error));
    }
    if (this.#isClosed) return;
    const entry = claimWriter(spoolDirectory, orphan, this.#ownerId);
    if (!entry) return;
    if ("status" in entry) return this.#report(orphan, entry.code);
    this.#claimed.push(entry);
    // The next owner would only know of this one.
    await removeOwnerFiles(spoolDirectory, orphan.ownerId, this.#machine);
  }

  async #isLocked({ path }: WriterEntry): Promise<boolean> {
    const { fs, cipherOf } = this.#context;
    const { kind } = await readJournal({ directory: path, fs, cipherOf });
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
    const segments = createSegments(this.#context, entry.path);
    let outbox: Outbox;
    try {
      outbox = await this.#open(entry, segments);
    } catch (error) {
      segments.close();
      this.#claimed.push(entry);
      return this.#report(entry, toErrorCode(error));
    }
    // After a `close()` meanwhile nobody owns the directory, and nothing in it is ours to touch.
    if (this.#isClosed) return this.#letGo(outbox);
    const { pending } = outbox;
    ledger.recover(pending);
    if (pending === 0) return this.remove(outbox);
    const message = `spool: ${countNoun(pending, "event")} of an earlier process ${pending === 1 ? "is" : "are"} delivered now`;
    log.log("info", "spool_adopted", message, { writerId, pending }, pending);
    this.#sender?.add(outbox);
    const { completion } = this.#adopted.get(outbox) ?? {};
    this.#completing = this.#completing.then(() => completion?.start());
  }

  #letGo(outbox: Outbox): void {
    const adopted = this.#adopted.get(outbox);
    if (adopted) close(adopted);
    this.#adopted.delete(outbox);
  }

  async #open(entry: WriterEntry, segments: SegmentSet): Promise<Outbox> {
    const { fs, cipherOf, isPowerSafe, origin, ledger, clock, onFault } = this.#context;
    const { path, writerId } = entry;
    segments.load();
    const toFirstState = (): OutboxState => createOutboxState(segments.segments[0]?.first);
    const read = await readJournal({ directory: path, fs, cipherOf }, toFirstState);
    const state = read.kind === "state" ? read.state : toFirstState();
    const newestSequence = Math.max(await segments.findNewest(), state.next - 1);
    const rest = { first: state.next, last: newestSequence, maxCount: 1, maxBytes: 0 };
    const { events } = await segments.read(rest);
    segments.rest();
    const parts = { directory: path, fs, cipherOf, isPowerSafe };
    const { maxSpoolBytes } = this.#context;
    // There may be very many: each opens a file only at its turn.
    const lazily = { isLazy: true, onFailure: onFault };
    const journal = new SpoolJournal({ ...parts, maxSpoolBytes, state, ...lazily });
    const completion = new Completion({
      room: this.#context,
      entry,
      segments,
      next: state.next,
      newest: newestSequence,
      onCompleted: () => this.wakeSender(),
    });
    const source: EventSource = {
      newestSequence,
      get finalSequence() {
        return Math.min(newestSequence, completion.first - 1);
      },
      get bytes() {
        return segments.bytes;
      },
      read: (range) => segments.read(range),
      readAhead: () => undefined,
      forget: (upToSequence) => segments.forget(upToSequence),
      findExpired: createExpiry(this.#context, segments),
    };
    const outbox = new Outbox({
      origin: { ...origin, writerId },
      source,
      state,
      journal,
      ledger,
      clock,
      keepDeadLetter: toKeepDeadLetter(this.#context, writerId),
      directory: path,
      onLoss: this.#context.onLoss,
      ...(events[0] && { oldestAt: events[0].timestamp }),
    });
    this.#adopted.set(outbox, { entry, segments, journal, completion });
    return outbox;
  }
}
