import { dirname, join } from "node:path";
import { systemClock } from "../../util/clock.ts";
import { uuidV7 } from "../../util/ids.ts";
import { SpoolError, toErrorCode, type Failure } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { openOwner, removeOwnerTraces, type Owner } from "./owner.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";
import type { SpoolContext } from "./spool-room.ts";
import { claimWriter, listWriters, type WriterEntry } from "./writers.ts";

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

/** A writer directory that was just made, and its owner. */
export interface OpenWriter {
  readonly owner: Owner;
  readonly path: string;
  /** Its ancestors, up to one that was there before: a power cut must not take away their names. */
  readonly parents: readonly string[];
}

/** Lists a directory and its ancestors, up to the one in which the topmost that was made has its name. */
export function listParents(spoolDirectory: string, topmost = spoolDirectory): string[] {
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
): OpenWriter {
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
