import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "../../../src/bridge/reading/tolerant-json.ts";

const TEXT = '[{"role":"user","parts":[{"type":"text","content":"a \\"b\\" \\u00e9 c"}]}]';

describe("readJson", () => {
  it("reads whole JSON as it is", () => {
    expect(readJson(TEXT)).toEqual({ value: JSON.parse(TEXT), isPartial: false });
  });

  it.each(["", "plain text", '"a string"', "12", "{no json"])("leaves %j alone", (text) => {
    expect(readJson(text)?.value ?? undefined).toBeUndefined();
  });

  it.each([
    '{"balance":1,"note":"A"}\nMETA null',
    '{"part":1}\n{"part":2}',
    "[1] see the note below, [2",
    '{"balance":1, note: "no JSON"}',
  ])("leaves text that begins as JSON does as it is: %j", (text) => {
    expect(readJson(text)).toBeUndefined();
  });

  it("keeps what stands before a cut", () => {
    const cut = TEXT.slice(0, TEXT.indexOf("\\u00e9") + 3);
    expect(readJson(cut)).toEqual({
      value: [{ role: "user", parts: [{ type: "text", content: 'a "b" ' }] }],
      isPartial: true,
    });
  });

  it("never throws, wherever a text is cut", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, end) => {
        const read = readJson(json.slice(0, end % (json.length + 1)));
        expect(read === undefined || typeof read.value === "object").toBe(true);
      }),
    );
  });

  it("reads the beginning of a text that is too long to read whole", () => {
    const long = JSON.stringify(["first", "x".repeat(3 * 1024 * 1024)]);
    const read = readJson(long);
    expect(read?.isPartial).toBe(true);
    expect(read?.value).toMatchObject({ 0: "first" });
  });
});
