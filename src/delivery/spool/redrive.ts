import { chownSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../util/clock.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { StoredEvent } from "../event-store.ts";
import { removeDeadLetter, viewLetter, type DeadLetter } from "./dead-letters.ts";
import type { SpoolSource } from "./frame-file.ts";
import { nodeFileSystem } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { probeOwner } from "./owner.ts";
import { SegmentSet } from "./segment-set.ts";
import { SegmentWriter } from "./segment-writer.ts";
import {
  DEAD_LETTER_DIRECTORY,
  parseStagingName,
  toStagingName,
  writeWriterRecord,
} from "./writers.ts";

const DIRECTORY_MODE = 0o700;
/** Bytes at which a file of events ends; its events are in memory until it is written. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Removes unfinished directories of owners that are gone; the dead letters from which they were made are still there.
 *
 * @returns Whether another owner is making one now.
 * @throws the error of the file system.
 */
export async function removeUnfinished(directory: string, machine: Machine): Promise<boolean> {
  let isBusy = false;
  for (const name of readdirSync(directory)) {
    const ownerId = parseStagingName(name);
    if (ownerId === undefined) continue;
    if ((await probeOwner(directory, ownerId, machine)) === "dead")
      rmSync(join(directory, name), { recursive: true, force: true });
    else isBusy = true;
  }
  return isBusy;
}

/** Dead letters that are redriven as one writer. */
export interface RedriveGroup {
  readonly organizationId: string;
  /** Whether their files are encrypted, so that those of the new writer are, too. */
  readonly isEncrypted: boolean;
  /** Names of their files. */
  readonly names: readonly string[];
}

/** Creates an event with another writer and sequence; it keeps its id, by which the platform knows it. */
function toEvent({ event }: DeadLetter, writerId: string, sequence: number): StoredEvent {
  const { writerId: _formerWriter, sequence: _formerSequence, ...rest } = event;
  const json = Buffer.from(JSON.stringify({ ...rest, writerId, sequence }));
  return { sequence, timestamp: Number(event["timestamp"]), json };
}

/** A dead letter's file, and the event of it for its new writer. */
type Redriven = { readonly name: string; readonly event: StoredEvent };

/** Reads the events of a group in pieces, each enough for one file; letters that can't be read any more stay where they are. */
async function* readPieces(
  source: SpoolSource,
  names: readonly string[],
  writerId: string,
): AsyncGenerator<readonly Redriven[]> {
  let sequence = 0;
  let bytes = 0;
  let piece: Redriven[] = [];
  for (const name of names) {
    const view = await viewLetter(source, name);
    if (view?.kind !== "letter") continue;
    const event = toEvent(view.letter, writerId, ++sequence);
    piece.push({ name, event });
    bytes += event.json.length;
    if (bytes < MAX_FILE_BYTES) continue;
    yield piece;
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield piece;
}

/** Changes the owner of files that root has made to that of the spool directory, whose process could not read them. */
function handOver(directory: string, path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  for (const made of [...readdirSync(path).map((name) => join(path, name)), path])
    chownSync(made, uid, gid);
}

/** Makes the directory of a writer, safe from a power cut. @returns Names of the letters whose events are in it. */
async function makeWriter(
  source: SpoolSource,
  { organizationId, isEncrypted, names }: RedriveGroup,
  writerId: string,
  path: string,
): Promise<string[]> {
  const fs = nodeFileSystem;
  const cipherOf: SpoolSource["cipherOf"] = (name) =>
    isEncrypted ? source.cipherOf(name) : undefined;
  const parts = { directory: path, fs, cipherOf };
  const segments = new SegmentSet(parts);
  const bounds = { maxSegmentBytes: MAX_FILE_BYTES, isPowerSafe: true };
  const writer = new SegmentWriter({ ...parts, ...bounds, writerId, segments });
  const written: string[] = [];
  mkdirSync(path, { mode: DIRECTORY_MODE });
  for await (const piece of readPieces(source, names, writerId)) {
    const events = piece.map(({ event }) => event);
    await writer.writeApart(events[0]?.sequence ?? 1, events);
    written.push(...piece.map(({ name }) => name));
  }
  const record = { format: 1, writerId, organizationId, createdAt: systemClock.now() } as const;
  const failure = writeWriterRecord(path, record);
  if (failure) throw Object.assign(new Error("writer.json"), { code: failure.code });
  handOver(source.spoolDirectory, path);
  await fs.syncDirectory(path);
  return written;
}

/**
 * Makes a writer of dead letters, whose adopter delivers them, and removes the letters.
 *
 * The directory is complete and would survive a power cut before anybody can see it, and the letters are removed
 * only after it has its name: an interruption costs no event, and an event that is sent twice keeps its id.
 *
 * @param ownerId - Owner that is open in this process.
 * @returns Number of events that will be sent again.
 * @throws the error of the file system.
 */
export async function redriveGroup(
  source: SpoolSource,
  group: RedriveGroup,
  ownerId: string,
): Promise<number> {
  const { spoolDirectory } = source;
  const writerId = uuidV7(systemClock.now());
  const path = join(spoolDirectory, toStagingName(ownerId, writerId));
  let written: string[];
  try {
    written = await makeWriter(source, group, writerId, path);
    if (written.length > 0) renameSync(path, join(spoolDirectory, writerId));
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
  if (written.length === 0) {
    rmSync(path, { recursive: true, force: true });
    return 0;
  }
  await nodeFileSystem.syncDirectory(spoolDirectory);
  for (const name of written) removeDeadLetter({ ...source, fs: nodeFileSystem }, name);
  await nodeFileSystem.syncDirectory(join(spoolDirectory, DEAD_LETTER_DIRECTORY));
  return written.length;
}
