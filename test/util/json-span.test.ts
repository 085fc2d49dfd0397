import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findElements, findMember, findMembers, type Span } from "../../src/util/json-span.ts";

function slice(json: Uint8Array, span: Span | undefined): string | undefined {
  return span && Buffer.from(json.subarray(span.start, span.end)).toString();
}

describe("findMember", () => {
  it.each([
    ['{"events":[1, 2]}', "[1, 2]"],
    ['{ "a" : {"events":[9]} , "events" : [ ] }', "[ ]"],
    ['{"a":"\\"events\\":[0]","events":[1]}', "[1]"],
    ['{"a":"\\\\","events":[1]}', "[1]"],
    ['{"\\u0065vents":["]"],"z":1}', '["]"]'],
    ['{"events":[1],"events":[2]}', "[2]"],
    ['{"events":-1.5e3}', "-1.5e3"],
    ['{"events":"ü]}"\n}', '"ü]}"'],
  ])("finds the bytes in %s", (json, expected) => {
    const bytes = Buffer.from(json);
    expect(slice(bytes, findMember(bytes, "events"))).toBe(expected);
  });

  it.each(["[]", "1", '"events"', "{}", '{"event":[]}'])("finds nothing in %s", (json) => {
    expect(findMember(Buffer.from(json), "events")).toBeUndefined();
  });

  it("agrees with JSON.parse on any object, however it is spaced", () => {
    const property = fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 1, "\t", "\r\n"),
      (object, space) => {
        const bytes = Buffer.from(JSON.stringify(object, null, space));
        for (const [name, value] of Object.entries(object)) {
          expect(JSON.parse(slice(bytes, findMember(bytes, name)) ?? "")).toEqual(
            JSON.parse(JSON.stringify(value)),
          );
        }
      },
    );
    fc.assert(property);
  });
});

describe("findMembers", () => {
  it.each([
    ['{"a":1,"b":{"a":1},"c":[{"a":1}]}', undefined],
    ['{"a":1,"b":2,"b":3,"a":4}', "b"],
    ['{"a":1,"\\u0061":2}', "a"],
    ["[1]", undefined],
  ])("reports the name that %s repeats on its top level", (json, repeated) => {
    expect(findMembers(Buffer.from(json)).repeated).toBe(repeated);
  });

  it("has all members by name", () => {
    const { values } = findMembers(Buffer.from('{ "a" : 1, "b" : [ 2 ], "" : {} }'));
    expect([...values.keys()]).toEqual(["a", "b", ""]);
  });
});

describe("findElements", () => {
  it("splits any array into the texts of its elements", () => {
    const property = fc.property(
      fc.array(fc.jsonValue()),
      fc.constantFrom(0, 2),
      (array, space) => {
        const bytes = Buffer.from(JSON.stringify({ before: "]", events: array }, null, space));
        const span = findMember(bytes, "events") ?? { start: 0, end: 0 };
        const elements = findElements(bytes, span).map(
          (element) => JSON.parse(slice(bytes, element) ?? "") as unknown,
        );
        expect(elements).toEqual(JSON.parse(JSON.stringify(array)));
      },
    );
    fc.assert(property);
  });
});
