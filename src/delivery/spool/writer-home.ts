import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../util/clock.ts";
import { SpoolError, type FileSystem } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { listParents, openWriter, type OpenWriter } from "./open-writer.ts";
import { ownerRecordPath } from "./owner-record.ts";
import type { SpoolContext } from "./spool-room.ts";

/** Our files in the order in which they are removed: no rest of them looks as if there were more to send. */
const REMOVAL_ORDER = [/\.seg$/, /\.journal$/, /^writer\.json(?:\.tmp)?$/];

/** Removes a writer directory whose events are all settled; foreign files stay, and the directory with them. */
export function removeWriterDirectory(fs: FileSystem, path: string): void {
  try {
    const names = fs.list(path);
    for (const pattern of REMOVAL_ORDER) {
      for (const name of names) if (pattern.test(name)) fs.remove(join(path, name));
    }
    fs.removeDirectory(path);
  } catch {
    // The next adopter tries again, and finds no event to send.
  }
}

/**
 * Computes the bytes of the files in a directory and its subdirectories, a file at a time: there may be very many,
 * and the application must not wait for them. Files that vanish meanwhile count as 0.
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
    // Gone, or not ours to read.
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

/** Time in ms after the next event within which a removed directory is noticed. */
const LOOK_INTERVAL_MILLIS = 1000;

/** Parts of a writer directory beside the event files: the directory itself, its records, and its owner. */
export interface WriterHome {
  isThere(): boolean;
  /** Makes the directory again. @throws the error of the file system. */
  remake(): void;
}

interface HomeWatchOptions {
  readonly clock: Clock;
  readonly home: WriterHome;
  /** Makes a removed active file again. @returns Whether it was gone. @throws the error of the file system. */
  readonly restoreFile: () => boolean;
  /** Called when something was made again. */
  readonly onRestored: () => void;
  /** Called when the directory can't be made again now. */
  readonly onFailure: (error: unknown) => void;
}

/** Restores a directory that somebody removes while the process runs. */
export class HomeWatch {
  readonly #options: HomeWatchOptions;
  #cancel: (() => void) | undefined;
  #isAway = false;
  #isClosed = false;

  constructor(options: HomeWatchOptions) {
    this.#options = options;
  }

  /** Whether the directory is gone and could not be made again yet. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Schedules a check of the directory after a write. */
  noteWrite(): void {
    if (!this.#cancel) this.#schedule();
  }

  /** Restores missing parts; never throws. @returns Whether something was gone, and is there again. */
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

  /** As `tryRestore`. @throws the error of the file system. */
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

/** Directory of a writer, owned from its first moment on until it is closed. */
export interface OwnedHome extends WriterHome {
  readonly path: string;
  /** Its ancestors, up to one that was there before. */
  readonly parents: readonly string[];
  /** Ends the ownership. */
  close(): void;
}

/**
 * Makes a writer's directory, and makes it again when somebody has removed it, or when it could not be made: a
 * disk may be mounted later. Meanwhile `problem` of the context is the error.
 */
export function createWriterHome(
  context: SpoolContext,
  writerId: string,
  machine: Machine,
): OwnedHome {
  const { fs, log, spoolDirectory } = context;
  const path = join(spoolDirectory, writerId);
  const needed = [path, ownerRecordPath(spoolDirectory, writerId)];
  let writer: OpenWriter | undefined;
  try {
    writer = openWriter(context, writerId, machine);
  } catch (error) {
    if (!(error instanceof SpoolError)) throw error;
    context.problem = error;
  }
  return {
    path,
    get parents() {
      return writer?.parents ?? listParents(spoolDirectory);
    },
    isThere: () => needed.every((one) => fs.exists(one)),
    remake() {
      // First: an old socket that is closed later would remove the new one's name.
      writer?.owner.close();
      writer = openWriter(context, writerId, machine);
      const isFirst = context.problem !== undefined;
      context.problem = undefined;
      if (isFirst) return;
      const message = `spool: ${path} was removed while it was in use; it is made again`;
      log.log("error", "spool_removed", message);
    },
    close: () => writer?.owner.close(),
  };
}
