import { createStatement, db, readRow, toBytes, type RowOf } from "./query.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Steps } from "../turns.ts";

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
type Run = [at: number, firstSeq: number, count: number];

/** Bytes of a body outside of the events' rows, and the positions of the rows. */
interface BodyFrame {
  readonly bytes: Uint8Array;
  readonly runs: readonly Readonly<Run>[];
}

const COMMA = 0x2c;

/** Removes the events from a body that are stored anyway; they are in the order of the body. */
export function cutBody(body: Uint8Array, stored: readonly StoredEvent[]): BodyFrame {
  const parts: Uint8Array[] = [];
  const runs: Run[] = [];
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

/** A body exactly as received, and its events that have a row, in the order of the body. */
interface WholeBody {
  readonly body: Buffer;
  readonly stored: readonly StoredEvent[];
}

/**
 * Restores a body, byte for byte.
 *
 * @param readEvents - Returns the existing rows, of `count` from `firstSeq`.
 */
export function* joinBody(
  { bytes, runs }: BodyFrame,
  readEvents: (firstSeq: number, count: number) => Steps<readonly Uint8Array[]>,
): Steps<WholeBody> {
  const parts: Uint8Array[] = [];
  const stored: StoredEvent[] = [];
  let from = 0;
  let size = 0;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    size += part.length;
  };
  for (const [at, firstSeq, count] of runs) {
    add(bytes.subarray(from, at));
    for (const [index, row] of (yield* readEvents(firstSeq, count)).entries()) {
      if (index > 0) add(Buffer.of(COMMA));
      stored.push({ start: size, length: row.length, seq: firstSeq + index });
      add(row);
    }
    from = at;
  }
  add(bytes.subarray(from));
  return { body: Buffer.concat(parts), stored };
}

const FRAMES = db.selectFrom("frame").select(["seq", "bytes", "runs"]);
const NEXT_FRAME = FRAMES.orderBy("seq").limit(1);

// As bytes: they are sent as they were received.
const ROWS = createStatement((values: { first: number; end: number }) =>
  db
    .selectFrom("body")
    .select((eb) => toBytes(eb.ref("json")).as("json"))
    .where("seq", ">=", values.first)
    .where("seq", "<", values.end)
    .orderBy("seq"),
);

type FrameRow = RowOf<typeof FIND_FRAME>;

const FIND_FRAME = createStatement((values: { seq: number }) =>
  FRAMES.where("seq", "=", values.seq),
);

function restore(database: SqlDatabase, { bytes, runs }: FrameRow): Steps<WholeBody> {
  const frame = { bytes, runs: JSON.parse(runs) as BodyFrame["runs"] };
  return joinBody(frame, function* (first, count) {
    const rows = yield* ROWS.rows(database, { first, end: first + count });
    return rows.map(({ json }) => json);
  });
}

/** Restores the body of a batch; `undefined` where it was received before bodies were kept. */
export function* readBody(database: SqlDatabase, seq: number): Steps<WholeBody | undefined> {
  const [row] = yield* FIND_FRAME.rows(database, { seq });
  return row && (yield* restore(database, row));
}

/** Returns the first batch after another one, of one organization or of any, with its JSON exactly as received. */
export function* findNextBody(
  database: SqlDatabase,
  after: number,
  organizationId: string | null,
): Steps<{ readonly seq: number; readonly json: Buffer } | undefined> {
  const row = yield* readRow(
    database,
    NEXT_FRAME.where("seq", ">", after).where((eb) => {
      const batch = eb
        .selectFrom("batch")
        .whereRef("batch.seq", "=", "frame.seq")
        // PostgreSQL would read all batches before it, each time.
        .where("batch.seq", ">", after);
      const found = batch.select(eb.lit(1).as("found"));
      // Not joined: SQLite would sort all batches of the organization to find the next one.
      return eb.exists(
        organizationId === null ? found : found.where("organization_id", "=", organizationId),
      );
    }),
  );
  return row && { seq: row.seq, json: (yield* restore(database, row)).body };
}
