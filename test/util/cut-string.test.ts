import { describe, expect, it } from "vitest";
import { cutString } from "../../src/util/cut-string.ts";

describe("cutString", () => {
  it("gives a text that is short enough as it is", () => {
    expect(cutString("caf\u00e9", 4)).toBe("caf\u00e9");
  });

  it.each([
    ["ASCII", "abcdef", "abcd"],
    ["accents", "\u00e9\u00e8\u00ea\u00eb\u00ef", "\u00e9\u00e8\u00ea\u00eb"],
    ["other scripts", "\u8acb\u7a0d\u5019\u8acb\u7a0d", "\u8acb\u7a0d\u5019\u8acb"],
    ["whole surrogate pairs", "ab\u{1f44d}cd", "ab\u{1f44d}"],
    ["lone surrogates", "a\ud83db\udc4dcd", "a\ud83db\udc4d"],
  ])("keeps %s", (_, text, cut) => {
    expect(cutString(text, 4)).toBe(cut);
  });

  it("does not split a surrogate pair", () => {
    expect(cutString("abc\u{1f44d}d", 4)).toBe("abc");
  });
});
