import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffParts, diffTexts } from "../../../src/platform/ui/insight/diff.ts";
import {
  readQuantile,
  LATENCY_CLASSES,
  toLatencyClass,
} from "../../../src/platform/insight/latencies.ts";
import { toShare } from "../../../src/platform/insight/intervals.ts";

const words = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });

describe("the comparison of two texts", () => {
  it("has all parts of both, in their order", () => {
    fc.assert(
      fc.property(words, words, (before, after) => {
        const edits = diffParts(before, after);
        const without = (kind: string): string[] =>
          edits.filter((edit) => edit.kind !== kind).map(({ part }) => part);
        expect(without("added")).toEqual(before);
        expect(without("removed")).toEqual(after);
      }),
    );
  });

  it("finds the longest that both have", () => {
    const longest = (one: readonly string[], other: readonly string[]): number => {
      let last = other.map(() => 0);
      for (const part of one) {
        const next: number[] = [];
        for (const [index, known] of other.entries()) {
          const above = last[index] ?? 0;
          const taken = part === known ? (last[index - 1] ?? 0) + 1 : 0;
          next.push(Math.max(above, next[index - 1] ?? 0, taken));
        }
        last = next;
      }
      return last.at(-1) ?? 0;
    };
    fc.assert(
      fc.property(words, words, (before, after) => {
        const same = diffParts(before, after).filter(({ kind }) => kind === "same");
        expect(same).toHaveLength(longest(before, after));
      }),
    );
  });

  it("is bounded: texts that have nothing in common are one removed and one added", () => {
    const before = Array.from({ length: 9000 }, (_, index) => `before ${index}`);
    const after = Array.from({ length: 9000 }, (_, index) => `after ${index}`);
    const edits = diffParts(before, after);
    expect(edits.slice(0, 9000).every(({ kind }) => kind === "removed")).toBe(true);
    expect(edits.slice(9000).map(({ part }) => part)).toEqual(after);
  });

  it("marks the words in which a line differs from the one in its place", () => {
    expect(diffTexts("Be brief.\nName the APR.", "Be brief.\nName the APR now.")).toEqual([
      { kind: "same", parts: [{ text: "Be brief.", isChanged: false }] },
      {
        kind: "removed",
        parts: [
          { text: "Name the ", isChanged: false },
          { text: "APR.", isChanged: true },
        ],
      },
      {
        kind: "added",
        parts: [
          { text: "Name the ", isChanged: false },
          { text: "APR now.", isChanged: true },
        ],
      },
    ]);
  });

  it("has every character of both, whatever they are", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const lines = diffTexts(before, after);
        const without = (kind: string): string =>
          lines
            .filter((line) => line.kind !== kind)
            .map(({ parts }) => parts.map(({ text }) => text).join(""))
            .join("\n");
        expect(without("added")).toBe(before);
        expect(without("removed")).toBe(after);
      }),
    );
  });
});

describe("a share", () => {
  it("of no case is not known", () => expect(toShare(0, 0)).toBeNull());

  it("has the interval of Wilson", () => {
    // Newcombe, Two-sided confidence intervals for the single proportion (1998), table I.
    for (const [hits, cases, low, high] of [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ] as const) {
      const share = toShare(hits, cases);
      expect(share?.low).toBeCloseTo(low, 4);
      expect(share?.high).toBeCloseTo(high, 4);
    }
  });

  it("lies within its interval", () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.integer({ min: 1, max: 1e6 }), (hits, cases) => {
        const { value, low, high } = toShare(hits, cases) ?? { value: 2, low: 1, high: 0 };
        expect(low).toBeLessThanOrEqual(value);
        expect(value).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("a quantile of latencies", () => {
  it("of none is not known", () => expect(readQuantile([0, 0], 0.5)).toBeNull());

  it("lies at most a class beside the true one", () => {
    const latencies = fc.array(fc.integer({ min: 33, max: 200_000 }), {
      minLength: 1,
      maxLength: 99,
    });
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.95), (values, share) => {
        const counts = Array.from({ length: LATENCY_CLASSES }, () => 0);
        for (const value of values) {
          const index = toLatencyClass(value);
          counts[index] = (counts[index] ?? 0) + 1;
        }
        const sorted = values.toSorted((left, right) => left - right);
        const truth = sorted[Math.ceil(share * values.length) - 1] ?? 0;
        const found = readQuantile(counts, share) ?? 0;
        expect(found / truth).toBeGreaterThan(1 / 1.51);
        expect(found / truth).toBeLessThan(1.51);
      }),
    );
  });
});
