import { toBackoffMillis } from "../http/backoff.ts";
import type { Clock } from "../util/clock.ts";
import { sleep } from "../util/sleep.ts";
import type { SendResult } from "./send-result.ts";

export interface RetryOptions {
  /** Retries after the first send. */
  readonly retryAttempts: number;
  /** Wait in ms before the first retry; it doubles with each. */
  readonly retryDelay: number;
  readonly clock: Clock;
  /** Gives 0 to 1. */
  readonly random: () => number;
  /** Called before each wait. */
  readonly onRetry?: (reason: string, delayMillis: number) => void;
}

/**
 * Sends until the result is final or the retries are used up.
 *
 * Waits the longer of the backoff and the server's `Retry-After`: an earlier try is known to be unwelcome.
 */
export async function sendWithRetries(
  send: () => Promise<SendResult>,
  { retryAttempts, retryDelay, clock, random, onRetry }: RetryOptions,
  signal: AbortSignal,
): Promise<SendResult> {
  let result = await send();
  for (let retry = 1; retry <= retryAttempts && result.status === "retryable"; retry++) {
    if (signal.aborted) break;
    const delay = Math.max(
      result.retryAfterMillis ?? 0,
      toBackoffMillis(retry, retryDelay, random()),
    );
    onRetry?.(result.reason, delay);
    await sleep(clock, delay, signal);
    if (signal.aborted) break;
    result = await send();
  }
  return result;
}
