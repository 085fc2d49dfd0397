import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { uuidV7 } from "../../src/util/ids.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

// The ids of one process know the latest time they were given: the tests here go forward in time.
let now = 1_790_000_000_000;

describe("uuidV7", () => {
  it("is a UUID of version 7 that tells its time", () => {
    for (let round = 0; round < 1000; round++) {
      const id = uuidV7(++now);
      expect(id).toMatch(UUID_V7);
      expect(timeOf(id)).toBe(now);
    }
  });

  it("is unique and in order over 100,000 ids of one millisecond", () => {
    now++;
    const ids = Array.from({ length: 100_000 }, () => uuidV7(now));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    // The counter runs over into the time: 4096 ids a millisecond.
    const last = timeOf(ids.at(-1) ?? "");
    expect(last - now).toBe(24);
    now = last;
  });

  it("stays in order when the clock goes back", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3_600_000, max: 5 }), { minLength: 2, maxLength: 50 }),
        (steps) => {
          const ids = steps.map((step) => {
            const id = uuidV7(now + step);
            now = Math.max(now, timeOf(id));
            return id;
          });
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.toSorted()).toEqual(ids);
        },
      ),
    );
  });

  it("has 62 random bits", () => {
    const tails = Array.from({ length: 2000 }, () => uuidV7(++now).slice(19));
    expect(new Set(tails).size).toBe(tails.length);
    for (const position of [0, 1, 4, 15]) {
      const digits = new Set(tails.map((tail) => tail.replaceAll("-", "")[position]));
      expect(digits.size, `digit ${position}`).toBe(position === 0 ? 4 : 16);
    }
  });
});
