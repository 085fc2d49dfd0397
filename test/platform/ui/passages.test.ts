import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cutAtMarks,
  findPassages,
  locateQuote,
  mergePassages,
} from "../../../src/platform/ui/finding/passages.ts";

const TEXT = "Yes. You will  double\nyour money, you will double it.";

describe("a finding's passage", () => {
  it.each([
    ["double it", "double it"],
    ["…you WILL double your…", "You will  double\nyour"],
    ["nothing like it", undefined],
    ["…", undefined],
    ["", undefined],
  ])("is found by its quote %j", (quote, expected) => {
    const found = locateQuote(TEXT, quote);
    expect(found && TEXT.slice(found.start, found.end)).toBe(expected);
  });

  it("is where its spans say, as far as they are in the text", () => {
    const spans = [
      { source: "agentResponse", start: 5, end: 8 },
      { source: "agentResponse", start: 50, end: 999 },
      { source: "userMessage", start: 0, end: 4 },
      { source: "agentResponse", start: 7, end: 7 },
      "none",
    ];
    expect(findPassages(TEXT, { spans }, "agentResponse")).toEqual([
      { start: 5, end: 8 },
      { start: 50, end: TEXT.length },
    ]);
    expect(findPassages(TEXT, { spans }, "userMessage")).toEqual([{ start: 0, end: 4 }]);
  });

  it("is where its words stand when the spans are of another copy of the text", () => {
    const context = {
      spans: [{ source: "agentResponse", start: 0, end: 4 }],
      detectedContent: "…double it…",
    };
    const start = TEXT.indexOf("double it");
    expect(findPassages(TEXT, context, "agentResponse")).toEqual([{ start, end: start + 9 }]);
  });

  it("is not looked for in the other message", () => {
    const spans = [{ source: "userMessage", start: 0, end: 3 }];
    const context = { spans, detectedContent: "double it" };
    expect(findPassages(TEXT, context, "agentResponse")).toEqual([]);
  });
});

const passage = fc
  .record({
    start: fc.nat(60),
    length: fc.integer({ min: 1, max: 20 }),
    rank: fc.nat(3),
    findingId: fc.constantFrom("a", "b", "c"),
  })
  .map(({ start, length, ...rest }) => ({ start, end: start + length, ...rest }));

it("merges what overlaps, as severe as the most severe, and loses no character of the text", () => {
  fc.assert(
    fc.property(
      fc.array(passage, { maxLength: 12 }),
      fc.string({ minLength: 5, maxLength: 60 }),
      fc.nat(20),
      (passages, text, at) => {
        const marks = mergePassages(passages);
        marks.forEach((mark, index) =>
          expect(mark.start).toBeGreaterThanOrEqual(marks[index - 1]?.end ?? 0),
        );
        for (let place = 0; place < 80; place++) {
          const covering = passages.filter(({ start, end }) => start <= place && place < end);
          const mark = marks.find(({ start, end }) => start <= place && place < end);
          expect(mark !== undefined).toBe(covering.length > 0);
          for (const { rank, findingId } of covering) {
            expect(mark?.rank).toBeGreaterThanOrEqual(rank);
            expect(mark?.findingIds).toContain(findingId);
          }
        }
        const pieces = cutAtMarks(text, at, marks);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        let place = at;
        for (const piece of pieces) {
          const isMarked = marks.some(({ start, end }) => start <= place && place < end);
          expect(piece.mark !== undefined).toBe(isMarked);
          place += piece.text.length;
        }
      },
    ),
  );
});
