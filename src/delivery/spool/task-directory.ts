import { join } from "node:path";
import { parseJson, toRecord } from "../../util/values.ts";
import { AppendFile, readFrames, toUniqueName, type FrameDirectory } from "./frame-file.ts";
import { FRAME_TYPES } from "./frame.ts";

// Same ending as the files of events; removed with the directory of its writer.
const NAME = /^\d{16}-[0-9a-f]{32}\.tasks\.seg$/;
/** Length at which a file is followed by another, so that one of finished tasks can be removed. */
const ROTATE_ABOVE_BYTES = 4 * 1024 * 1024;
/** Length below which a file of finished tasks stays for the next ones. */
const CLEAR_ABOVE_BYTES = 256 * 1024;

/** A task whose parts are finished one by one. */
export interface KeptTask {
  readonly id: string;
  /** Parts that are open. */
  readonly parts: readonly string[];
  /** The task as JSON. */
  readonly json: string;
}

/** Directory, encryption and size limit of tasks. */
export interface TaskDirectoryOptions extends FrameDirectory {
  /** Maximum bytes of all its files; a task beyond is not kept. */
  readonly maxBytes: number;
}

/** Number of tasks with open parts. */
interface OpenCount {
  open: number;
}

interface TaskFile extends OpenCount {
  readonly file: AppendFile;
  /** Number of frames, which counts up: nothing is sealed twice under one number. */
  frames: number;
}

interface OpenTask {
  readonly of: OpenCount;
  readonly parts: Set<string>;
}

/**
 * The tasks of one writer, in files that are only appended to: tasks, and their parts that are finished.
 *
 * A file is removed when its tasks are done and the files before it are gone, since it may record finished parts of
 * their tasks.
 */
export class TaskDirectory {
  readonly #options: TaskDirectoryOptions;
  readonly #files: TaskFile[] = [];
  /** Tasks in the files of an earlier owner, which are only read. */
  readonly #left: OpenCount;
  readonly #tasks = new Map<string, OpenTask>();

  /** @param left - Tasks that an earlier owner has left in it. */
  constructor(options: TaskDirectoryOptions, left: readonly KeptTask[] = []) {
    this.#options = options;
    this.#left = { open: left.length };
    for (const { id, parts } of left)
      this.#tasks.set(id, { of: this.#left, parts: new Set(parts) });
  }

  get path(): string {
    return this.#options.directory;
  }

  /** Whether no task is open. */
  get isDone(): boolean {
    return this.#tasks.size === 0;
  }

  has(id: string): boolean {
    return this.#tasks.has(id);
  }

  /**
   * Keeps a task.
   *
   * @throws the error of the file system, or an error with the code `ENOSPC` when the tasks would exceed `maxBytes`.
   */
  add({ id, parts, json }: KeptTask, timestamp: number): void {
    if (this.#tasks.has(id) || parts.length === 0) return;
    // On a line of its own: the task is JSON already.
    const entry = `${JSON.stringify({ id, parts })}\n${json}`;
    const used = this.#files.reduce((sum, { file }) => sum + file.bytes, 0);
    if (used + entry.length > this.#options.maxBytes)
      throw Object.assign(new Error("too many tasks"), { code: "ENOSPC" });
    const file = this.#append(entry, timestamp);
    file.open++;
    this.#tasks.set(id, { of: file, parts: new Set(parts) });
  }

  /** Records that a part of a task is done. @throws the error of the file system: then it may be done again. */
  finish(id: string, part: string, timestamp: number): void {
    const task = this.#tasks.get(id);
    if (!task?.parts.delete(part)) return;
    if (task.parts.size === 0) {
      this.#tasks.delete(id);
      task.of.open--;
    }
    try {
      this.#append(JSON.stringify({ id, done: part }), timestamp);
    } finally {
      this.#reclaim();
    }
  }

  close(): void {
    for (const { file } of this.#files) file.close();
    this.#files.length = 0;
  }

  #append(entry: string, timestamp: number): TaskFile {
    const into = this.#toFile(timestamp);
    const head = { type: FRAME_TYPES.task, sequence: ++into.frames, timestamp };
    into.file.append(into.file.toFrame(head, Buffer.from(entry)));
    return into;
  }

  #toFile(timestamp: number): TaskFile {
    const last = this.#files.at(-1);
    if (last && last.file.bytes < ROTATE_ABOVE_BYTES) return last;
    const { directory, fs, cipherOf } = this.#options;
    const name = toUniqueName(timestamp, "tasks.seg");
    const file = new AppendFile(fs, join(directory, name), cipherOf(name));
    const next = { file, frames: 0, open: 0 };
    this.#files.push(next);
    return next;
  }

  #reclaim(): void {
    if (this.#left.open > 0) return;
    for (let [first] = this.#files; first?.open === 0; [first] = this.#files) {
      const { file } = first;
      if (this.#files.length === 1 && file.bytes < CLEAR_ABOVE_BYTES) return;
      this.#files.shift();
      file.close();
      this.#options.fs.remove(file.path);
    }
  }
}

type Entry = KeptTask | { readonly id: string; readonly done: string };

/** Parses a frame: a line with the task's id and parts, and for a new task its JSON after that. */
function parseEntry(payload: Buffer): Entry | undefined {
  const text = payload.toString();
  const [head = ""] = text.split("\n", 1);
  const { id, parts, done } = toRecord(parseJson(head));
  if (typeof id !== "string") return undefined;
  if (typeof done === "string") return { id, done };
  if (!Array.isArray(parts)) return undefined;
  const open = parts.filter((part) => typeof part === "string");
  return { id, parts: open, json: text.slice(head.length + 1) };
}

/**
 * Reads the tasks of a directory that have open parts, the oldest first; skips damage.
 *
 * @returns These tasks, and whether others are encrypted with another key.
 * @throws the error of the file system.
 */
export async function readTasks({ directory, fs, cipherOf }: FrameDirectory) {
  const tasks = new Map<string, KeptTask>();
  const done = new Map<string, Set<string>>();
  let isLocked = false;
  const names = fs.list(directory).filter((name) => NAME.test(name));
  for (const name of names.toSorted())
    await readFrames(fs, join(directory, name), cipherOf(name), ({ type }, json) => {
      isLocked ||= !json;
      const entry = json && type === FRAME_TYPES.task ? parseEntry(json) : undefined;
      if (entry && "done" in entry)
        done.set(entry.id, (done.get(entry.id) ?? new Set()).add(entry.done));
      else if (entry) tasks.set(entry.id, entry);
      return true;
    });
  const open = [...tasks.values()].map((task) => ({
    ...task,
    parts: task.parts.filter((part) => !done.get(task.id)?.has(part)),
  }));
  return { tasks: open.filter(({ parts }) => parts.length > 0), isLocked };
}
