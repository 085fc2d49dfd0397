import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { predecessorSchema, type Predecessor } from "../../events/chain.ts";
import { systemClock } from "../../util/clock.ts";
import { MAX_PREDECESSORS } from "../outbox-state.ts";
import type { Outbox } from "../outbox.ts";
import { nodeFileSystem, toErrorCode, tryRemove } from "./file-system.ts";
import type { Machine } from "./machine.ts";
import { ownerTraces, probeOwner, removeOwnerTraces, type OwnerState } from "./owner.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";
import type { SpoolContext } from "./spool-context.ts";
import { listWriters, readWriterRecord, type WriterEntry } from "./writers.ts";

/** End of a writer that has delivered everything: its last batch, and the predecessors that it was to name itself. */
interface EndRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly organizationId: string;
  /** URL of the platform that accepted the batches. */
  readonly platform: string;
  /** Milliseconds since the Unix epoch. */
  readonly endedAt: number;
  readonly predecessors: readonly Predecessor[];
}

type EndContext = Pick<SpoolContext, "spoolDirectory" | "origin" | "clock" | "maxSpoolAge">;

function endPath(directory: string, writerId: string): string {
  return join(directory, `${writerId}.ended.json`);
}

/** Reads a predecessor: a batch with an invalid one would be refused for ever. */
function toPredecessor(value: unknown): Predecessor[] {
  const { success, data } = predecessorSchema.safeParse(value);
  return success ? [data] : [];
}

function readEnd(directory: string, writerId: string): RecordReading<EndRecord> {
  return readRecord(endPath(directory, writerId), (members) => {
    const { organizationId, platform, endedAt, predecessors } = members;
    if (typeof organizationId !== "string" || typeof platform !== "string") return undefined;
    if (typeof endedAt !== "number" || !Array.isArray(predecessors)) return undefined;
    const valid = predecessors.flatMap(toPredecessor);
    const first = valid.slice(0, MAX_PREDECESSORS);
    return { format: RECORD_FORMAT, organizationId, platform, endedAt, predecessors: first };
  });
}

/** Removes the end of a writer that another writer names from now on; never throws. */
export function removeEnd(directory: string, writerId: string): void {
  const path = endPath(directory, writerId);
  // One that stays is named once more.
  for (const name of [path, `${path}.tmp`]) tryRemove(nodeFileSystem, name);
}

/**
 * Writes the end of a writer that has nothing more to send, for the next writer of the directory to name.
 *
 * @returns Whether its directory may go; if not, its adopter reports what it has left.
 */
export function leaveEnd(context: EndContext, { writerId, legacy }: Outbox): boolean {
  const { reports, predecessors } = legacy;
  if (reports.some(({ firstSequence }) => firstSequence !== undefined)) return false;
  if (predecessors.length === 0) return true;
  const { spoolDirectory, origin, clock } = context;
  const { organizationId, platform } = origin;
  const place = { format: RECORD_FORMAT, organizationId, platform } as const;
  const record: EndRecord = { ...place, endedAt: clock.now(), predecessors };
  return writeRecord(endPath(spoolDirectory, writerId), record) === undefined;
}

/**
 * Makes a writer name those that ended in its directory; ends of another organization or platform are left to its own
 * writers, as long as events would be.
 */
export function takeEnds(context: EndContext, own: Outbox): void {
  const { spoolDirectory, origin, clock, maxSpoolAge } = context;
  for (const writerId of listWriters(spoolDirectory).endedIds) {
    // The others follow once a batch has named these.
    if (own.legacy.predecessors.length >= MAX_PREDECESSORS) return;
    const reading = readEnd(spoolDirectory, writerId);
    if (reading.status === "damaged") removeEnd(spoolDirectory, writerId);
    if (reading.status !== "valid") continue;
    const { organizationId, platform, endedAt, predecessors } = reading.record;
    const isOurs = organizationId === origin.organizationId && platform === origin.platform;
    if (isOurs) own.carry({ reports: [], predecessors });
    if (isOurs || clock.now() - endedAt > maxSpoolAge) removeEnd(spoolDirectory, writerId);
  }
}

/** Longer than an owner takes to write its record after its socket. */
const OPENING_MILLIS = 60_000;

async function removeIdle(
  directory: string,
  ownerIds: readonly string[],
  machine: Machine,
): Promise<number> {
  const dead: string[] = [];
  for (const ownerId of ownerIds) {
    if ((await probeOwner(directory, ownerId, machine)) === "dead") dead.push(ownerId);
  }
  // Listed after the probe: the dead claim nothing, so an owner without a directory now never will have one.
  const { writers, failure } = listWriters(directory);
  if (failure) return 0;
  const owning = new Set(writers.map(({ ownerId }) => ownerId));
  const idle = dead.filter((ownerId) => !owning.has(ownerId));
  for (const ownerId of idle) removeOwnerTraces(directory, ownerId);
  return idle.length;
}

/**
 * Removes the record and the socket of an owner, if it is dead and owns no directory any more; never throws.
 *
 * To be called after a directory of that owner was removed or claimed.
 *
 * @returns Whether they are gone.
 */
export async function removeOwnerFiles(
  directory: string,
  ownerId: string,
  machine: Machine,
): Promise<boolean> {
  return (await removeIdle(directory, [ownerId], machine)) === 1;
}

function isOpening(directory: string, ownerId: string, nowMillis: number): boolean {
  return ownerTraces(directory, ownerId).some((path) => {
    try {
      return nowMillis - lstatSync(path).mtimeMs < OPENING_MILLIS;
    } catch {
      return false;
    }
  });
}

/**
 * Removes the records and sockets of all owners that died without leaving a directory; never throws.
 *
 * Nothing else removes them: a process that dies again and again before its first event leaves one pair each time.
 *
 * @param nowMillis - Milliseconds since the Unix epoch; files younger than a minute stay.
 * @returns Number of owners whose files are gone.
 */
export async function removeDeadOwners(
  directory: string,
  machine: Machine,
  nowMillis: number,
): Promise<number> {
  const { ownerIds, writers } = listWriters(directory);
  const owning = new Set(writers.map(({ ownerId }) => ownerId));
  const idle = ownerIds.filter(
    (ownerId) => !owning.has(ownerId) && !isOpening(directory, ownerId, nowMillis),
  );
  return removeIdle(directory, idle, machine);
}

/** Longer than a writer takes to make its directory and its record. */
const MAKING_MILLIS = 60_000;
/** Names that may be in a writer directory whose record was never written. */
const UNFINISHED_NAME = /^(?:\d{16}\.journal|writer\.json\.tmp)$/;

/** Reason for which a writer directory is left alone. */
type SkipReason =
  | "alive"
  | "elsewhere"
  | "unknown_owner"
  | "newer_format"
  | "other_organization"
  | "damaged_record";

/** Owner that looks for orphans. */
interface Adopter {
  /** Adopts nothing of another organization. */
  readonly organizationId: string;
  /** Owner that is open in this process. */
  readonly ownerId: string;
  readonly machine: Machine;
  /** Milliseconds since the Unix epoch. Default: the system's time. */
  readonly nowMillis?: number;
}

type Verdict = SkipReason | "orphan" | "removable" | "nothing";

/** Checks a directory that has no record. */
function judgeUnfinished(path: string, nowMillis: number): Verdict {
  try {
    if (nowMillis - lstatSync(path).mtimeMs < MAKING_MILLIS) return "nothing";
    const isUnfinished = readdirSync(path).every((name) => UNFINISHED_NAME.test(name));
    return isUnfinished ? "removable" : "damaged_record";
  } catch (error) {
    // Another owner has claimed it meanwhile.
    return toErrorCode(error) === "ENOENT" ? "nothing" : "damaged_record";
  }
}

function judge(
  { writerId, path }: WriterEntry,
  owner: OwnerState,
  organizationId: string,
  nowMillis: number,
): Verdict {
  if (owner !== "dead") return owner === "unknown" ? "unknown_owner" : owner;
  const reading = readWriterRecord(path);
  if (reading.status === "missing") return judgeUnfinished(path, nowMillis);
  if (reading.status === "newer") return "newer_format";
  if (reading.status !== "valid" || reading.record.writerId !== writerId) return "damaged_record";
  return reading.record.organizationId === organizationId ? "orphan" : "other_organization";
}

/**
 * Finds the writer directories whose owner is dead; never throws.
 *
 * A directory is free only if its owner is clearly dead; in doubt it is left to its owner.
 *
 * @returns Lists of directories, each oldest first.
 */
export async function findOrphans(
  directory: string,
  { organizationId, ownerId, machine, nowMillis = systemClock.now() }: Adopter,
) {
  const states = new Map<string, OwnerState>();
  /** To be claimed and delivered. */
  const orphans: WriterEntry[] = [];
  /** Of a dead owner and without a single event; to be claimed and removed. */
  const removable: WriterEntry[] = [];
  const skipped: { entry: WriterEntry; reason: SkipReason }[] = [];
  for (const entry of listWriters(directory).writers) {
    if (entry.ownerId === ownerId) continue;
    const state =
      states.get(entry.ownerId) ?? (await probeOwner(directory, entry.ownerId, machine));
    states.set(entry.ownerId, state);
    const verdict = judge(entry, state, organizationId, nowMillis);
    if (verdict === "orphan") orphans.push(entry);
    else if (verdict === "removable") removable.push(entry);
    else if (verdict !== "nothing") skipped.push({ entry, reason: verdict });
  }
  return { orphans, removable, skipped };
}
