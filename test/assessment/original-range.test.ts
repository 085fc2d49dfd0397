import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toOriginalRange } from "../../src/assessment/judge-opinion.ts";

describe("toOriginalRange", () => {
  it("gives the same place in a text from which nothing was taken out", () => {
    expect(toOriginalRange("as it is", "as it is", { start: 3, end: 5 })).toEqual({
      start: 3,
      end: 5,
    });
  });

  it("lets a token stand for what was taken out", () => {
    const whole = "Card 4539148803436467 and SSN 536-22-1234 are yours";
    const sent = "Card [CARD:1] and SSN [SSN:2] are yours";
    const range = toOriginalRange(sent, whole, { start: 14, end: sent.length });
    expect(whole.slice(range?.start, range?.end)).toBe("and SSN 536-22-1234 are yours");
    const token = toOriginalRange(sent, whole, { start: 5, end: 13 });
    expect(whole.slice(token?.start, token?.end)).toBe("4539148803436467");
  });

  it("knows a value at the end", () => {
    const whole = "It is 4539148803436467";
    const range = toOriginalRange("It is [CARD:1]", whole, { start: 6, end: 14 });
    expect(whole.slice(range?.start, range?.end)).toBe("4539148803436467");
  });

  it("says nothing where the texts have nothing in common", () => {
    expect(
      toOriginalRange("something [SSN:1] else", "other", { start: 0, end: 9 }),
    ).toBeUndefined();
  });

  it("finds each text between tokens again", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{4,9}$/), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(words, fc.nat(), (texts, pick) => {
        const whole = texts.join(" 536-22-1234 ");
        const sent = texts.join(" [SSN:1] ");
        const index = pick % texts.length;
        const start = texts.slice(0, index).reduce((sum, text) => sum + text.length + 9, 0);
        const range = toOriginalRange(sent, whole, {
          start,
          end: start + (texts[index] ?? "").length,
        });
        expect(whole.slice(range?.start, range?.end)).toBe(texts[index]);
      }),
    );
  });
});
