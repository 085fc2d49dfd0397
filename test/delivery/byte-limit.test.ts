import { expect, it } from "vitest";
import { ByteLimit } from "../../src/delivery/sender.ts";

it("is what is configured until the platform refuses a size", () => {
  const limit = new ByteLimit(100_000);
  limit.grow();
  expect(limit.bytes).toBe(100_000);
});

it("halves what was refused, never below a bound, and never grows by that", () => {
  const limit = new ByteLimit(100_000);
  limit.shrink(80_000);
  expect(limit.bytes).toBe(40_000);
  // An event that is larger than a batch may be is sent by itself.
  limit.shrink(1_000_000);
  expect(limit.bytes).toBe(40_000);
  limit.shrink(100);
  expect(limit.bytes).toBe(1024);
});

it("asks for a quarter more after ten batches that were taken, up to what is configured", () => {
  const limit = new ByteLimit(20_000);
  limit.shrink(20_000);
  const take = (count: number): void => {
    for (let batch = 0; batch < count; batch++) limit.grow();
  };
  take(9);
  expect(limit.bytes).toBe(10_000);
  take(1);
  expect(limit.bytes).toBe(12_500);
  take(9);
  // Refused again: the count begins anew.
  limit.shrink(24_000);
  take(9);
  expect(limit.bytes).toBe(12_000);
  take(100);
  expect(limit.bytes).toBe(20_000);
});
