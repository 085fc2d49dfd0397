import type { Clock } from "../../util/clock.ts";
import type { FileSystem } from "./file-system.ts";

/** Makes the names of directories safe, as far as they may be opened: those above may be somebody else's. */
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
 * Syncs in the background, soon after something was written and never on the way of who writes.
 *
 * One sync runs at a time; who asks gets one that began after the asking.
 */
export class SyncLoop {
  readonly #clock: Clock;
  readonly #sync: () => Promise<void>;
  #running: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #isDirty = false;
  #isClosed = false;

  /** @param sync - Makes everything safe that was written before the call; it never rejects. */
  constructor(clock: Clock, sync: () => Promise<void>) {
    this.#clock = clock;
    this.#sync = sync;
  }

  /** Something was written. */
  noteWrite(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#schedule();
  }

  /** Resolves once everything that was written before the call is safe. */
  async barrier(): Promise<void> {
    // The one that runs may have begun before the last write.
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
