import { describe, expect, it } from "vitest";
import { isError, isThenable, ownMembers, readMember } from "../../src/util/untrusted-values.ts";

const thrower = {
  a: 1,
  get b(): number {
    throw new Error("a getter of the caller's");
  },
  c: 3,
};

describe("values that other code has made", () => {
  it("reads members whose getters throw, and members of what has none", () => {
    expect(readMember(thrower, "a")).toBe(1);
    expect(readMember(thrower, "b")).toBeUndefined();
    expect(readMember(thrower, "b", "unreadable")).toBe("unreadable");
    expect(readMember(null, "a", "unreadable")).toBeUndefined();
    expect(readMember("text", "length")).toBe(4);
  });

  it("gives the first members of an object that are its own", () => {
    const heir = Object.assign(Object.create({ inherited: 0 }) as object, { a: 1, b: 2 });
    expect([...ownMembers(heir, 10)]).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
    expect([...ownMembers(thrower, 2, "unreadable")]).toEqual([
      ["a", 1],
      ["b", "unreadable"],
    ]);
    expect([...ownMembers(new Uint8Array(3), 10)]).toEqual([]);
  });

  it("knows errors and promises by what they can do", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect([new TypeError("x"), {}, proxy].map(isError)).toEqual([true, false, false]);
    expect(isThenable(Promise.resolve())).toBe(true);
    expect(isThenable({ then: 1 })).toBe(false);
  });
});
