import { join } from "node:path";
import type { Failure } from "./failure.ts";
import { readRecord, RECORD_FORMAT, writeRecord, type RecordReading } from "./record-file.ts";

/** What a writer directory says of itself. */
export interface WriterRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly writerId: string;
  /** Only a monitor of this organization may deliver what is in the directory. */
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
