import type { SqlDatabase } from "./sql-database.ts";

/** An event of a body that has a row of its own with the same bytes. */
export interface StoredEvent {
  /** First byte in the body. */
  readonly start: number;
  /** Length in bytes. */
  readonly length: number;
  /** Number of the row. */
  readonly seq: number;
}

/** Rows from `firstSeq`, joined by commas, that belong before the byte `at` of the frame. */
type Run = readonly [at: number, firstSeq: number, count: number];

/** Bytes of a body outside of the events' rows, and the positions of the rows. */
interface BodyFrame {
  readonly bytes: Uint8Array;
  readonly runs: readonly Run[];
}

const COMMA = 0x2c;

/** Removes the events from a body that are stored anyway; they are in the order of the body. */
export function cutBody(body: Uint8Array, stored: readonly StoredEvent[]): BodyFrame {
  const parts: Uint8Array[] = [];
  const runs: [at: number, firstSeq: number, count: number][] = [];
  let size = 0;
  let from = 0;
  for (const { start, length, seq } of stored) {
    const run = runs.at(-1);
    const isNext =
      run !== undefined && run[1] + run[2] === seq && start === from + 1 && body[from] === COMMA;
    if (isNext) {
      run[2]++;
    } else {
      parts.push(body.subarray(from, start));
      size += start - from;
      runs.push([size, seq, 1]);
    }
    from = start + length;
  }
  parts.push(body.subarray(from));
  return { bytes: Buffer.concat(parts), runs };
}

/**
 * Restores a body, byte for byte.
 *
 * @param readRows - Returns the existing rows, of `count` from `firstSeq`.
 */
export function joinBody(
  { bytes, runs }: BodyFrame,
  readRows: (firstSeq: number, count: number) => readonly Uint8Array[],
): Buffer {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const [at, firstSeq, count] of runs) {
    parts.push(bytes.subarray(from, at));
    for (const [index, row] of readRows(firstSeq, count).entries()) {
      if (index > 0) parts.push(Buffer.of(COMMA));
      parts.push(row);
    }
    from = at;
  }
  parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
}

/** A batch's JSON exactly as it was received. */
interface StoredBody {
  /** Order of arrival. */
  readonly seq: number;
  readonly json: Buffer;
}

/** Reads batches as they were received. */
export interface BodyStore {
  /** Returns the first batch after another one, of one organization or of any. */
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

// As bytes: they are sent as they were received.
const ROWS = "SELECT CAST(json AS BLOB) AS json FROM body WHERE seq >= ? AND seq < ? ORDER BY seq";

/** Stores the bytes of a batch outside of its events' rows; the batch's row must be the last that was inserted. */
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
