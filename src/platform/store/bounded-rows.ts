/** Rows are read so many at a time, until a page is full: of the largest events a thousand would be gigabytes. */
const CHUNK_ROWS = 16;
/** Length of the JSON of a page, in UTF-16 units; the row that crosses it is in the page. */
const MAX_PAGE_LENGTH = 4 * 1024 * 1024;

/** A page of rows. */
export interface BoundedRows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * Reads a page of rows: `limit` of them, or fewer when they are large.
 *
 * @param read - Gives the next `count` rows behind those that are read.
 */
export function readBounded<Row extends { readonly json: string }>(
  limit: number,
  read: (count: number, before: readonly Row[]) => readonly Row[],
): BoundedRows<Row> {
  const rows: Row[] = [];
  let length = 0;
  for (;;) {
    // One more than wanted tells whether there is a next page.
    const count = Math.min(CHUNK_ROWS, limit + 1 - rows.length);
    const chunk = read(count, rows);
    for (const row of chunk) {
      if (rows.length === limit || length > MAX_PAGE_LENGTH) return { rows, hasMore: true };
      rows.push(row);
      length += row.json.length;
    }
    if (chunk.length < count) return { rows, hasMore: false };
  }
}
