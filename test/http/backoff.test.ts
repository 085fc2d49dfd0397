import { expect, it } from "vitest";
import { toBackoffMillis } from "../../src/http/retry-wait.ts";

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

it("adds the jitter to a wait that grows no further", () => {
  expect(toBackoffMillis(6, 1000, 1, 8000)).toBe(9600);
});
