/** Says that the database could not be read or written: it is locked, the disk is full or broken. */
export class StoreError extends Error {
  override readonly name = "StoreError" as const;
}

function isDriverError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  // The names of `node-sqlite3-wasm` and of `node:sqlite`.
  return error.name === "SQLite3Error" || ("code" in error && error.code === "ERR_SQLITE_ERROR");
}

/** Gives what a driver threw as what it is; anything else stays as it is. The words are SQLite's, never content. */
export function toStoreError(error: unknown): unknown {
  return isDriverError(error) ? new StoreError(error.message, { cause: error }) : error;
}
