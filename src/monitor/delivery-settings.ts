import type { ResolvedConfig } from "../config/config.ts";
import type { ChainKey } from "../delivery/chain/chain.ts";
import type { SpoolSettings } from "../delivery/spool/spool-room.ts";
import { readSigningKey } from "../util/http-signature.ts";

/** The key of the chain of batches, if it has one. */
export function toChainKey({ chainKey }: ResolvedConfig): ChainKey | undefined {
  const key = chainKey && readSigningKey(chainKey.key);
  return key && { keyId: chainKey.keyId, key };
}

/** Where events are kept on disk; `undefined` keeps them in memory. */
export function toSpoolSettings(config: ResolvedConfig): SpoolSettings | undefined {
  const { spoolDirectory, durability = "process", maxSpoolBytes, maxSpoolAge, spoolKey } = config;
  if (spoolDirectory === undefined || durability === "memory") return undefined;
  return {
    spoolDirectory,
    durability,
    maxSpoolBytes,
    maxSpoolAge,
    spoolKey: spoolKey === undefined ? undefined : readSigningKey(spoolKey),
  };
}
