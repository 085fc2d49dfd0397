import { rmSync } from "node:fs";
import { join } from "node:path";
import { predecessorSchema, type Predecessor } from "../../events/chain.ts";
import { MAX_PREDECESSORS } from "../outbox-state.ts";
import type { Outbox } from "../outbox.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";
import type { SpoolContext } from "./spool-room.ts";
import { listWriters } from "./writers.ts";

/** What a writer leaves that has delivered everything: how far it got, and those that it was to name itself. */
interface EndRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly organizationId: string;
  /** What has taken the batches. */
  readonly platform: string;
  /** Milliseconds since the Unix epoch. */
  readonly endedAt: number;
  readonly predecessors: readonly Predecessor[];
}

type EndRoom = Pick<SpoolContext, "spoolDirectory" | "origin" | "clock" | "maxSpoolAge">;

function endPath(directory: string, writerId: string): string {
  return join(directory, `${writerId}.ended.json`);
}

/** A batch that names what no platform can read would be refused for ever. */
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
    return {
      format: RECORD_FORMAT,
      organizationId,
      platform,
      endedAt,
      predecessors: valid.slice(0, MAX_PREDECESSORS),
    };
  });
}

/** Removes the end of a writer that somebody names from now on; never throws. */
export function removeEnd(directory: string, writerId: string): void {
  const path = endPath(directory, writerId);
  for (const name of [path, `${path}.tmp`]) {
    try {
      rmSync(name, { force: true });
    } catch {
      // It is named once more.
    }
  }
}

/**
 * Leaves the end of a writer that has nothing more to send, for the next one of the directory to name.
 *
 * @returns Whether its directory may go; if not, whoever adopts that tells what it has left.
 */
export function leaveEnd(room: EndRoom, { writerId, legacy }: Outbox): boolean {
  const { reports, predecessors } = legacy;
  if (reports.some(({ firstSequence }) => firstSequence !== undefined)) return false;
  if (predecessors.length === 0) return true;
  const { spoolDirectory, origin, clock } = room;
  const { organizationId, platform } = origin;
  const endedAt = clock.now();
  const record: EndRecord = {
    format: RECORD_FORMAT,
    organizationId,
    platform,
    endedAt,
    predecessors,
  };
  return writeRecord(endPath(spoolDirectory, writerId), record) === undefined;
}

/**
 * Has a writer name those that ended in its directory; what is of another organization or platform is left to its own,
 * as long as events would be.
 */
export function takeEnds(room: EndRoom, own: Outbox): void {
  const { spoolDirectory, origin, clock, maxSpoolAge } = room;
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
