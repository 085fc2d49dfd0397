import { expect, it } from "vitest";
import { Lineage } from "../../src/delivery/batch.ts";

/** Refusals after which sending on is in vain. */
function countUntilInVain(size: number): number {
  const lineage = new Lineage(size);
  let refusals = 0;
  for (; !lineage.isInVain; refusals++) lineage.noteRefusal();
  return refusals;
}

it("lets a batch be halved down to its single events, and a little more, before that is in vain", () => {
  for (const size of [1, 2, 3, 10, 100, 1000]) {
    const depth = Math.ceil(Math.log2(size));
    expect(countUntilInVain(size)).toBeGreaterThan(2 * depth);
    expect(countUntilInVain(size)).toBeLessThan(2 * depth + 5);
  }
});

it("is never in vain once a part was taken", () => {
  const lineage = new Lineage(100);
  lineage.noteTaken();
  for (let refusal = 0; refusal < 1000; refusal++) lineage.noteRefusal();
  expect(lineage).toMatchObject({ isTaken: true, isInVain: false });
});

it("waits until something is taken", () => {
  const lineage = new Lineage(2);
  expect(lineage.isSuspended).toBe(false);
  lineage.suspend();
  expect(lineage.isSuspended).toBe(true);
  lineage.noteTaken();
  expect(lineage.isSuspended).toBe(false);
});

it("tells a single event from a batch", () => {
  expect(new Lineage(1).isLone).toBe(true);
  expect(new Lineage(2).isLone).toBe(false);
});
