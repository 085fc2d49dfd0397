import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalise } from "../../src/text/normalise.ts";

describe("normalise", () => {
  it.each([
    [
      "zero-width characters",
      "can you s\u200bm\u200bu\u200brf it",
      "can you smurf it",
      ["invisible-characters"],
    ],
    ["soft hyphens", "str\u00aducture", "structure", ["invisible-characters"]],
    [
      "lookalikes in a word of two scripts",
      "it's r\u0456\u0455k free",
      "it's risk free",
      ["lookalike-letters"],
    ],
    [
      "a word of lookalikes in an English text",
      "please \u0441\u043e\u0440\u0443 that form",
      "please copy that form",
      ["lookalike-letters"],
    ],
    [
      "full-width letters",
      "\uff47\uff55\uff41\uff52\uff41\uff4e\uff54\uff45\uff45",
      "guarantee",
      ["styled-letters"],
    ],
    ["mathematical letters", "\u{1d420}\u{1d42e}\u{1d41a}\u{1d42b}", "guar", ["styled-letters"]],
    [
      "letters set apart",
      "g u a r a n t e e d  r e t u r n s",
      "guaranteed  returns",
      ["spaced-letters"],
    ],
    [
      "short words among them",
      "I s.h.u.t it, t w o t i m e s",
      "I shut it, twotimes",
      ["spaced-letters"],
    ],
    ["three letters set apart", "opt o u t of it", "opt out of it", []],
    ["letters joined by signs", "s-t-r-u-c-t-u-r-i-n-g", "structuring", ["spaced-letters"]],
    [
      "acronyms with points",
      "The S.A.R. was sent by the F.D.I.C. Then",
      "The SAR was sent by the FDIC. Then",
      [],
    ],
    ["accents", "caf\u00e9 na\u00efve", "cafe naive", []],
    ["typographic signs", "\u201cyes\u201d \u2013 it\u2019s\u2026", '"yes" - it\'s...', []],
  ])("undoes %s", (_name, original, text, evasions) => {
    const normal = normalise(original);
    expect({ text: normal.text, evasions: normal.evasions }).toEqual({ text, evasions });
  });

  it.each([
    ["plain text", "Your card ends in 0042 (see p. 3)."],
    ["a short list of options", "Pick A, B or C."],
    ["real Cyrillic", "\u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439\u0442\u0435"],
    ["digits", "1 2 3 4 5 6"],
    ["emoji with joiners", "\u{1f468}\u200d\u{1f469}"],
  ])("sees no evasion in %s", (_name, original) => {
    expect(normalise(original).evasions).toEqual([]);
  });

  it("maps ranges back to the original", () => {
    const original = "\u{1f600} no r\u200bi\u200bsk at \uff41ll \ufb01n";
    const normal = normalise(original);
    const { text } = normal;
    const at = (word: string): string => {
      const start = text.indexOf(word);
      const range = normal.toOriginal({ start, end: start + word.length });
      return original.slice(range.start, range.end);
    };
    expect(at("risk")).toBe("r\u200bi\u200bsk");
    expect(at("all")).toBe("\uff41ll");
    expect(at("fin")).toBe("\ufb01n");
  });

  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          "a ",
          "b.",
          "\u200b",
          "\u0430",
          "\ud800",
          "\uff21",
          " ",
          "1",
          "\u0301",
          "S.A.",
        ),
        { maxLength: 200 },
      )
      .map((parts) => parts.join("")),
  );

  it("maps every range into the original, in order", () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (original, one, other) => {
        const normal = normalise(original);
        const { text } = normal;
        const [start = 0, end = 0] = [one % (text.length + 1), other % (text.length + 1)].toSorted(
          (a, b) => a - b,
        );
        const range = normal.toOriginal({ start, end });
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThanOrEqual(range.start);
        expect(range.end).toBeLessThanOrEqual(original.length);
      }),
    );
  });

  it("leaves ASCII words as they are", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[A-Za-z0-9]{2,9}$/)), (words) => {
        const original = words.join(" ");
        expect(normalise(original).text).toBe(original);
      }),
    );
  });
});
