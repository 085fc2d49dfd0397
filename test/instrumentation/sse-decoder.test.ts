import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SseDecoder } from "../../src/instrumentation/streams/sse-decoder.ts";

type Event = readonly [name: string, data: string];

function decode(pieces: readonly string[]): Event[] {
  const events: Event[] = [];
  const decoder = new SseDecoder((name, data) => events.push([name, data]));
  for (const piece of pieces) decoder.push(piece);
  decoder.end();
  return events;
}

/** Cuts a text at the given places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  return [0, ...at].map((start, index) => text.slice(start, at[index]));
}

const line = fc.stringMatching(/^[a-z:" {}é]*$/);
const event = fc.record({
  name: fc.option(fc.stringMatching(/^[a-z_]{1,8}$/), { nil: undefined }),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  space: fc.constantFrom(" ", ""),
  comment: fc.boolean(),
});
const end = fc.constantFrom("\n", "\r\n", "\r");

describe("SseDecoder", () => {
  it("gives the same events however the text is cut and its lines end", () => {
    fc.assert(
      fc.property(fc.array(event), end, fc.array(fc.nat()), (events, newline, places) => {
        const text = events
          .flatMap(({ name, lines, space, comment }) => [
            ...(comment ? [": ping"] : []),
            ...(name === undefined ? [] : [`event: ${name}`]),
            ...lines.map((one) => `data:${one.startsWith(" ") ? " " : space}${one}`),
            "",
          ])
          .map((one) => one + newline)
          .join("");
        const expected = events.map(({ name = "", lines }) => [name, lines.join("\n")]);
        expect(decode(cut(text, places))).toEqual(expected);
      }),
    );
  });

  it.each([
    ["one line without its end", "data: a", [["", "a"]]],
    ["two lines in one event", "data: a\ndata: b\n\n", [["", "a\nb"]]],
    ["a name that comes second", "data: a\nevent: x\n\n", [["x", "a"]]],
    ["a name of its own event only", "event: x\n\ndata: a\n\n", [["", "a"]]],
    [
      "no space, and two",
      "data:a\n\ndata:  b\n\n",
      [
        ["", "a"],
        ["", " b"],
      ],
    ],
  ] as const)("reads %s", (_title, text, events) => {
    expect(decode([text])).toEqual(events);
  });

  it("leaves an event out that is too long, in one piece or in several, and reads the next", () => {
    const long = `data: ${"a".repeat(5 * 1024 * 1024)}\n\n`;
    expect(decode([`${long}data: b\n\n`])).toEqual([["", "b"]]);
    expect(decode([long.slice(0, 3_000_000), long.slice(3_000_000), "data: b\n\n"])).toEqual([
      ["", "b"],
    ]);
  });
});
