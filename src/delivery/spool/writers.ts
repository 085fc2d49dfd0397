import { readdirSync, renameSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { DEAD_LETTER_DIRECTORY } from "./dead-letters.ts";
import { toErrorCode, type Failure } from "./file-system.ts";

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
export interface WriterListing {
  /** Oldest first. */
  readonly writers: readonly WriterEntry[];
  /** Owners that have left, or keep, a record or a socket; sorted. */
  readonly ownerIds: readonly string[];
  /** Writers that ended with nothing left to send, and which no batch names yet; sorted. */
  readonly endedIds: readonly string[];
  /** Foreign names, the first ten; they may hold any character. */
  readonly foreign: readonly string[];
  readonly foreignCount: number;
  /** Failure to list the directory. */
  readonly failure?: Failure;
}

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

function toEnded(entry: Dirent): { writerId: string; isWhole: boolean } | undefined {
  const [, writerId, temporary] = (entry.isFile() && ENDED_NAME.exec(entry.name)) || [];
  return writerId === undefined ? undefined : { writerId, isWhole: temporary === undefined };
}

function byWriterId(a: WriterEntry, b: WriterEntry): number {
  return a.path < b.path ? -1 : 1;
}

/** Lists the content of a spool directory; never throws. */
export function listWriters(directory: string): WriterListing {
  const writers: WriterEntry[] = [];
  const ownerIds = new Set<string>();
  const endedIds: string[] = [];
  const foreign: string[] = [];
  let foreignCount = 0;
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const writer = toWriterEntry(directory, entry);
      const ownerId = toOwnerId(entry);
      const ended = toEnded(entry);
      if (writer) writers.push(writer);
      else if (ownerId !== undefined) ownerIds.add(ownerId);
      else if (ended) endedIds.push(...(ended.isWhole ? [ended.writerId] : []));
      else if (entry.name !== DEAD_LETTER_DIRECTORY && entry.name !== TASK_DIRECTORY) {
        foreignCount += 1;
        if (foreign.length < MAX_FOREIGN_NAMES) foreign.push(entry.name);
      }
    }
  } catch (error) {
    const failure = { status: "failed", code: toErrorCode(error) } as const;
    return { writers: [], ownerIds: [], endedIds: [], foreign: [], foreignCount: 0, failure };
  }
  // UUIDs of version 7 sort by time.
  return {
    writers: writers.toSorted(byWriterId),
    ownerIds: [...ownerIds].toSorted(),
    endedIds: endedIds.toSorted(),
    foreign,
    foreignCount,
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
    const code = toErrorCode(error);
    return code === "ENOENT" ? undefined : { status: "failed", code };
  }
}
