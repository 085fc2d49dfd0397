import { stat } from "node:fs/promises";
import type { KeyObject } from "node:crypto";
import { resolve } from "node:path";
import type { SpoolSource } from "./event-scan.ts";
import { toErrorCode } from "./file-system.ts";
import { createFrameCipher } from "./frame-cipher.ts";
import { parseStagingName } from "./staging.ts";
import { listWriters, type WriterListing } from "./writers.ts";

/** Why a directory can't be looked at as a spool. */
export type NoSpoolReason = "missing" | "no_directory" | "no_permission" | "no_spool" | "failed";

/** A spool directory, or why it is none. */
export type SpoolOpening =
  | {
      readonly status: "open";
      readonly source: SpoolSource;
      readonly listing: WriterListing;
    }
  | { readonly status: NoSpoolReason; readonly code: string };

function toReason(code: string): NoSpoolReason {
  if (code === "ENOENT") return "missing";
  if (code === "ENOTDIR") return "no_directory";
  return code === "EACCES" || code === "EPERM" ? "no_permission" : "failed";
}

/** Tells whether there is anything of ours; a directory of which everything was delivered is empty. */
function isSpool(listing: WriterListing, hasDeadLetters: boolean): boolean {
  const { writers, ownerIds, foreign, foreignCount } = listing;
  if (writers.length > 0 || ownerIds.length > 0 || hasDeadLetters || foreignCount === 0)
    return true;
  return foreign.some((name) => parseStagingName(name) !== undefined);
}

/**
 * Looks at a directory as a spool; never throws, and changes nothing.
 *
 * @param spoolKey - Key under which the files are encrypted, if they are.
 */
export async function openSpoolView(
  directory: string,
  spoolKey?: KeyObject,
): Promise<SpoolOpening> {
  const path = resolve(directory);
  try {
    if (!(await stat(path)).isDirectory()) return { status: "no_directory", code: "ENOTDIR" };
  } catch (error) {
    const code = toErrorCode(error);
    return { status: toReason(code), code };
  }
  const listing = listWriters(path);
  if (listing.failure)
    return { status: toReason(listing.failure.code), code: listing.failure.code };
  const hasDeadLetters = await stat(`${path}/dead`).then(
    (dead) => dead.isDirectory(),
    () => false,
  );
  if (!isSpool(listing, hasDeadLetters)) return { status: "no_spool", code: "no_spool" };
  const source: SpoolSource = {
    directory: path,
    cipherOf: (fileName) => (spoolKey ? createFrameCipher(spoolKey, fileName) : undefined),
  };
  return { status: "open", source, listing };
}
