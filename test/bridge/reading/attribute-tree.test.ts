import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTree, toList } from "../../../src/bridge/reading/read-attributes.ts";

const LONG = "m".repeat(200);
const member = fc.constantFrom("message", "role", "content", "__proto__", "0", "12", LONG);

describe("flattened attributes", () => {
  it("come together again, whatever their members are called", () => {
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 12 }), fc.string(), (path, value) => {
        const tree = readTree({ [`llm.given.${path.join(".")}`]: value }, "llm.given.");
        let node: unknown = tree;
        for (const name of path) node = (node as Record<string, unknown>)[name];
        expect(node).toBe(value);
      }),
    );
  });

  it("leave out a member that lies too deep, and keep a branch beside a value of its name", () => {
    const deep = Array.from({ length: 13 }, () => "a").join(".");
    const tree = readTree(
      { "m.0.message.role": "user", "m.0.message": "text", [`m.1.${deep}`]: "x", "m.1.role": "ai" },
      "m.",
    );
    const [first, second] = toList(tree) as [{ message: { role: string } }, { role: string }];
    expect(first.message.role).toBe("user");
    expect(second.role).toBe("ai");
  });
});
