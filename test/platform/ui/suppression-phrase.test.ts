import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPhrase } from "../../../src/platform/ui/review/suppression-phrase.ts";

describe("toPhrase", () => {
  it.each([
    ["a sure return", "a sure return"],
    ["on **** **** 1486 a sure return", "1486 a sure return"],
    ["sure **** is the return of it", "is the return of it"],
    ["****", ""],
    ["", ""],
  ])("takes of %j the longest part in which nothing is masked", (quote, phrase) => {
    expect(toPhrase(quote)).toBe(phrase);
  });

  it("is words of the quote that a suppression takes", () => {
    const word = fc.stringMatching(/^[a-z*]{1,40}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const quote = words.join(" ");
        const phrase = toPhrase(quote);
        expect(phrase.length).toBeLessThanOrEqual(300);
        expect(phrase).not.toContain("*");
        expect(` ${quote} `).toContain(phrase === "" ? "" : ` ${phrase} `);
      }),
    );
  });
});
