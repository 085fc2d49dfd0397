import { dirname, join } from "node:path";
import type { Clock } from "../../util/clock.ts";
import { SpoolError, toErrorCode } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { openOwner, ownerRecordPath } from "./owner.ts";
import { RECORD_FORMAT } from "./record-file.ts";
import type { SpoolContext } from "./spool-context.ts";
import { writeWriterRecord } from "./writers.ts";

/** Time in ms after the next event within which a removed directory is noticed. */
const LOOK_INTERVAL_MILLIS = 1000;

/**
 * Directory of a writer, with its records and its owner but without the event files; owned from its first moment on
 * until it is closed.
 */
export type WriterHome = ReturnType<typeof createWriterHome>;

interface HomeWatchOptions {
  readonly clock: Clock;
  readonly home: Pick<WriterHome, "isThere" | "remake">;
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
  /** Whether the directory is gone and could not be made again yet. */
  isAway = false;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(options: HomeWatchOptions) {
    this.#options = options;
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
      this.isAway = true;
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
    this.isAway = false;
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

/** A writer directory that was just made, and its owner. */
export type OpenWriter = ReturnType<typeof openWriter>;

/** Lists a directory and its ancestors, up to the one in which the topmost that was made has its name. */
function listParents(spoolDirectory: string, topmost = spoolDirectory): string[] {
  const parents = [spoolDirectory];
  for (let path = spoolDirectory; path.length >= topmost.length && path !== dirname(path);) {
    path = dirname(path);
    parents.push(path);
  }
  return parents;
}

/** Location and organization of a new writer directory. */
export interface WriterPlace extends Pick<SpoolContext, "fs" | "spoolDirectory" | "clock"> {
  readonly origin: Pick<SpoolContext["origin"], "organizationId">;
}

/**
 * Makes a writer's directory, which is owned from its first moment on.
 *
 * @throws SpoolError
 */
export function openWriter(
  { fs, spoolDirectory, origin, clock }: WriterPlace,
  writerId: string,
  machine: Machine,
) {
  const path = join(spoolDirectory, writerId);
  const now = clock.now();
  let owner: ReturnType<typeof openOwner> | undefined;
  try {
    const topmost = fs.makeDirectory(spoolDirectory);
    owner = openOwner(spoolDirectory, writerId, machine, now);
    if ("status" in owner) throw new SpoolError(spoolDirectory, owner.code);
    fs.makeDirectory(path);
    const { organizationId } = origin;
    const record = { format: RECORD_FORMAT, writerId, organizationId, createdAt: now } as const;
    const failure = writeWriterRecord(path, record);
    if (failure) throw new SpoolError(spoolDirectory, failure.code);
    return { owner, path, parents: listParents(spoolDirectory, topmost) };
  } catch (error) {
    if (owner && "close" in owner) owner.close();
    throw error instanceof SpoolError ? error : new SpoolError(spoolDirectory, toErrorCode(error));
  }
}

/**
 * Makes a writer's directory, and makes it again when somebody has removed it, or when it could not be made: a
 * disk may be mounted later. Meanwhile `problem` of the context is the error.
 *
 * @param onRemade - Called when the directory was made again.
 */
export function createWriterHome(
  context: SpoolContext,
  writerId: string,
  machine: Machine,
  onRemade: () => void,
) {
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
    /** Its ancestors, up to one that was there before: a power cut must not take away their names. */
    get parents(): readonly string[] {
      return writer?.parents ?? listParents(spoolDirectory);
    },
    isThere: (): boolean => needed.every((one) => fs.exists(one)),
    /** Makes the directory again. @throws the error of the file system. */
    remake(): void {
      // First: an old socket that is closed later would remove the new one's name.
      writer?.owner.close();
      writer = openWriter(context, writerId, machine);
      const isFirst = context.problem !== undefined;
      context.problem = undefined;
      if (!isFirst) {
        const message = `spool: ${path} was removed while it was in use; it is made again`;
        log.log("error", "spool_removed", message);
      }
      onRemade();
    },
    /** Ends the ownership. */
    close: (): void => writer?.owner.close(),
  };
}
