import { batchEnvelopeSchema } from "../../events/batch.ts";
import type { RejectedEvent } from "../../events/wire.ts";
import { joinBody } from "../store/batch-body.ts";
import type { SqliteDatabase } from "../store/sql-database.ts";
import { type Intake, noteBatch } from "./intake.ts";
import { type Steps, runSteps } from "../turns.ts";

const CHUNK = 500;

// As the layout before had it; batches received before there were frames have none.
const READ = `
  SELECT batch.seq, organization_id AS organizationId, batch_id AS batchId, received_at AS receivedAt,
    event_count AS eventCount, accepted, duplicates, rejections, frame.bytes, frame.runs
  FROM batch LEFT JOIN frame ON frame.seq = batch.seq WHERE batch.seq > ? ORDER BY batch.seq LIMIT ${CHUNK}`;

interface Row extends Omit<Intake, "metadata" | "rejected"> {
  readonly seq: number;
  readonly rejections: string;
  readonly bytes: Uint8Array | null;
  readonly runs: string | null;
}

/** Stands for each event: what the batch says of itself lies outside of them. */
const NO_EVENT = Buffer.from("0");

// oxlint-disable-next-line require-yield -- the events are not needed
function* readNothing(_: number, count: number): Steps<readonly Uint8Array[]> {
  return Array.from({ length: count }, () => NO_EVENT);
}

function readMetadata({ bytes, runs }: Row): Intake["metadata"] {
  if (!bytes || runs === null) return undefined;
  const frame = { bytes, runs: JSON.parse(runs) as [number, number, number][] };
  const { body } = runSteps(joinBody(frame, readNothing));
  const parsed = batchEnvelopeSchema.safeParse(JSON.parse(body.toString("utf8")));
  return parsed.data?.metadata;
}

/** Reads what has arrived, who wrote it and what was lost out of the batches that are there. */
export function* fillIntake(database: SqliteDatabase): Steps<void> {
  for (let after = 0; ;) {
    const rows = database.all<Row>(READ, [after]);
    for (const row of rows) {
      const rejected = JSON.parse(row.rejections) as RejectedEvent[];
      yield* noteBatch(database, { ...row, metadata: readMetadata(row), rejected });
    }
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.seq ?? after;
  }
}
