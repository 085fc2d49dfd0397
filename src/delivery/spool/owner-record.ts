import { join } from "node:path";
import { isCount, isOptionalString } from "../../util/values.ts";
import type { Failure } from "./failure.ts";
import type { Machine } from "./machine.ts";
import type { ProcessIdentity } from "./process-identity.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";

/** What an owner says of itself. */
export interface OwnerRecord extends Machine, ProcessIdentity {
  readonly format: typeof RECORD_FORMAT;
  readonly ownerId: string;
  /** 0 is the main thread. */
  readonly threadId: number;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Whether its socket shows that it lives; if not, its process does. */
  readonly socket: boolean;
}

/** Gives the path of an owner's record. */
export function ownerRecordPath(directory: string, ownerId: string): string {
  return join(directory, `${ownerId}.owner.json`);
}

/** Reads an owner's record; never throws. */
export function readOwnerRecord(directory: string, ownerId: string): RecordReading<OwnerRecord> {
  return readRecord(ownerRecordPath(directory, ownerId), (members) => {
    const { machineId, bootId, pid, threadId, startedAt, socket, pidNamespace, startTicks } =
      members;
    if (members["ownerId"] !== ownerId || typeof machineId !== "string") return undefined;
    if (!isOptionalString(bootId) || typeof socket !== "boolean") return undefined;
    if (!isOptionalString(pidNamespace) || !isOptionalString(startTicks)) return undefined;
    if (!isCount(pid) || pid === 0 || !isCount(threadId) || !isCount(startedAt)) return undefined;
    return {
      format: RECORD_FORMAT,
      ownerId,
      machineId,
      bootId,
      pid,
      pidNamespace,
      startTicks,
      threadId,
      startedAt,
      socket,
    };
  });
}

/** Writes an owner's record. */
export function writeOwnerRecord(directory: string, record: OwnerRecord): Failure | undefined {
  return writeRecord(ownerRecordPath(directory, record.ownerId), record);
}
