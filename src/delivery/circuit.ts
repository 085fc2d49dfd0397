import { toBackoffMillis } from "../http/backoff.ts";
import { sleep, type Clock } from "../util/clock.ts";
import { countNoun } from "../util/count-noun.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { SendResult } from "./http-transport.ts";

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

/** A platform that takes nothing is asked again after this time. */
const BLOCKED_PROBE_MILLIS = 60_000;
/** While nothing is sent, a line says so this often: one of the beginning may be hours old. */
const REMINDER_MILLIS = 15 * 60_000;
/** One that is away is asked with growing waits, also where none is wanted between retries. */
const LEAST_PROBE_DELAY_MILLIS = 100;

interface CircuitOptions {
  readonly clock: Clock;
  readonly log: BurstLogger;
  readonly retry: RetryOptions;
  /** Where the platform is, for the log. */
  readonly url: string;
  /** Number of events that wait, for the log. */
  readonly countPending: () => number;
  /** Whether events wait for the platform; otherwise an export gives up those of its own. */
  readonly keepsEvents: boolean;
  /** Asks the platform with a single batch. */
  readonly probe: () => void;
}

/**
 * Whether it makes sense to send.
 *
 * `open`: no retry has helped; the platform is asked less and less often, once a minute at last. `blocked`: it
 * answers, but takes nothing until credentials, address or platform change.
 */
type CircuitState = "closed" | "open" | "blocked";

/** Codes of the lines that tell of it. */
type Problem = "circuit_open" | "blocked";

/** Keeps a platform that is away or refuses everything from being asked with every batch. */
export class Circuit {
  readonly #options: CircuitOptions;
  #state: CircuitState = "closed";
  #reason: string | undefined;
  #probes = 0;
  /** Monotonic time before which the platform does not want to be asked. */
  #notBefore = 0;
  #cancelProbe: (() => void) | undefined;
  /** Since when nothing is sent, and when that was told. */
  #since: number | undefined;
  #toldAt = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** Why nothing is sent; `undefined` while the state is `closed`. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /** Time in ms for which the platform has asked not to be asked. */
  get forbiddenMillis(): number {
    if (this.#state !== "open") return 0;
    return Math.max(0, this.#notBefore - this.#options.clock.monotonic());
  }

  /** The platform is away. */
  open(reason: string, retryAfterMillis = 0): void {
    const { clock, retry } = this.#options;
    this.#report("circuit_open", "can't be reached", reason, this.#state !== "open");
    this.#probes++;
    this.#notBefore = clock.monotonic() + retryAfterMillis;
    const attempts = retry.retryAttempts + this.#probes;
    const delay = Math.max(retry.retryDelay, LEAST_PROBE_DELAY_MILLIS);
    const backoff = toBackoffMillis(attempts, delay, retry.random());
    this.#halt("open", reason, Math.max(backoff, retryAfterMillis));
  }

  /** The platform takes nothing. */
  block(reason: string): void {
    this.#report("blocked", "takes nothing", reason, this.#reason !== reason);
    this.#halt("blocked", reason, BLOCKED_PROBE_MILLIS);
  }

  /** The platform takes events. */
  close(): void {
    const wasClosed = this.#state === "closed";
    this.reset();
    if (wasClosed) return;
    const { log, url } = this.#options;
    log.log("info", "unblocked", `the platform at ${url} takes events again`);
  }

  /** There is nothing left to ask the platform with, so that nothing is known of it. */
  reset(): void {
    this.#cancelProbe?.();
    this.#probes = 0;
    this.#state = "closed";
    this.#reason = undefined;
    this.#since = undefined;
  }

  /** Asks no more. */
  cancel(): void {
    this.#cancelProbe?.();
  }

  #halt(state: CircuitState, reason: string, probeInMillis: number): void {
    this.#state = state;
    this.#reason = reason;
    this.#cancelProbe?.();
    this.#cancelProbe = this.#options.clock.schedule(this.#options.probe, probeInMillis);
  }

  /** Tells what is wrong, at once or from time to time. */
  #report(code: Problem, problem: string, reason: string, isNews: boolean): void {
    const { log, clock, url, countPending } = this.#options;
    const now = clock.monotonic();
    this.#since ??= now;
    if (!isNews && now - this.#toldAt < REMINDER_MILLIS) return;
    this.#toldAt = now;
    const pending = countPending();
    const minutes = Math.round((now - this.#since) / 60_000);
    const time = minutes > 0 ? ` for ${minutes} min` : "";
    const message = `the platform at ${url} ${problem}${time} (${reason}); ${this.#describeFate(code, pending, isNews)}`;
    log.log("error", code, message, { pending });
  }

  #describeFate(code: Problem, pending: number, isNews: boolean): string {
    if (!this.#options.keepsEvents)
      return `the events of an export are given up ${code === "blocked" ? "at once" : "when its time is over"}`;
    const kept = "events are kept while there is room";
    return isNews ? kept : `${countNoun(pending, "event waits", "events wait")}: ${kept}`;
  }
}
