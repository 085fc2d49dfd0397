import { systemClock } from "../../util/clock.ts";
import { uuidV7 } from "../../util/ids.ts";
import type { Failure } from "./failure.ts";
import { removeOwnerTraces } from "./owner.ts";
import { claimWriter, listWriters, type WriterEntry } from "./writers.ts";

/**
 * Takes a writer directory from its owner and leaves it to the next monitor that looks.
 *
 * Nobody checks here that the owner is gone: if it still runs, it loses what it writes from now on, and what both
 * have is sent twice.
 *
 * @returns The directory under its new name; `undefined` if somebody else was faster.
 */
export function freeWriter(
  directory: string,
  entry: WriterEntry,
): WriterEntry | Failure | undefined {
  // An owner that never was: whoever looks for it finds nobody.
  const freed = claimWriter(directory, entry, uuidV7(systemClock.now()));
  const isLast = listWriters(directory).writers.every(({ ownerId }) => ownerId !== entry.ownerId);
  if (freed && !("status" in freed) && isLast) removeOwnerTraces(directory, entry.ownerId);
  return freed;
}
