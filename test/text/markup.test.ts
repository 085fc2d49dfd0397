import { describe, expect, it } from "vitest";
import { readMarkup } from "../../src/text/markup.ts";

describe("readMarkup", () => {
  it.each([
    ["tags inside a word", "guar<b>ant</b>eed", "guaranteed"],
    ["tags around a word", "no <em>risk</em> at all", "no risk at all"],
    ["empty comments", "depo<!-- -->sits", "deposits"],
    ["breaks that are allowed", "for<wbr>ever re&shy;gret", "forever regret"],
    ["entities", "Tom &amp; Ann: 5 &lt; 6 &#111;r &#x41;", "Tom & Ann: 5 < 6 or A"],
  ])("shows %s as a browser does", (_, text, shown) => {
    expect(readMarkup(text)?.text).toBe(shown);
  });

  it.each([
    ["no markup", "5 < 6 & 7 > 3"],
    ["a placeholder", "your code is <code>, your name <name>"],
    [
      "what may hold something",
      '<a href="https://bank.example/?pin=4821">here</a> <!-- pin 4821 -->',
    ],
  ])("leaves %s as it is", (_, text) => {
    expect(readMarkup(text)).toBeUndefined();
  });

  it("tells where a word stood", () => {
    const text = "so <b>guar</b>anteed it is";
    const shown = readMarkup(text);
    const start = shown?.text.indexOf("guaranteed") ?? 0;
    const { start: from, end: to } = shown?.toSource({ start, end: start + 10 }) ?? {
      start: 0,
      end: 0,
    };
    expect(text.slice(from, to)).toBe("guar</b>anteed");
  });
});
