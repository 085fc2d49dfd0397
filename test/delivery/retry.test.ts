import { expect, it } from "vitest";
import { sendWithRetries, toBackoffMillis } from "../../src/delivery/retry.ts";
import { createFakeClock } from "../helpers/clock.ts";

it.each([
  [1, 1000, 0, 1000],
  [2, 1000, 0, 2000],
  [3, 1000, 0, 4000],
  [1, 1000, 1, 1200],
  [10, 1000, 1, 60_000],
  [10, 60_000, 0, 60_000],
  [5, 0, 1, 0],
])(
  "computes the wait of retry %i with delay %i and random %d",
  (retry, delay, random, expected) => {
    expect(toBackoffMillis(retry, delay, random)).toBe(expected);
  },
);

it("stops waiting and sending when it is aborted", async () => {
  const clock = createFakeClock();
  const abort = new AbortController();
  let sends = 0;
  const done = sendWithRetries(
    () => {
      sends++;
      return Promise.resolve({ status: "retryable", reason: "r" } as const);
    },
    { retryAttempts: 5, retryDelay: 1000, clock, random: () => 0 },
    abort.signal,
  );
  await clock.advance(1000);
  abort.abort();
  expect((await done).status).toBe("retryable");
  expect(sends).toBe(2);
  expect(clock.pending).toBe(0);
});
