import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findWindow } from "../../../src/platform/ui/parts/use-window.ts";

describe("findWindow", () => {
  it("draws the rows between two places", () => {
    const heights = [100, 50, 100, 100];
    expect(findWindow(heights, 120, 240)).toEqual({ first: 1, end: 3, before: 100, after: 100 });
    expect(findWindow(heights, -500, 10)).toEqual({ first: 0, end: 1, before: 0, after: 250 });
    expect(findWindow([], 0, 100)).toEqual({ first: 0, end: 0, before: 0, after: 0 });
  });

  it("has all rows, drawn or as space, and draws what is looked at", () => {
    const heights = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 60 });
    const place = fc.integer({ min: -500, max: 8000 });
    fc.assert(
      fc.property(heights, place, fc.integer({ min: 1, max: 2000 }), (all, top, height) => {
        const { first, end, before, after } = findWindow(all, top, top + height);
        const sum = (some: readonly number[]): number => some.reduce((a, b) => a + b, 0);
        expect(before).toBe(sum(all.slice(0, first)));
        expect(after).toBe(sum(all.slice(end)));
        expect(before <= Math.max(0, top)).toBe(true);
        expect(sum(all) - after >= Math.min(sum(all), top + height)).toBe(true);
      }),
    );
  });
});
