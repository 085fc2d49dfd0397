import { cutBody, joinBody, type BodyFrame, type StoredEvent } from "./batch-body.ts";
import type { SqlDatabase } from "./sql-database.ts";

/** A batch's JSON exactly as it was received. */
export interface StoredBody {
  /** Order of arrival. */
  readonly seq: number;
  readonly json: Buffer;
}

/** Gives batches back as they were received. */
export interface BodyStore {
  /** Gives the first batch after another one, of one organization or of any. */
  findNext(after: number, organizationId: string | undefined): StoredBody | undefined;
}

interface RawFrame {
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly runs: string;
}

const INSERT_FRAME = "INSERT INTO frame (seq, bytes, runs) VALUES (last_insert_rowid(), ?, ?)";

const NEXT_FRAME = `
  SELECT seq, bytes, runs FROM frame JOIN batch USING (seq)
  WHERE seq > ? AND (? IS NULL OR organization_id = ?) ORDER BY seq LIMIT 1`;

// As bytes: they go out as they came in.
const ROWS = "SELECT CAST(json AS BLOB) AS json FROM body WHERE seq >= ? AND seq < ? ORDER BY seq";

/** Keeps what of a batch is in no event's row; the batch's row must be the last that was inserted. */
export function insertFrame(
  database: SqlDatabase,
  body: Uint8Array,
  stored: readonly StoredEvent[],
): void {
  const { bytes, runs } = cutBody(body, stored);
  database.run(INSERT_FRAME, bytes, JSON.stringify(runs));
}

/** Creates the reader of batches in a database that has the schema. */
export function createBodyStore(database: SqlDatabase): BodyStore {
  const readRows = (firstSeq: number, count: number): Uint8Array[] =>
    database.all<{ json: Uint8Array }>(ROWS, firstSeq, firstSeq + count).map(({ json }) => json);

  return {
    findNext(after, organizationId) {
      const filter = organizationId ?? null;
      const [row] = database.all<RawFrame>(NEXT_FRAME, after, filter, filter);
      if (!row) return undefined;
      const runs = JSON.parse(row.runs) as BodyFrame["runs"];
      return { seq: row.seq, json: joinBody({ bytes: row.bytes, runs }, readRows) };
    },
  };
}
