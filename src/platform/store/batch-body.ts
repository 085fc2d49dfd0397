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

/** What of a body is in no event's row, and where the rows belong. */
export interface BodyFrame {
  readonly bytes: Uint8Array;
  readonly runs: readonly Run[];
}

const COMMA = 0x2c;

/** Takes the events out of a body that are stored anyway; they stand in the order of the body. */
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
 * Puts a body together again, byte for byte.
 *
 * @param readRows - Gives the rows that are there, of `count` from `firstSeq`.
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
