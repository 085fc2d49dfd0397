import type { ResolvedConfig } from "../config/config.ts";
import { AgentRegistration } from "../delivery/agent-registration.ts";
import type { ChainKey } from "../delivery/chain/chain.ts";
import { createHttpTransport, createRequestSigner } from "../delivery/http-transport.ts";
import type { CompleteEvent } from "../delivery/pending-event.ts";
import { PlatformPath } from "../delivery/platform-path.ts";
import type { SpoolSettings } from "../delivery/spool/spool-context.ts";
import type { Clock } from "../util/clock.ts";
import { readSigningKey } from "../util/http-signature.ts";
import type { BurstLogger } from "../util/logger.ts";

/** The key of the chain of batches, if it has one. */
function toChainKey({ chainKey }: ResolvedConfig): ChainKey | undefined {
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

/** What delivery to the platform works with. */
export interface DeliveryOptions {
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Returns 0 to 1. */
  readonly random: () => number;
  /** Whether somebody answers for each event within a time, and gives it up then unless it is on disk. */
  readonly isExport?: boolean;
}

/**
 * Creates the ways of events and of agents' profiles to the platform; both share one transport.
 *
 * @param completeEvent - Checks the answers that an earlier process could not.
 */
export function createDelivery(
  { config, clock, log, random, isExport }: DeliveryOptions,
  completeEvent: CompleteEvent,
) {
  const signer = config.signing && createRequestSigner(config.signing, clock);
  const transport = createHttpTransport({ ...config, signer });
  const retry = {
    retryAttempts: config.retryAttempts,
    retryDelay: config.retryDelay,
    clock,
    random,
    onRetry: (reason: string, delayMillis: number): void => {
      const message = `sending to ${transport.url} failed (${reason}), trying again in ${Math.round(delayMillis)} ms`;
      log.log("warn", "retry", message);
    },
  };
  const platform = new PlatformPath({
    ...config,
    spool: toSpoolSettings(config),
    chainKey: toChainKey(config),
    completeEvent,
    retry,
    transport,
    clock,
    log,
    isExport,
  });
  return { platform, registration: new AgentRegistration({ transport, retry, clock, log }) };
}
