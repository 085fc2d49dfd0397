import type { RecordKind } from "../kafka/kafka-record.ts";
import type { FOREIGN_RECORD } from "../kafka/read-record.ts";

/** Folder of the lists of what was archived; a directory that has it is an archive. */
export const ARCHIVE_INDEX = "archive-index";

/** Folders of objects, by what they hold. */
export const ARCHIVE_FOLDERS: Readonly<Record<RecordKind, string>> = {
  "batch/1": "batches",
  "agent/1": "agents",
  "traces/1": "traces",
  "logs/1": "logs",
};

/** A line of an index: what became of one record. */
export type ArchiveLine = {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
} & (
  | {
      readonly kind: RecordKind;
      readonly organizationId: string;
      /** Of the batch, the agent or the trace. */
      readonly id: string;
      /** When it has arrived at a gateway, milliseconds since the Unix epoch. */
      readonly receivedAt: number;
      readonly object: string;
      /** Of the object, in hex. */
      readonly sha256: string;
      readonly bytes: number;
    }
  /** A record that is no gateway's is not archived. */
  | { readonly skipped: typeof FOREIGN_RECORD }
);
