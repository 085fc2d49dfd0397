import { ProblemError } from "./problem.ts";

/** How long a sender waits that came when there was no room; bodies under way take seconds. */
const RETRY_AFTER_SECONDS = 2;

/** The bytes that one request holds in memory. */
export interface BodyLease {
  /** Counts bytes before they are kept; throws a problem when all requests together would hold too many. */
  take(bytes: number): void;
  /** Gives bytes back that are no longer held. */
  giveBack(bytes: number): void;
}

/** Bounds the bytes of request bodies that are held at a time, all requests together. */
export interface BodyBudget {
  readonly limit: number;
  readonly used: number;
  /** Requests that were refused because there was no room. */
  readonly refused: number;
  /** Runs what reads and handles a body; all that it took is given back at its end. */
  lend<Result>(work: (lease: BodyLease) => Promise<Result>): Promise<Result>;
}

/** Creates the common bound of all request bodies. */
export function createBodyBudget(limit: number): BodyBudget {
  let used = 0;
  let refused = 0;
  return {
    limit,
    get used() {
      return used;
    },
    get refused() {
      return refused;
    },
    async lend(work) {
      let held = 0;
      const lease: BodyLease = {
        take(bytes) {
          if (used + bytes > limit) {
            refused++;
            throw new ProblemError(
              503,
              "unavailable",
              `other requests under way hold the ${limit} bytes that all bodies together may have`,
              { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } },
            );
          }
          used += bytes;
          held += bytes;
        },
        giveBack(bytes) {
          used -= bytes;
          held -= bytes;
        },
      };
      try {
        return await work(lease);
      } finally {
        used -= held;
      }
    },
  };
}
