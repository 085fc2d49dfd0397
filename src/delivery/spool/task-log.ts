import { join, resolve } from "node:path";
import { uuidV7 } from "../../util/ids.ts";
import type { BurstLogger } from "../../util/logger.ts";
import { findOrphans, removeDeadOwners, removeOwnerFiles } from "./ended-writers.ts";
import { nodeFileSystem, toErrorCode } from "./file-system.ts";
import { toCipherOf } from "./frame-file.ts";
import { readMachine } from "./machine.ts";
import type { SpoolSettings } from "./spool-context.ts";
import {
  readTasks,
  TaskDirectory,
  type KeptTask,
  type TaskDirectoryOptions,
} from "./task-directory.ts";
import { openWriter, type OpenWriter, type WriterPlace } from "./writer-home.ts";
import { claimWriter, removeWriterDirectory, TASK_DIRECTORY, type WriterEntry } from "./writers.ts";

/** Directory of this process. */
type OwnDirectory = { readonly writer: OpenWriter; readonly tasks: TaskDirectory };

/** Options of a `TaskLog`. */
export interface TaskLogOptions extends Pick<
  SpoolSettings,
  "spoolDirectory" | "maxSpoolBytes" | "spoolKey" | "fs"
> {
  /** Time in ms after which tasks that nobody can read are removed. Default: never. */
  readonly maxSpoolAge?: number | undefined;
  /** Tasks of another organization are not taken over. */
  readonly organizationId: string;
  readonly clock: WriterPlace["clock"];
  readonly log: BurstLogger;
}

/** Maximum bytes of the tasks of one process, and so of those of an ended one that are read into memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Divisor of the budget that limits the tasks: events need the space. */
const LOGS_PER_BUDGET = 8;
/** Tasks must be found too old twice, this far apart: a jump of the wall clock must not cost any. */
const CONFIRMATION_MILLIS = 3_600_000;
/** Wait before a directory that can't be made is tried again. */
const RETRY_MILLIS = 1000;

/**
 * Keeps open tasks beyond the end of the process, however it ends; a power cut may cost some of them.
 *
 * Each process has its own directory in that of the tasks; others take over the tasks of an ended process. Nothing
 * here throws: a failure to keep a task is logged, and has no other effect.
 */
export class TaskLog {
  readonly #options: TaskLogOptions;
  readonly #place: WriterPlace;
  readonly #files: Omit<TaskDirectoryOptions, "directory">;
  readonly #machine = readMachine();
  readonly #writerId: string;
  readonly #adopted = new Set<TaskDirectory>();
  /** Created at the first task that is kept or taken over. */
  #own: OwnDirectory | undefined;
  /** When unreadable tasks were first found too old, in monotonic ms, by their directory. */
  readonly #suspects = new Map<string, number>();
  #retryAt = 0;
  #isClosed = false;

  constructor(options: TaskLogOptions) {
    const { spoolDirectory, maxSpoolBytes, spoolKey, fs = nodeFileSystem } = options;
    const { organizationId, clock } = options;
    this.#options = options;
    this.#writerId = uuidV7(clock.now());
    const directory = join(resolve(spoolDirectory), TASK_DIRECTORY);
    this.#place = { fs, spoolDirectory: directory, origin: { organizationId }, clock };
    const maxBytes = Math.min(MAX_BYTES, maxSpoolBytes / LOGS_PER_BUDGET);
    this.#files = { fs, cipherOf: toCipherOf(spoolKey), maxBytes };
  }

  /** Keeps a task; it is with the kernel on return. @returns Whether it is kept. */
  add(task: KeptTask): boolean {
    const { clock } = this.#options;
    if (this.#isClosed || clock.monotonic() < this.#retryAt) return false;
    try {
      this.#open().tasks.add(task, clock.now());
      return true;
    } catch (error) {
      this.#report("tasks can't be kept beyond the end of this process", error);
      return false;
    }
  }

  /** Records that a part of a task is done, in whichever directory the task is. */
  finish(id: string, part: string): void {
    const known = [this.#own?.tasks, ...this.#adopted];
    const directory = known.find((one) => one?.has(id));
    if (!directory || this.#isClosed) return;
    try {
      directory.finish(id, part, this.#options.clock.now());
    } catch (error) {
      this.#report("it can't be noted that a task is done: it may be done again", error);
    }
    if (!directory.isDone || !this.#adopted.delete(directory)) return;
    directory.close();
    removeWriterDirectory(this.#place.fs, directory.path);
  }

  /**
   * Takes over the tasks of ended processes. Never rejects.
   *
   * @param maxTasks - Number of tasks after which no further process's are taken over; those of one come as a whole.
   */
  async recover(maxTasks: number): Promise<readonly KeptTask[]> {
    const { organizationId, clock } = this.#options;
    const { spoolDirectory } = this.#place;
    const found: KeptTask[] = [];
    try {
      this.#forgetRemoved();
      if (this.#isClosed || !this.#place.fs.exists(spoolDirectory)) return found;
      const adopter = { organizationId, ownerId: this.#writerId, machine: this.#machine };
      const { orphans, removable } = await findOrphans(spoolDirectory, adopter);
      for (const orphan of orphans) {
        if (found.length >= maxTasks) break;
        found.push(...(await this.#adopt(orphan)));
      }
      for (const entry of removable) {
        const claimed = this.#claim(entry);
        if (claimed) removeWriterDirectory(this.#place.fs, claimed.path);
      }
      await removeDeadOwners(spoolDirectory, this.#machine, clock.now());
    } catch (error) {
      this.#report("what ended processes have left can't be taken over", error);
    }
    return this.#isClosed ? [] : found;
  }

  /** Leaves open tasks to the next process. Never throws. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const directory of this.#adopted) directory.close();
    if (!this.#own) return;
    const { writer, tasks } = this.#own;
    tasks.close();
    if (tasks.isDone) removeWriterDirectory(this.#place.fs, writer.path);
    // Last of all: while the owner seems alive, nobody else touches its directories.
    writer.owner.close();
  }

  /** Closes the own directory if somebody has removed it: the next task is kept in a new one. */
  #forgetRemoved(): void {
    if (!this.#own || this.#place.fs.exists(this.#own.writer.path)) return;
    const { tasks, writer } = this.#own;
    this.#own = undefined;
    tasks.close();
    writer.owner.close();
  }

  #open(): OwnDirectory {
    if (this.#own) return this.#own;
    try {
      const writer = openWriter(this.#place, this.#writerId, this.#machine);
      const tasks = new TaskDirectory({ ...this.#files, directory: writer.path });
      this.#own = { writer, tasks };
      return this.#own;
    } catch (error) {
      this.#retryAt = this.#options.clock.monotonic() + RETRY_MILLIS;
      throw error;
    }
  }

  async #adopt(orphan: WriterEntry): Promise<readonly KeptTask[]> {
    const { tasks, isLocked } = await readTasks({ ...this.#files, directory: orphan.path });
    if (isLocked && !this.#isExpired(orphan))
      return this.#leave(orphan, "encrypted with another key");
    const entry = this.#claim(orphan);
    if (!entry) return [];
    // The next owner would only know of this one.
    await removeOwnerFiles(this.#place.spoolDirectory, orphan.ownerId, this.#machine);
    if (isLocked) return this.#giveUp(entry);
    if (this.#isClosed) return [];
    const directory = new TaskDirectory({ ...this.#files, directory: entry.path }, tasks);
    if (directory.isDone) removeWriterDirectory(this.#place.fs, entry.path);
    else this.#adopted.add(directory);
    return tasks;
  }

  /** Claims a directory; several processes may try. */
  #claim(orphan: WriterEntry): WriterEntry | undefined {
    if (this.#isClosed) return undefined;
    this.#open();
    const entry = claimWriter(this.#place.spoolDirectory, orphan, this.#writerId);
    if (!entry || !("status" in entry)) return entry;
    this.#leave(orphan, entry.code);
    return undefined;
  }

  #isExpired({ path }: WriterEntry): boolean {
    const { clock, maxSpoolAge = Infinity } = this.#options;
    const isOld = this.#place.fs
      .list(path)
      .every((name) => clock.now() - this.#place.fs.modifiedAt(join(path, name)) > maxSpoolAge);
    const since = this.#suspects.get(path) ?? clock.monotonic();
    if (isOld) this.#suspects.set(path, since);
    else this.#suspects.delete(path);
    return isOld && clock.monotonic() - since >= CONFIRMATION_MILLIS;
  }

  #giveUp({ path, writerId }: WriterEntry): [] {
    this.#suspects.clear();
    removeWriterDirectory(this.#place.fs, path);
    const message = `spool: the tasks of a writer that nobody can read are older than maxSpoolAge and removed: ${path}`;
    this.#options.log.log("warn", "spool_tasks_expired", message, { writerId });
    return [];
  }

  #leave({ path, writerId }: WriterEntry, reason: string): [] {
    const message = `spool: the tasks of a writer are left alone (${reason}): ${path}`;
    this.#options.log.log("warn", "spool_tasks_left", message, { writerId });
    return [];
  }

  #report(problem: string, error: unknown): void {
    const message = `spool: ${problem} in ${this.#place.spoolDirectory}`;
    this.#options.log.log("warn", "spool_tasks", message, { code: toErrorCode(error) });
  }
}
