import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCodes } from "../../src/text/codes.ts";

const unitsOf = (text: string): number[] =>
  Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));

describe("toCodes", () => {
  it("gives the units of any text, whatever was read before", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 200 })), (texts) => {
        for (const text of texts) expect([...toCodes(text)]).toEqual(unitsOf(text));
      }),
    );
  });

  it("gives those of lone surrogates and of long texts", () => {
    const text = `\ud83d${"a\u00e9\u4e2d\udc4d".repeat(20_000)}\ud83d`;
    expect([...toCodes(text)]).toEqual(unitsOf(text));
    expect([...toCodes("ab")]).toEqual([97, 98]);
  });
});
