import type { Clock } from "../../util/clock.ts";
import type { FileSystem } from "./file-system.ts";

/** Syncs the names in directories, as far as they may be opened: those above may be another user's. */
export async function syncParents(
  fs: FileSystem,
  [own, ...above]: readonly string[],
): Promise<void> {
  if (own !== undefined) await fs.syncDirectory(own);
  for (const path of above) await fs.syncDirectory(path).catch(() => undefined);
}

/** Longest wait in ms between a write and the beginning of the sync that makes it safe. */
const SYNC_DELAY_MILLIS = 5;

/**
 * Syncs in the background, soon after a write and never while the writer waits.
 *
 * One sync runs at a time; `barrier` waits for one that began after the call.
 */
export class SyncLoop {
  readonly #clock: Clock;
  readonly #sync: () => Promise<void>;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isDirty = false;
  #isClosed = false;

  /** @param sync - Syncs everything that was written before the call; never rejects. */
  constructor(clock: Clock, sync: () => Promise<void>) {
    this.#clock = clock;
    this.#sync = sync;
  }

  /** Records that something was written, and schedules a sync. */
  noteWrite(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#schedule();
  }

  /** Resolves once everything written before the call is safe. */
  async barrier(): Promise<void> {
    // The running one may have begun before the last write.
    await this.#running;
    if (this.#isDirty) this.#start();
    await this.#running;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  #schedule(): void {
    if (this.#running || this.#isClosed) return;
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(() => this.#start(), SYNC_DELAY_MILLIS);
  }

  #start(): void {
    if (this.#running) return;
    this.#cancel?.();
    this.#isDirty = false;
    this.#running = this.#sync().finally(() => {
      this.#running = undefined;
      if (this.#isDirty) this.#schedule();
    });
  }
}
