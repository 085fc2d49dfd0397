import fc from "fast-check";
import { expect, it } from "vitest";
import { MemoryStore } from "../../src/delivery/event-store.ts";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { PendingEvent } from "../../src/delivery/pending-event.ts";
import { createPendingEvent } from "../helpers/exporter.ts";

const MAX_COUNT = 20;
const MAX_BYTES = 3000;
const WRITER = "018bcfe5-7b88-7156-aea0-70d085219b3b";

interface Kept {
  readonly sequence: number;
  readonly event: PendingEvent;
}

const operations = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("append" as const), bytes: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ kind: fc.constant("forget" as const), upTo: fc.nat(80) }),
    fc.record({
      kind: fc.constant("read" as const),
      first: fc.integer({ min: 1, max: 80 }),
      length: fc.nat(20),
      maxCount: fc.integer({ min: 1, max: 10 }),
      maxBytes: fc.nat(3000),
    }),
  ),
  { maxLength: 150 },
);

const sumOf = (kept: readonly Kept[]): number =>
  kept.reduce((sum, { event }) => sum + event.approximateBytes, 0);

/** The JSON of an event as it is delivered. */
const toDelivered = ({ event, sequence }: Kept): string =>
  `${event.json.slice(0, -1)},"writerId":"${WRITER}","sequence":${sequence}}`;

it("behaves as a bounded list that is read from the oldest on", async () => {
  await fc.assert(
    fc.asyncProperty(operations, fc.nat(5), async (list, startAfter) => {
      const bounds = { maxCount: MAX_COUNT, maxBytes: MAX_BYTES };
      const store = new MemoryStore({ writerId: WRITER, startAfter, ...bounds });
      let model: Kept[] = [];
      let newest = startAfter;
      for (const operation of list) {
        if (operation.kind === "append") {
          const event = createPendingEvent(newest, "x".repeat(operation.bytes));
          const isFull =
            model.length >= MAX_COUNT || sumOf(model) + event.approximateBytes > MAX_BYTES;
          expect(store.append(event)).toBe(isFull ? "queue_full" : newest + 1);
          if (!isFull) model.push({ sequence: ++newest, event });
        } else if (operation.kind === "forget") {
          store.forget(operation.upTo);
          model = model.filter(({ sequence }) => sequence > operation.upTo);
        } else {
          const { first, length, maxCount, maxBytes } = operation;
          const last = first + length;
          // The store is asked for what is there only.
          if (first < (model[0]?.sequence ?? newest + 1) || last > newest) continue;
          const { events, end } = await store.read({ first, last, maxCount, maxBytes });
          const expected = model.filter(({ sequence }) => sequence >= first && sequence <= last);
          expect(events.map(({ json }) => json.toString())).toEqual(
            expected.slice(0, events.length).map(toDelivered),
          );
          expect(events.length).toBeGreaterThan(0);
          expect(events.length).toBeLessThanOrEqual(maxCount);
          expect(end).toBe(events.at(-1)?.sequence);
          const bytes = events.reduce((sum, event) => sum + event.json.length, 0);
          if (events.length > 1) expect(bytes).toBeLessThanOrEqual(maxBytes);
        }
        expect(store.newestSequence).toBe(newest);
        expect(store.bytes).toBe(sumOf(model));
        expect(store.oldest?.sequence).toBe(model[0]?.sequence);
        expect(store.oldest?.event).toBe(model[0]?.event);
      }
    }),
  );
});

it("gives one event at least, however large", async () => {
  const store = new MemoryStore({ writerId: WRITER, maxCount: 10, maxBytes: 100_000 });
  store.append(createPendingEvent(1, "x".repeat(5000)));
  store.append(createPendingEvent(2));
  const { events, end } = await store.read({ first: 1, last: 2, maxCount: 10, maxBytes: 10 });
  expect(events).toHaveLength(1);
  expect(end).toBe(1);
});

it("forgets nothing by age, and is never more durable than it is", async () => {
  const store = new MemoryStore({ writerId: WRITER, maxCount: 10, maxBytes: 100_000 });
  store.append(createPendingEvent(1));
  expect(store.findExpired()).toBe(0);
  await expect(store.sync()).resolves.toBeUndefined();
});

it("gives a provisional event its last form in its place, and is final up to the first without", async () => {
  const store = new MemoryStore({ writerId: WRITER, maxCount: MAX_COUNT, maxBytes: MAX_BYTES });
  const toForm = (userId: string, isProvisional: boolean): PendingEvent => {
    const json = JSON.parse(createPendingEvent(1).json) as DetailedEvent;
    return new PendingEvent({ ...json, userId }, userId.length, 10_000, isProvisional);
  };
  const [early, later, dropped] = [toForm("early", true), toForm("later", true), toForm("x", true)];
  store.append(createPendingEvent(0));
  store.append(dropped);
  store.append(early);
  store.append(later);
  const before = store.bytes;
  expect(store.finalSequence).toBe(1);
  store.forget(2);
  expect(store.finalSequence).toBe(2);
  expect(store.replace(dropped, toForm("y", false))).toBe(false);
  expect(store.replace(later, toForm("later in its last form", false))).toBe(true);
  expect(store.finalSequence).toBe(2);
  expect(store.replace(early, toForm("early, final", false))).toBe(true);
  expect(store.finalSequence).toBe(4);
  expect(store.bytes).toBeLessThan(before);
  const { events } = await store.read({ first: 3, last: 4, maxCount: 9, maxBytes: 9999 });
  expect(events.map(({ json }) => JSON.parse(json.toString()))).toMatchObject([
    { sequence: 3, userId: "early, final" },
    { sequence: 4, userId: "later in its last form" },
  ]);
  store.forget(4);
  expect(store.bytes).toBe(0);
});
