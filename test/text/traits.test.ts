import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { traitsOf } from "../../src/text/traits.ts";

describe("traitsOf", () => {
  it.each([
    ["my key is sk-abcdefghijklmnopqrst", "hasLongToken"],
    ["ends with dashes a---------------", "hasLongToken"],
    ["g u a r a n t e e d", "hasLettersApart"],
    ["an S.A.R. was filed", "hasLettersApart"],
    ["r_i_s_k free", "hasLettersApart"],
    ["eight six one", "hasSpokenDigits"],
    ["Fourteen, FORTY", "hasSpokenDigits"],
    ["double - five", "hasSpokenDigits"],
    ["2, 3, 4, 3", "hasSingleDigits"],
    ["4O00 l1l1", "hasMixedWord"],
    ["my password: hunter", "hasAssignment"],
    ["token=abc", "hasAssignment"],
  ] as const)("%j: %s", (text, trait) => {
    expect(traitsOf(text)[trait]).toBe(true);
  });

  it("has none for a plain answer", () => {
    const text =
      "Your deposit settles on Friday, and there is no fee for it. Can I help with more?";
    expect({ ...traitsOf(text) }).toEqual({
      isAscii: true,
      hasAssignment: false,
      hasLongToken: false,
      hasLettersApart: false,
      hasSpokenDigits: false,
      hasSingleDigits: false,
      hasMixedWord: false,
    });
  });

  it("never misses what an expression would find", () => {
    const piece = fc.constantFrom(
      ..."one two niner sixteen ninety double a b I 1 2 7 x9 - . , _ * | ~ / + é \u0661 \ud83d hello".split(
        " ",
      ),
    );
    const gap = fc.constantFrom("", " ", "  ", ", ", "\n");
    const text = fc
      .array(fc.tuple(piece, gap), { maxLength: 30 })
      .map((all) => all.flat().join(""));
    fc.assert(
      fc.property(text, (given) => {
        const traits = traitsOf(given);
        expect(traits.isAscii).toBe(/^[\0-\x7f]*$/.test(given));
        const expected = {
          hasLongToken: /[A-Za-z0-9_\-.+/~]{16}/.test(given),
          hasLettersApart:
            /(?<![A-Za-z0-9])[A-Za-z][ .\-_*~|][A-Za-z0134@$][ .\-_*~|]/.test(given) ||
            /(?<![A-Za-z0-9])[A-Za-z]\.[A-Za-z]\./.test(given),
          hasSpokenDigits:
            /\b(?:one|two|niner|double|\w{3,6}teen|\w{3,5}ty)\b[\s,.;:-]{1,3}(?:one|two|\w{3,6}teen|\w{3,5}ty)\b/.test(
              given,
            ),
          hasSingleDigits: /\b\d,\s?\d,\s?\d,\s?\d\b/.test(given),
          hasMixedWord: /\d[a-z]|[a-z]\d/.test(given),
        };
        for (const [trait, isThere] of Object.entries(expected))
          if (isThere) expect(traits[trait as keyof typeof expected], trait).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
