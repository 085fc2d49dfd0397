import { toBackoffMillis } from "../http/retry-wait.ts";
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
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Called before each wait. */
  readonly onRetry?: (reason: string, delayMillis: number) => void;
}

/**
 * Sends until the result is final or all retries are used up.
 *
 * Waits the longer of the backoff and the server's `Retry-After`: an earlier try is known to be unwelcome.
 */
export async function sendWithRetries<Result extends SendResult>(
  send: () => Promise<Result>,
  { retryAttempts, retryDelay, clock, random, onRetry }: RetryOptions,
  signal: AbortSignal,
): Promise<Result> {
  let result = await send();
  for (let retry = 1; retry <= retryAttempts && result.status === "retryable"; retry++) {
    if (signal.aborted) break;
    const backoff = toBackoffMillis(retry, retryDelay, random());
    const delay = Math.max(result.retryAfterMillis ?? 0, backoff);
    onRetry?.(result.reason, delay);
    await sleep(clock, delay, signal);
    if (signal.aborted) break;
    result = await send();
  }
  return result;
}

/** Interval of probes of a platform that accepts nothing. */
const BLOCKED_PROBE_MILLIS = 60_000;
/** Interval of log lines while nothing is sent: the first one may be hours old. */
const REMINDER_MILLIS = 15 * 60_000;
/** Least first delay of the probes of an unreachable platform, also if `retryDelay` is shorter. */
const LEAST_PROBE_DELAY_MILLIS = 100;

export interface CircuitOptions {
  readonly clock: Clock;
  readonly log: BurstLogger;
  readonly retry: RetryOptions;
  /** URL of the platform, for the log. */
  readonly url: string;
  /** Number of pending events, for the log. */
  readonly countPending: () => number;
  /** Whether events wait for the platform; otherwise an export drops its own events. */
  readonly keepsEvents: boolean;
  /** Sends a single batch to see whether the platform is back. */
  readonly probe: () => void;
}

/**
 * State of the circuit: batches are sent only while it is `closed`.
 *
 * `open`: no retry has helped; the platform is probed less and less often, in the end once a minute. `blocked`: the
 * platform responds, but accepts nothing until credentials, address or platform change.
 */
type CircuitState = "closed" | "open" | "blocked";

/** Codes of the log lines about the circuit. */
type Problem = "circuit_open" | "blocked";

/** Stops batches from being sent to a platform that is unreachable or refuses everything. */
export class Circuit {
  readonly #options: CircuitOptions;
  /** Absent while the circuit is closed. */
  #halt: { readonly state: "open" | "blocked"; readonly reason: string } | undefined;
  #probes = 0;
  /** Monotonic time until which `Retry-After` forbids requests. */
  #notBefore = 0;
  #cancelProbe: (() => void) | undefined;
  /** Monotonic times of the beginning of the halt, and of the last log line about it. */
  #since: number | undefined;
  #loggedAt = 0;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  get state(): CircuitState {
    return this.#halt?.state ?? "closed";
  }

  /** Why nothing is sent; `undefined` while the state is `closed`. */
  get reason(): string | undefined {
    return this.#halt?.reason;
  }

  /** Time in ms for which `Retry-After` still forbids requests. */
  get forbiddenMillis(): number {
    if (this.state !== "open") return 0;
    return Math.max(0, this.#notBefore - this.#options.clock.monotonic());
  }

  /** Opens the circuit: the platform is unreachable. */
  open(reason: string, retryAfterMillis = 0): void {
    const { clock, retry } = this.#options;
    this.#report("circuit_open", "can't be reached", reason, this.state !== "open");
    this.#probes++;
    this.#notBefore = clock.monotonic() + retryAfterMillis;
    const attempts = retry.retryAttempts + this.#probes;
    const delay = Math.max(retry.retryDelay, LEAST_PROBE_DELAY_MILLIS);
    const backoff = toBackoffMillis(attempts, delay, retry.random());
    this.#stop("open", reason, Math.max(backoff, retryAfterMillis));
  }

  /** Blocks the circuit: the platform accepts nothing. */
  block(reason: string): void {
    this.#report("blocked", "takes nothing", reason, this.reason !== reason);
    this.#stop("blocked", reason, BLOCKED_PROBE_MILLIS);
  }

  /** Closes the circuit: the platform accepts events. */
  close(): void {
    const wasClosed = !this.#halt;
    this.reset();
    if (wasClosed) return;
    const { log, url } = this.#options;
    log.log("info", "unblocked", `the platform at ${url} takes events again`);
  }

  /** Closes the circuit without a log line: no event is left to probe the platform with. */
  reset(): void {
    this.#cancelProbe?.();
    this.#probes = 0;
    this.#halt = undefined;
    this.#since = undefined;
  }

  /** Cancels the next probe. */
  cancel(): void {
    this.#cancelProbe?.();
  }

  #stop(state: "open" | "blocked", reason: string, probeInMillis: number): void {
    this.#halt = { state, reason };
    this.#cancelProbe?.();
    this.#cancelProbe = this.#options.clock.schedule(this.#options.probe, probeInMillis);
  }

  /** Logs a problem, at once if it is new, else every 15 minutes. */
  #report(code: Problem, problem: string, reason: string, isNews: boolean): void {
    const { log, clock, url, countPending } = this.#options;
    const now = clock.monotonic();
    this.#since ??= now;
    if (!isNews && now - this.#loggedAt < REMINDER_MILLIS) return;
    this.#loggedAt = now;
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
