import type { ResolvedConfig } from "../config/config.ts";
import { AgentRegistration } from "../delivery/agent-registration.ts";
import { createHttpTransport } from "../delivery/http-transport.ts";
import type { CompleteEvent } from "../delivery/pending-event.ts";
import { createPlatformPath, type PlatformPath } from "../delivery/platform-path.ts";
import { createRequestSigner } from "../delivery/request-signing.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import { toChainKey, toSpoolSettings } from "./delivery-settings.ts";

/** What delivery to the platform works with. */
export interface DeliveryOptions {
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly log: BurstLogger;
  /** Gives 0 to 1. */
  readonly random: () => number;
  /** Whether somebody answers for each event within a time, and gives it up then unless it is on disk. */
  readonly isExport?: boolean;
}

/** What goes to the platform: events, and profiles of agents. */
export interface Delivery {
  readonly platform: PlatformPath;
  readonly registration: AgentRegistration;
}

/**
 * Creates the ways to the platform; both share one transport.
 *
 * @param completeEvent - Checks the answers that an earlier process could not.
 */
export function createDelivery(
  { config, clock, log, random, isExport }: DeliveryOptions,
  completeEvent: CompleteEvent,
): Delivery {
  const signer = config.signing && createRequestSigner(config.signing, clock);
  const transport = createHttpTransport({ ...config, signer });
  const retry = {
    retryAttempts: config.retryAttempts,
    retryDelay: config.retryDelay,
    clock,
    random,
    onRetry: (reason: string, delayMillis: number) =>
      log.log(
        "warn",
        "retry",
        `sending to ${transport.url} failed (${reason}), trying again in ${Math.round(delayMillis)} ms`,
      ),
  };
  const platform = createPlatformPath({
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
