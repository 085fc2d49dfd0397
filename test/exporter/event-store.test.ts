import fc from "fast-check";
import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/exporter/event-store.ts";
import type { PendingEvent } from "../../src/exporter/pending-event.ts";
import { createPendingEvent } from "../helpers/exporter.ts";

const MAX_BYTES = 3000;
const sumOf = (events: PendingEvent[]): number =>
  events.reduce((sum, { approximateBytes }) => sum + approximateBytes, 0);

const operations = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("append" as const), bytes: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ kind: fc.constant("remove" as const), count: fc.integer({ min: 0, max: 5 }) }),
    fc.record({
      kind: fc.constant("peek" as const),
      upTo: fc.nat(80),
      count: fc.nat(10),
      bytes: fc.nat(3000),
    }),
  ),
  { maxLength: 200 },
);

it("behaves as a bounded list", () => {
  fc.assert(
    fc.property(operations, (list) => {
      const store = createMemoryStore(20, MAX_BYTES);
      let model: PendingEvent[] = [];
      let newest = 0;
      for (const operation of list) {
        if (operation.kind === "append") {
          const event = createPendingEvent(newest, "x".repeat(operation.bytes));
          const fits = model.length < 20 && sumOf(model) + event.approximateBytes <= MAX_BYTES;
          expect(store.append(event)).toBe(fits ? newest + 1 : undefined);
          if (fits) model.push(event);
          if (fits) expect(event.sequence).toBe(++newest);
        } else if (operation.kind === "remove") {
          store.removeOldest(operation.count);
          model = model.slice(operation.count);
        } else {
          const expected: PendingEvent[] = [];
          let taken = 0;
          for (const event of model) {
            taken += event.bytes;
            const isOver = expected.length > 0 && taken > operation.bytes;
            if (event.sequence > operation.upTo || expected.length >= operation.count || isOver)
              break;
            expected.push(event);
          }
          expect(store.peek(operation.upTo, operation.count, operation.bytes)).toEqual(expected);
        }
        expect(store.size).toBe(model.length);
        expect(store.bytes).toBe(sumOf(model));
        expect(store.oldest).toBe(model[0]);
        expect(store.newestSequence).toBe(newest);
      }
    }),
  );
});
