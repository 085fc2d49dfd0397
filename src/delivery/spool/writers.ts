import { readdirSync, renameSync, type Dirent } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../util/clock.ts";
import { uuidV7 } from "../../util/ids.ts";
import { toErrorCode, toFailure, type Failure, type FileSystem } from "./file-system.ts";
import { removeOwnerTraces } from "./owner.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";

/** Directory of the dead letters, below the spool directory. */
export const DEAD_LETTER_DIRECTORY = "dead";
/** Directory of the tasks, below the spool directory. */
export const TASK_DIRECTORY = "tasks";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const WRITER_NAME = new RegExp(`^(${UUID})(?:\\.by-(${UUID}))?$`);
const OWNER_NAME = new RegExp(`^(${UUID})\\.(?:owner\\.json(?:\\.tmp)?|sock)$`);
const ENDED_NAME = new RegExp(`^(${UUID})\\.ended\\.json(\\.tmp)?$`);
/** Enough to show what has got into the directory. */
const MAX_FOREIGN_NAMES = 10;

/** A directory of one writer's events. */
export interface WriterEntry {
  readonly writerId: string;
  /** Owner that may read, write and remove it. The first owner of a writer has the writer's id. */
  readonly ownerId: string;
  readonly path: string;
}

/** Content of a spool directory. */
export type WriterListing = ReturnType<typeof listWriters>;

/** Parses the name of a writer directory; a link or a file of such a name is none. */
function toWriterEntry(directory: string, entry: Dirent): WriterEntry | undefined {
  const match = entry.isDirectory() ? WRITER_NAME.exec(entry.name) : null;
  const writerId = match?.[1];
  if (!match || writerId === undefined) return undefined;
  return { writerId, ownerId: match[2] ?? writerId, path: join(directory, entry.name) };
}

function toOwnerId(entry: Dirent): string | undefined {
  const isPlausible = entry.isFile() || entry.isSocket();
  return isPlausible ? OWNER_NAME.exec(entry.name)?.[1] : undefined;
}

/** Lists the content of a spool directory; never throws. */
export function listWriters(directory: string) {
  const writers: WriterEntry[] = [];
  const ownerIds = new Set<string>();
  const endedIds: string[] = [];
  const foreign: string[] = [];
  let failure: Failure | undefined;
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const writer = toWriterEntry(directory, entry);
      const ownerId = toOwnerId(entry);
      const [, endedId, temporary] = (entry.isFile() && ENDED_NAME.exec(entry.name)) || [];
      if (writer) writers.push(writer);
      else if (ownerId !== undefined) ownerIds.add(ownerId);
      else if (endedId !== undefined) endedIds.push(...(temporary === undefined ? [endedId] : []));
      else if (entry.name !== DEAD_LETTER_DIRECTORY && entry.name !== TASK_DIRECTORY)
        foreign.push(entry.name);
    }
  } catch (error) {
    failure = toFailure(error);
  }
  return {
    /** Oldest first: UUIDs of version 7 sort by time. */
    writers: writers.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    /** Owners that have left, or keep, a record or a socket; sorted. */
    ownerIds: [...ownerIds].toSorted(),
    /** Writers that ended with nothing left to send, and which no batch names yet; sorted. */
    endedIds: endedIds.toSorted(),
    /** Foreign names, the first ten; they may hold any character. */
    foreign: foreign.slice(0, MAX_FOREIGN_NAMES),
    foreignCount: foreign.length,
    /** Failure to list the directory. */
    ...(failure && { failure }),
  };
}

/**
 * Takes over a writer directory whose owner is dead.
 *
 * The rename is the claim. The name before it holds the id of the former owner, which nobody uses again: of several
 * owners that try, exactly one succeeds, and another one that still sees the old name can't take the directory
 * from it.
 *
 * @param ownerId - Owner that is open in this process.
 * @returns The directory under its new name; `undefined` if another owner was faster.
 * @see rename(2)
 */
export function claimWriter(
  directory: string,
  { writerId, path: from }: WriterEntry,
  ownerId: string,
): WriterEntry | Failure | undefined {
  const path = join(directory, `${writerId}.by-${ownerId}`);
  try {
    renameSync(from, path);
    return { writerId, ownerId, path };
  } catch (error) {
    return toErrorCode(error) === "ENOENT" ? undefined : toFailure(error);
  }
}

const STAGING_NAME = new RegExp(`^\\.redrive-(${UUID})-(${UUID})$`);

/** Returns the name of a directory that is being made; it is no name of a writer directory. */
export function toStagingName(ownerId: string, writerId: string): string {
  return `.redrive-${ownerId}-${writerId}`;
}

/** Returns whether a name is that of a directory that is being made. */
export function isStagingName(name: string): boolean {
  return STAGING_NAME.test(name);
}

/** Parses the id of the owner that makes a directory; `undefined` when the name is not that of one being made. */
export function parseStagingName(name: string): string | undefined {
  return STAGING_NAME.exec(name)?.[1];
}

/** Record of a writer directory. */
export interface WriterRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly writerId: string;
  /** Only a monitor of this organization may deliver the events in the directory. */
  readonly organizationId: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

function writerRecordPath(path: string): string {
  return join(path, "writer.json");
}

/** Reads the record of a writer directory; never throws. */
export function readWriterRecord(path: string): RecordReading<WriterRecord> {
  return readRecord(writerRecordPath(path), ({ writerId, organizationId, createdAt }) => {
    if (typeof writerId !== "string" || typeof organizationId !== "string") return undefined;
    if (typeof createdAt !== "number") return undefined;
    return { format: RECORD_FORMAT, writerId, organizationId, createdAt };
  });
}

/** Writes the record of a writer directory, which the caller owns and has made. */
export function writeWriterRecord(path: string, record: WriterRecord): Failure | undefined {
  return writeRecord(writerRecordPath(path), record);
}

/**
 * Takes a writer directory from its owner and leaves it to the next monitor that looks for orphans.
 *
 * Does not check that the owner is gone: a running owner loses what it writes from now on, and events that both
 * have are sent twice.
 *
 * @returns The directory under its new name; `undefined` if another owner was faster.
 */
export function freeWriter(
  directory: string,
  entry: WriterEntry,
): WriterEntry | Failure | undefined {
  // An owner that never existed: every probe finds it dead.
  const freed = claimWriter(directory, entry, uuidV7(systemClock.now()));
  const isLast = listWriters(directory).writers.every(({ ownerId }) => ownerId !== entry.ownerId);
  if (freed && !("status" in freed) && isLast) removeOwnerTraces(directory, entry.ownerId);
  return freed;
}

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
      else if (entry.isFile()) bytes += (await stat(inner).catch(() => undefined))?.size ?? 0;
    }
  } catch {
    // Gone, or not ours to read.
  }
  return bytes;
}
