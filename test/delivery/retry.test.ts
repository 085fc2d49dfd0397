import { expect, it } from "vitest";
import { sendWithRetries } from "../../src/delivery/circuit.ts";
import { createFakeClock } from "../helpers/clock.ts";

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
