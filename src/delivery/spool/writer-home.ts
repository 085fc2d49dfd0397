import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../util/clock.ts";
import { SpoolError, type FileSystem } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { listParents, openWriter, type OpenWriter } from "./open-writer.ts";
import { ownerRecordPath } from "./owner-record.ts";
import type { SpoolContext } from "./spool-room.ts";

/** Our files in the order in which they may go: nothing of what is left says that there is more to send. */
const REMOVAL_ORDER = [/\.seg$/, /\.journal$/, /^writer\.json(?:\.tmp)?$/];

/** Removes a writer directory of which everything is settled; what isn't ours stays, and the directory with it. */
export function removeWriterDirectory(fs: FileSystem, path: string): void {
  try {
    const names = fs.list(path);
    for (const pattern of REMOVAL_ORDER) {
      for (const name of names) if (pattern.test(name)) fs.remove(join(path, name));
    }
    fs.removeDirectory(path);
  } catch {
    // It is tried again by whoever adopts it, and there is nothing in it to send.
  }
}

/**
 * Sums up the bytes of the files in a directory and the directories in it, a file at a time: there may be very many,
 * and the application must not wait for them. What vanishes meanwhile counts nothing.
 */
export async function measureDirectory(path: string): Promise<number> {
  let bytes = 0;
  try {
    for await (const entry of await opendir(path)) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) bytes += await measureDirectory(inner);
      else if (entry.isFile()) bytes += await measureFile(inner);
    }
  } catch {
    // Gone, or not ours to look into.
  }
  return bytes;
}

async function measureFile(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** A directory that somebody removes is found missing within this time in ms of the next event. */
const LOOK_INTERVAL_MILLIS = 1000;

/** What must be there beside the files of events: the directory, its records, and who owns it. */
export interface WriterHome {
  isThere(): boolean;
  /** Makes it again. @throws what the file system throws. */
  remake(): void;
}

interface HomeWatchOptions {
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

/** The directory of a writer, owned from its first moment on until it is closed. */
export interface OwnedHome extends WriterHome {
  readonly path: string;
  /** The directories above, up to one that was there before. */
  readonly parents: readonly string[];
  /** Says that the owner is gone. */
  close(): void;
}

/**
 * Makes a writer's directory, and makes it again when somebody has removed it, or when it can't be made at first: a disk
 * may be mounted later. The room says why it can't.
 */
export function createWriterHome(
  room: SpoolContext,
  writerId: string,
  machine: Machine,
): OwnedHome {
  const { fs, log, spoolDirectory } = room;
  const path = join(spoolDirectory, writerId);
  const needed = [path, ownerRecordPath(spoolDirectory, writerId)];
  let writer: OpenWriter | undefined;
  try {
    writer = openWriter(room, writerId, machine);
  } catch (error) {
    if (!(error instanceof SpoolError)) throw error;
    room.problem = error;
  }
  return {
    path,
    get parents() {
      return writer?.parents ?? listParents(spoolDirectory);
    },
    isThere: () => needed.every((one) => fs.exists(one)),
    remake() {
      // First: a socket that is closed later would take the new one's name away.
      writer?.owner.close();
      writer = openWriter(room, writerId, machine);
      const isFirst = room.problem !== undefined;
      room.problem = undefined;
      if (isFirst) return;
      const message = `spool: ${path} was removed while it was in use; it is made again`;
      log.log("error", "spool_removed", message);
    },
    close: () => writer?.owner.close(),
  };
}
