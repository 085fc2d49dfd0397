import { MemoryStore, type EventStore, type ReadRange, type ReadResult } from "../event-store.ts";
import type { DropReason } from "../ledger.ts";
import type { PendingEvent } from "../pending-event.ts";
import type { StorageOptions } from "../storage.ts";
import { FinalForms } from "./final-forms.ts";
import type { AppendFile, FrameDirectory } from "./frame-file.ts";
import { createExpiry, type SegmentSet } from "./segment-set.ts";
import { SegmentWriter, toMaxSegmentBytes } from "./segment-writer.ts";
import type { SpoolContext, SpoolSettings } from "./spool-context.ts";
import { SyncLoop, syncParents } from "./sync-loop.ts";
import { HomeWatch, type WriterHome } from "./writer-home.ts";

/** Wait in ms before a disk that refused a write is tried again. */
const RECOVERY_INTERVAL_MILLIS = 1000;
/** Events that are written in one turn after the disk has recovered: the application has its turn in between. */
const RECOVERED_PER_TURN = 200;
/** Length from which a file is removed once all its events are delivered. */
const REMOVE_DELIVERED_FROM_BYTES = 1024 * 1024;

/** `maxQueueSize` and `maxQueueBytes` bound the events in memory while the disk refuses writes. */
export interface SpoolStoreOptions
  extends
    FrameDirectory,
    Pick<StorageOptions, "clock" | "maxQueueBytes" | "maxQueueSize">,
    Pick<SpoolSettings, "maxSpoolAge" | "maxSpoolBytes">,
    Pick<SpoolContext, "budget" | "isPowerSafe" | "onRecovered" | "problem"> {
  readonly writerId: string;
  readonly segments: SegmentSet;
  /** Its `parents` are known once the directory is made. */
  readonly home: Pick<WriterHome, "isThere" | "parents" | "remake">;
  /** Called when the disk refuses writes or syncs. */
  readonly onDegraded: (error: unknown) => void;
  /** Called when events that were provisional may be read. */
  readonly onFinal: () => void;
}

/**
 * Keeps events in files; while the disk refuses them, in memory, bounded as the memory mode is.
 *
 * An event is with the kernel before `append` returns, so nothing but a power cut can take it away.
 */
export class SpoolStore implements EventStore {
  readonly #options: SpoolStoreOptions;
  readonly #writer: SegmentWriter;
  readonly #homeWatch: HomeWatch;
  readonly #finalForms: FinalForms;
  readonly #sync: SyncLoop | undefined;
  readonly #findExpired: () => number;
  readonly #removeFromBytes: number;
  #newestInFiles = 0;
  #syncedSequence = 0;
  #areParentsSafe = false;
  /** Whether a sync has failed: everything written since the last good one must be written again. */
  #mustRewrite = false;
  #isClosed = false;
  /** Events that the disk refused. */
  #ring: MemoryStore | undefined;
  #cancelRecovery: (() => void) | undefined;
  #cancelSync: (() => void) | undefined;

  constructor(options: SpoolStoreOptions) {
    this.#options = options;
    const maxSegmentBytes = toMaxSegmentBytes(options.maxSpoolBytes);
    this.#removeFromBytes = Math.min(REMOVE_DELIVERED_FROM_BYTES, maxSegmentBytes);
    this.#writer = new SegmentWriter({ ...options, maxSegmentBytes });
    this.#finalForms = new FinalForms({
      ...options,
      writer: this.#writer,
      newest: () => this.#newestInFiles,
    });
    this.#homeWatch = new HomeWatch({
      ...options,
      restoreFile: () => this.#writer.restore(),
      onRestored: () => {
        this.#areParentsSafe = false;
        this.#sync?.noteWrite();
      },
      onFailure: options.onDegraded,
    });
    this.#findExpired = createExpiry(options, options.segments);
    if (options.isPowerSafe) this.#sync = new SyncLoop(options.clock, () => this.#syncFiles());
    if (options.problem) this.#degrade(options.problem);
  }

  get newestSequence(): number {
    return this.#ring?.newestSequence ?? this.#newestInFiles;
  }

  get finalSequence(): number {
    return Math.min(this.#ring?.finalSequence ?? this.#newestInFiles, this.#finalForms.first - 1);
  }

  get bytes(): number {
    return this.#options.segments.bytes + (this.#ring?.bytes ?? 0);
  }

  /** Sequence of the newest event that is on disk. */
  get newestInFiles(): number {
    return this.#newestInFiles;
  }

  /** Events that are in memory only, since the disk refuses writes. */
  get eventsInMemory(): number {
    const oldest = this.#ring?.oldest;
    return oldest ? this.newestSequence - oldest.sequence + 1 : 0;
  }

  get isDegraded(): boolean {
    return this.#ring !== undefined || this.#mustRewrite || this.#homeWatch.isAway;
  }

  /** Returns whether an event outlives the process: after a failed sync not even those in files are sure to. */
  isSafe(sequence: number): boolean {
    return sequence <= this.#newestInFiles && !this.#mustRewrite;
  }

  append(event: PendingEvent): number | DropReason {
    if (this.#ring) return this.#ring.append(event);
    const sequence = this.#newestInFiles + 1;
    if (!this.#options.budget.hasRoomFor(this.#writer.toFrameBytes(event))) return "spool_full";
    if (event.isProvisional) this.#finalForms.keep(event, sequence);
    try {
      this.#writer.append(event, sequence);
    } catch (error) {
      return this.#degrade(error).append(event);
    }
    this.#newestInFiles = sequence;
    if (event.isProvisional) this.#finalForms.note(event, sequence);
    this.#sync?.noteWrite();
    this.#homeWatch.noteWrite();
    return sequence;
  }

  replace(provisional: PendingEvent, final: PendingEvent): void {
    const isInMemory = this.#ring?.replace(provisional, final);
    if (isInMemory !== true) this.#finalForms.replace(provisional, final);
  }

  readonly settled = (): Promise<void> | undefined => this.#finalForms.settled;

  async read(range: ReadRange): Promise<ReadResult> {
    const inFiles = this.#newestInFiles;
    const last = Math.min(range.last, inFiles);
    if (range.first > last) return this.#ring?.read(range) ?? { events: [], end: range.last };
    const result = await this.#readFiles({ ...range, last });
    if (last === range.last || result.end < last) return result;
    // Events may have moved from memory into the files meanwhile.
    if (inFiles !== this.#newestInFiles || !this.#ring) return this.read(range);
    const maxCount = range.maxCount - result.events.length;
    const maxBytes = result.events.reduce((left, { json }) => left - json.length, range.maxBytes);
    if (result.events.length > 0 && (maxCount <= 0 || maxBytes <= 0)) return result;
    const rest = await this.#ring.read({ first: last + 1, last: range.last, maxCount, maxBytes });
    return { events: [...result.events, ...rest.events], end: rest.end };
  }

  /** Reads events, once more if removed files were restored. */
  async #readFiles(range: ReadRange): Promise<ReadResult> {
    const result = await this.#options.segments.read(range);
    const isRestored = result.isRemoved === true && this.#homeWatch.tryRestore();
    return isRestored ? this.#readFiles(range) : result;
  }

  forget(upToSequence: number): void {
    const { segments } = this.#options;
    const { activeSegment } = this.#writer;
    const isDelivered = upToSequence >= this.#newestInFiles;
    // While the disk refuses writes there is no active file: the delivered events may be all that fills the disk.
    if (isDelivered && (!activeSegment || activeSegment.bytes >= this.#removeFromBytes)) {
      this.#writer.rotate();
      segments.clear();
    } else segments.forget(upToSequence, activeSegment);
    this.#ring?.forget(upToSequence);
    this.#finalForms.forget(upToSequence);
  }

  findExpired(): number {
    return Math.min(this.#findExpired(), this.#newestInFiles);
  }

  async sync(): Promise<void> {
    if (this.#mustRewrite) this.#sync?.noteWrite();
    await this.#sync?.barrier();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRecovery?.();
    this.#cancelSync?.();
    this.#homeWatch.close();
    this.#finalForms.close();
    this.#sync?.close();
    this.#writer.close();
    this.#options.segments.close();
  }

  #degrade(error: unknown): MemoryStore {
    const { writerId, maxQueueSize, maxQueueBytes, onDegraded } = this.#options;
    this.#writer.rotate();
    this.#ring = new MemoryStore({
      writerId,
      maxCount: maxQueueSize,
      maxBytes: maxQueueBytes,
      startAfter: this.#newestInFiles,
    });
    this.#scheduleRecovery();
    onDegraded(error);
    return this.#ring;
  }

  #scheduleRecovery(delayMillis = RECOVERY_INTERVAL_MILLIS): void {
    const { clock } = this.#options;
    const recover = (): void => this.recover(RECOVERED_PER_TURN);
    this.#cancelRecovery?.();
    this.#cancelRecovery = clock.schedule(recover, delayMillis);
  }

  /** Writes events from memory to the disk, in order, until it refuses one or `maxCount` are written. */
  recover(maxCount = Infinity): void {
    if (!this.#ring) return;
    let left = maxCount;
    try {
      this.#homeWatch.restore();
      // All of them may be delivered by now: the disk must be tried all the same.
      if (!this.#ring.oldest) this.#writer.tryRoom(this.#ring.newestSequence + 1);
      for (let oldest = this.#ring.oldest; oldest; oldest = this.#ring.oldest) {
        if (left-- === 0) return this.#scheduleRecovery(0);
        this.#finalForms.keep(oldest.event, oldest.sequence);
        this.#writer.append(oldest.event, oldest.sequence);
        this.#newestInFiles = oldest.sequence;
        this.#finalForms.note(oldest.event, oldest.sequence);
        this.#ring.forget(oldest.sequence);
      }
    } catch {
      this.#writer.rotate();
      this.#sync?.noteWrite();
      this.#scheduleRecovery();
      return;
    }
    this.#newestInFiles = this.#ring.newestSequence;
    this.#ring = undefined;
    this.#sync?.noteWrite();
    this.#options.onRecovered();
  }

  async #syncFiles(): Promise<void> {
    const { clock } = this.#options;
    const files = this.#writer.takeUnsynced();
    const isSafe = (await this.#trySync(files)) || (await this.#trySync(files));
    for (const file of files) this.#writer.release(file);
    if (isSafe || this.#isClosed) return;
    this.#cancelSync?.();
    this.#cancelSync = clock.schedule(() => this.#sync?.noteWrite(), RECOVERY_INTERVAL_MILLIS);
  }

  async #trySync(files: readonly AppendFile[]): Promise<boolean> {
    const { fs, home, onDegraded } = this.#options;
    // Events appended while a sync failed are in the same file, which is written again, too.
    if (this.#mustRewrite) this.#writer.rotate();
    const target = this.#newestInFiles;
    try {
      if (this.#mustRewrite)
        await this.#writer.rewrite(this.#syncedSequence, target, (sequence) => {
          this.#syncedSequence = sequence;
        });
      else await Promise.all([this.#finalForms, ...files].map((file) => file.sync()));
      // Once: no directory on which an event depends is made later.
      if (!this.#areParentsSafe) await syncParents(fs, home.parents);
      this.#areParentsSafe = true;
      this.#mustRewrite = false;
      this.#syncedSequence = target;
    } catch (error) {
      this.#mustRewrite = true;
      onDegraded(error);
    }
    return !this.#mustRewrite;
  }
}
