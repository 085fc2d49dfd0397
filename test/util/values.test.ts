import { describe, expect, it } from "vitest";
import {
  isCount,
  isObject,
  isOptionalString,
  isRecord,
  parseIfJson,
  parseJson,
  readString,
  toArray,
  toNumber,
  toRecord,
  toText,
} from "../../src/util/values.ts";

/** Values of every kind, in the order of the tables below. */
const VALUES = [undefined, null, "", "a", 0, 1.5, -1, Number.NaN, Infinity, [], {}, new Date(0)];

describe("values of which nothing is known", () => {
  it("tells what has members from what has not, and lists from objects", () => {
    expect(VALUES.filter(isObject)).toEqual([[], {}, new Date(0)]);
    expect(VALUES.filter(isRecord)).toEqual([{}, new Date(0)]);
    expect(VALUES.filter(isCount)).toEqual([0]);
    expect(VALUES.filter(isOptionalString)).toEqual([undefined, "", "a"]);
    expect(isCount(2 ** 53)).toBe(false);
  });

  it("gives a value of the kind that is asked for, and nothing else", () => {
    const isThere = (value: unknown): boolean => value !== undefined;
    expect(VALUES.map(readString).filter(isThere)).toEqual(["", "a"]);
    expect(VALUES.map(toText).filter(isThere)).toEqual(["a"]);
    expect(VALUES.map(toNumber).filter(isThere)).toEqual([0, 1.5, -1]);
    expect(toArray({ length: 1 })).toEqual([]);
    expect(toRecord(["a"])).toEqual({});
  });

  it("parses JSON, and bears what is none", () => {
    expect(parseJson("null")).toBeNull();
    expect(parseJson("nothing")).toBeUndefined();
    expect(parseIfJson("null")).toBeNull();
    expect(parseIfJson('{"a":1}')).toEqual({ a: 1 });
    expect(parseIfJson("nothing")).toBe("nothing");
    expect(parseIfJson(VALUES)).toBe(VALUES);
  });
});
