import type { Clock } from "../../util/clock.ts";

/** A directory that somebody removes is found missing within this time in ms of the next event. */
const LOOK_INTERVAL_MILLIS = 1000;

/** What must be there beside the files of events: the directory, its records, and who owns it. */
export interface WriterHome {
  isThere(): boolean;
  /** Makes it again. @throws what the file system throws. */
  remake(): void;
}

export interface HomeWatchOptions {
  readonly clock: Clock;
  readonly home: WriterHome;
  /** Makes the file again that is written to. @returns Whether it was gone. @throws what the file system throws. */
  readonly restoreFile: () => boolean;
  /** Told when something was made again. */
  readonly onRestored: () => void;
  /** Told when it can't be made again now. */
  readonly onFailure: (error: unknown) => void;
}

/** Sees to it that a directory that somebody removes under the running process is there again. */
export class HomeWatch {
  readonly #options: HomeWatchOptions;
  #cancel: (() => void) | undefined;
  #isAway = false;
  #isClosed = false;

  constructor(options: HomeWatchOptions) {
    this.#options = options;
  }

  /** Whether it is gone and could not be made again yet. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Something was written: soon it is looked whether it is there. */
  noteWrite(): void {
    if (!this.#cancel) this.#schedule();
  }

  /** Makes again what is gone; never throws. @returns Whether something was gone, and is there again. */
  tryRestore(): boolean {
    if (this.#isClosed) return false;
    try {
      return this.restore();
    } catch (error) {
      this.#isAway = true;
      this.#options.onFailure(error);
      this.#schedule();
      return false;
    }
  }

  /** As `tryRestore`. @throws what the file system throws. */
  restore(): boolean {
    const { home, restoreFile, onRestored } = this.#options;
    const isMissing = !home.isThere();
    if (isMissing) home.remake();
    const isRestored = restoreFile() || isMissing;
    this.#isAway = false;
    if (isRestored) onRestored();
    return isRestored;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = this.#options.clock.schedule(() => {
      this.#cancel = undefined;
      this.tryRestore();
    }, LOOK_INTERVAL_MILLIS);
  }
}
