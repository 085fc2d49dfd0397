import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedMap } from "../../src/util/bounded-map.ts";

const key = fc.nat(6);
const operation = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), key, value: fc.nat(100) }),
  fc.record({ kind: fc.constantFrom("get" as const, "delete" as const), key }),
  fc.record({ kind: fc.constant("clear" as const), key }),
);

describe("BoundedMap", () => {
  it("behaves like a list of entries in order of use, without the oldest ones", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(operation, { maxLength: 60 }),
        (max, operations) => {
          const evicted: [number, number][] = [];
          const expectedEvictions: [number, number][] = [];
          const map = new BoundedMap<number, number>(max, (value, name) =>
            evicted.push([name, value]),
          );
          let model: [number, number][] = [];
          for (const step of operations) {
            const found = model.find(([name]) => name === step.key);
            const others = model.filter(([name]) => name !== step.key);
            if (step.kind === "set") {
              map.set(step.key, step.value);
              model = [...others, [step.key, step.value]];
              expectedEvictions.push(...model.splice(0, Math.max(0, model.length - max)));
            } else if (step.kind === "get") {
              expect(map.get(step.key)).toBe(found?.[1]);
              if (found) model = [...others, found];
            } else if (step.kind === "delete") {
              expect(map.delete(step.key)).toBe(found !== undefined);
              model = others;
            } else {
              map.clear();
              model = [];
            }
            expect(map.size).toBe(model.length);
            expect([...map.values()]).toEqual(model.map(([, value]) => value));
            expect(map.oldest()).toEqual(model[0]);
          }
          expect(evicted).toEqual(expectedEvictions);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("does not use an entry by asking for the oldest", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1);
    map.set("b", 2);
    map.oldest();
    map.set("c", 3);
    expect([...map.values()]).toEqual([2, 3]);
  });
});
