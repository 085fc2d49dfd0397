import type { ChainReport, VerifyOptions } from "../../delivery/chain/chain.ts";
import { openSpoolView } from "../../delivery/spool/spool-view.ts";
import { verifySpool } from "../../delivery/spool/verify-spool.ts";
import { readSpoolKey } from "./arguments.ts";

/**
 * Verifies the waiting batches of a spool directory.
 *
 * @param keyFile - File with the key of the encryption.
 * @returns `undefined` when there is no spool.
 * @throws UsageError for a key that can't be read.
 */
export async function verifySpoolDirectory(
  directory: string,
  keyFile: string | undefined,
  options: VerifyOptions,
): Promise<ChainReport | undefined> {
  const opening = await openSpoolView(directory, readSpoolKey(keyFile, "spool-key"));
  if (opening.status !== "open") return undefined;
  const { writers, ownerIds, endedIds } = opening.listing;
  if (writers.length + ownerIds.length + endedIds.length === 0) return undefined;
  return verifySpool(opening.source, writers, options);
}
