import { expect, it } from "vitest";
import type { ReadRecord } from "../../src/platform/kafka/kafka-consumer.ts";
import { takeInOrder } from "../../src/platform/kafka/take-in-order.ts";

const toRecord = (offset: number, bytes = 1): ReadRecord => ({
  topic: "events",
  partition: 0,
  offset: BigInt(offset),
  key: "bank",
  value: Buffer.alloc(bytes),
  headers: new Map(),
});

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takes records as far as it is let: each is queued, and stored, when the test says so. */
function createTaker() {
  const begun: number[] = [];
  const queue: (() => void)[] = [];
  const store: { resolve: (offset: number) => void; reject: (error: Error) => void }[] = [];
  const take = ({ offset }: ReadRecord, onQueued: () => void): Promise<number> => {
    begun.push(Number(offset));
    queue.push(onQueued);
    return new Promise<number>((resolve, reject) => store.push({ resolve, reject }));
  };
  return { begun, queue, store, take };
}

it("begins a record once the one before is queued, and waits until all are stored", async () => {
  const { begun, queue, store, take } = createTaker();
  const taken = takeInOrder([toRecord(1), toRecord(2), toRecord(3)], take);
  await tick();
  expect(begun).toEqual([1]);
  queue[0]?.();
  await tick();
  expect(begun).toEqual([1, 2]);
  // One that is stored, as an agent's profile is, was never said to be queued.
  store[1]?.resolve(2);
  await tick();
  expect(begun).toEqual([1, 2, 3]);
  store[2]?.resolve(3);
  queue[2]?.();
  let isOver = false;
  void taken.then(() => (isOver = true));
  await tick();
  expect(isOver).toBe(false);
  store[0]?.resolve(1);
  expect(await taken).toEqual([1, 2, 3]);
});

it("fails where one of them does, behind all that have begun", async () => {
  const { queue, store, take } = createTaker();
  const taken = takeInOrder([toRecord(1), toRecord(2)], take);
  queue[0]?.();
  await tick();
  store[0]?.reject(new Error("no database"));
  await tick();
  queue[1]?.();
  await expect(taken).rejects.toThrow("no database");
});

it("waits for those that are under way where they are large", async () => {
  const { begun, queue, store, take } = createTaker();
  const large = 3 * 1024 * 1024;
  const taken = takeInOrder([toRecord(1, large), toRecord(2, large)], take);
  queue[0]?.();
  await tick();
  expect(begun).toEqual([1]);
  store[0]?.resolve(1);
  await tick();
  expect(begun).toEqual([1, 2]);
  store[1]?.resolve(2);
  expect(await taken).toEqual([1, 2]);
});
