import type { WrappedBatch } from "../events/wire.ts";
import { findNextBody } from "./store/batch-body.ts";
import type { SqlDatabase } from "./store/sql-database.ts";
import { followSteps } from "./turns.ts";

const LINE_BREAK = "\n";

function toLine(json: Buffer): Buffer {
  if (!json.includes(LINE_BREAK)) return Buffer.concat([json, Buffer.from(LINE_BREAK)]);
  const wrapped: WrappedBatch = { base64: json.toString("base64") };
  return Buffer.from(JSON.stringify(wrapped) + LINE_BREAK);
}

/** Yields every batch as received, in the order of arrival, a line each: the whole would not fit into memory. */
export async function* toBatchLines(
  database: SqlDatabase,
  organization: string | undefined,
): AsyncGenerator<Buffer> {
  let after = 0;
  for (;;) {
    const next = await followSteps(findNextBody(database, after, organization ?? null));
    if (!next) return;
    after = next.seq;
    yield toLine(next.json);
  }
}
