import { rmSync } from "node:fs";
import { join } from "node:path";
import { predecessorSchema, type Predecessor } from "../../events/chain.ts";
import { MAX_PREDECESSORS } from "../outbox-state.ts";
import type { Outbox } from "../outbox.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";
import type { SpoolContext } from "./spool-room.ts";
import { listWriters } from "./writers.ts";

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
    return {
      format: RECORD_FORMAT,
      organizationId,
      platform,
      endedAt,
      predecessors: valid.slice(0, MAX_PREDECESSORS),
    };
  });
}

/** Removes the end of a writer that another writer names from now on; never throws. */
export function removeEnd(directory: string, writerId: string): void {
  const path = endPath(directory, writerId);
  for (const name of [path, `${path}.tmp`]) {
    try {
      rmSync(name, { force: true });
    } catch {
      // The writer is then named once more.
    }
  }
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
