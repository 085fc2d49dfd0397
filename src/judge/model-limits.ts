import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import { toBackoffMillis, toRetryAfterMillis } from "../http/retry-wait.ts";
import { readMember } from "../util/untrusted-values.ts";
import type { JudgeUsage } from "./judge-reply.ts";
import type { JudgeFailure } from "./judgement.ts";

/** A model's rate limit: the time after which it wants to be asked again, if it named one. */
interface RateLimit {
  /** Capped at 15 minutes. */
  readonly retryAfterMillis?: number;
}

const TOO_MANY_REQUESTS = 429;
/** A server that is overloaded may name a time as well. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([503, 529]);
const STATUS_NAMES = ["status", "statusCode", "httpStatusCode"];

function readRetryAfter(headers: unknown): unknown {
  const get = readMember(headers, "get");
  if (typeof get === "function") return Reflect.apply(get, headers, ["retry-after"]);
  return readMember(headers, "retry-after") ?? readMember(headers, "Retry-After");
}

/** Lists the places where clients keep the server's response: on the error, or below it. */
function toPlaces(error: unknown): unknown[] {
  const names = ["$response", "response", "lastError", "cause", "$metadata"];
  return [error, ...names.map((name) => readMember(error, name))];
}

function readPlaceStatus(place: unknown): number | undefined {
  return STATUS_NAMES.map((name) => readMember(place, name)).find(
    (value) => typeof value === "number",
  );
}

/** Reads the HTTP status from what a client has thrown; `undefined` where there is none. Never throws. */
export function readStatus(error: unknown): number | undefined {
  return toPlaces(error)
    .map(readPlaceStatus)
    .find((status) => status !== undefined);
}

function readPlace(place: unknown, now: number): RateLimit | undefined {
  const status = readPlaceStatus(place);
  const headers = ["headers", "responseHeaders"].map((name) => readMember(place, name));
  const wait = [readMember(place, "retryAfter"), ...headers.map(readRetryAfter)]
    .map((value) => toRetryAfterMillis(value, now))
    .find((millis) => millis !== undefined);
  const isLimit = status === TOO_MANY_REQUESTS || (UNAVAILABLE.has(status) && wait !== undefined);
  if (!isLimit) return undefined;
  return wait === undefined ? {} : { retryAfterMillis: wait };
}

/**
 * Reads from what a client has thrown whether its server wants to be asked later: status 429, or 503 and 529 with a
 * `Retry-After`, on the error or its `$response`, `response`, `lastError`, `cause` or `$metadata`.
 *
 * @param now - Milliseconds since the Unix epoch.
 * @returns `undefined` for any other failure. Never throws.
 */
export function readRateLimit(error: unknown, now: number): RateLimit | undefined {
  for (const place of toPlaces(error)) {
    try {
      const limit = readPlace(place, now);
      if (limit) return limit;
    } catch {
      // A getter or a method of the caller's may throw.
    }
  }
  return undefined;
}

const MINUTE_MILLIS = 60_000;

/** Limits the calls of any minute to a number; times are monotonic, in ms. */
export class CallRate {
  readonly #maxPerMinute: number;
  /** Times of the newest calls, a ring: some may be in the future. */
  readonly #times: number[] = [];
  #next = 0;

  constructor(maxPerMinute: number) {
    this.#maxPerMinute = maxPerMinute;
  }

  /** Returns the time in ms until a call is allowed; 0: at once. */
  waitMillis(now: number): number {
    const oldest = this.#times[this.#next];
    const isFull = this.#times.length >= this.#maxPerMinute;
    return isFull && oldest !== undefined ? Math.max(0, oldest + MINUTE_MILLIS - now) : 0;
  }

  /** Books the next call. @returns The time in ms until it. */
  book(now: number): number {
    const wait = this.waitMillis(now);
    this.#times[this.#next] = now + wait;
    this.#next = (this.#next + 1) % this.#maxPerMinute;
    return wait;
  }
}

const DAY_MILLIS = 86_400_000;

/**
 * Counts the usage of a UTC day's calls; times are milliseconds since the Unix epoch.
 *
 * Tokens and cost are known when a call has ended: calls under way may exceed the budget.
 */
export class DailyBudget {
  readonly #budget: ResolvedJudgeOptions["dailyBudget"];
  #day = 0;
  #used = { requests: 0, tokens: 0, cost: 0 };

  constructor(budget: ResolvedJudgeOptions["dailyBudget"]) {
    this.#budget = budget;
  }

  isSpent(now: number): boolean {
    this.#turn(now);
    const { requests = Infinity, tokens = Infinity, cost = Infinity } = this.#budget;
    const used = this.#used;
    return used.requests >= requests || used.tokens >= tokens || used.cost >= cost;
  }

  /** Counts a call that starts. */
  addCall(now: number): void {
    this.#turn(now);
    this.#used.requests++;
  }

  /** Counts the usage of calls, on the day on which it is known. */
  addUsage({ inputTokens, outputTokens, cost = 0 }: JudgeUsage, now: number): void {
    this.#turn(now);
    this.#used.tokens += inputTokens + outputTokens;
    this.#used.cost += cost;
  }

  #turn(now: number): void {
    const day = Math.floor(now / DAY_MILLIS);
    if (day === this.#day) return;
    this.#day = day;
    this.#used = { requests: 0, tokens: 0, cost: 0 };
  }
}

/** Consecutive answers that could not be judged. */
const FAILURES_TO_OPEN = 5;
const FIRST_WAIT_MILLIS = 1000;

/**
 * Limits the calls of a model that is away; times are monotonic, in ms.
 *
 * While the circuit is open, one answer at a time is asked, after waits that double from one second up to a minute.
 */
export class ModelCircuit {
  #failures = 0;
  #waits = 0;
  #notBefore = 0;

  get isOpen(): boolean {
    return this.#waits > 0;
  }

  /** Returns the time in ms until the model may be asked; 0: at once. */
  waitMillis(now: number): number {
    return this.isOpen ? Math.max(0, this.#notBefore - now) : 0;
  }

  /**
   * Records the outcome of an answer.
   *
   * @param failure - `undefined`: it was judged.
   * @param retryAfterMillis - For how long the model wants to be left alone.
   */
  note(now: number, failure: JudgeFailure | undefined, retryAfterMillis?: number): void {
    if (failure === undefined) this.#close();
    else if (failure === "rate_limited") this.#open(now, retryAfterMillis);
    else if (failure !== "closed" && (++this.#failures >= FAILURES_TO_OPEN || this.isOpen))
      this.#open(now);
  }

  #close(): void {
    this.#failures = 0;
    this.#waits = 0;
  }

  #open(now: number, retryAfterMillis?: number): void {
    // Calls that were under way together fail together: that is one failure.
    const isNew = !this.isOpen || now >= this.#notBefore;
    const backoff = isNew ? toBackoffMillis(++this.#waits, FIRST_WAIT_MILLIS) : 0;
    // A server that names no time would otherwise be asked again and again.
    const wait = Math.max(retryAfterMillis ?? backoff, isNew ? FIRST_WAIT_MILLIS : 0);
    this.#notBefore = Math.max(this.#notBefore, now + wait);
  }
}
