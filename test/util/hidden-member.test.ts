import { describe, expect, it } from "vitest";
import { createHiddenMember } from "../../src/instrumentation/fetch/overlays.ts";

describe("a hidden member", () => {
  it("is kept on an object, where nobody else sees it", () => {
    const member = createHiddenMember<number>();
    const target = { a: 1 };
    member.set(target, 2);
    expect(member.get(target)).toBe(2);
    expect(Reflect.ownKeys(target)).toEqual(["a"]);
    member.set(target, 3);
    expect(member.get(target)).toBe(3);
  });

  it("is none of another one's, and nothing on what has none", () => {
    const [one, other] = [createHiddenMember<number>(), createHiddenMember<number>()];
    const target = {};
    one.set(target, 1);
    expect(other.get(target)).toBeUndefined();
    for (const value of [{}, undefined, null, "text", 1]) expect(one.get(value)).toBeUndefined();
  });
});
