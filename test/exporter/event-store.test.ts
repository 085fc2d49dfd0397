import fc from "fast-check";
import { expect, it } from "vitest";
import { createMemoryStore, type StoredEvent } from "../../src/exporter/event-store.ts";

const operations = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("append" as const), bytes: fc.integer({ min: 1, max: 50 }) }),
    fc.record({ kind: fc.constant("remove" as const), count: fc.integer({ min: 0, max: 5 }) }),
    fc.record({ kind: fc.constant("peek" as const), upTo: fc.nat(80), count: fc.nat(10), bytes: fc.nat(200) }),
  ),
  { maxLength: 200 },
);

it("behaves as a bounded list", () => {
  fc.assert(
    fc.property(operations, (list) => {
      const store = createMemoryStore(20, 400);
      let model: StoredEvent[] = [];
      let newest = 0;
      for (const operation of list) {
        if (operation.kind === "append") {
          const event = { eventId: `e${newest}`, json: "", bytes: operation.bytes, storedAt: 0 };
          const used = model.reduce((sum, { bytes }) => sum + bytes, 0);
          const fits = model.length < 20 && used + operation.bytes <= 400;
          expect(store.append(event)).toBe(fits ? newest + 1 : undefined);
          if (fits) model.push({ ...event, sequence: ++newest });
        } else if (operation.kind === "remove") {
          store.removeOldest(operation.count);
          model = model.slice(operation.count);
        } else {
          const expected: StoredEvent[] = [];
          let taken = 0;
          for (const event of model) {
            taken += event.bytes;
            const isOver = expected.length > 0 && taken > operation.bytes;
            if (event.sequence > operation.upTo || expected.length >= operation.count || isOver) break;
            expected.push(event);
          }
          expect(store.peek(operation.upTo, operation.count, operation.bytes)).toEqual(expected);
        }
        expect(store.size).toBe(model.length);
        expect(store.bytes).toBe(model.reduce((sum, { bytes }) => sum + bytes, 0));
        expect(store.newestSequence).toBe(newest);
      }
    }),
  );
});
