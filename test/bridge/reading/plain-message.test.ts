import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessage } from "../../../src/bridge/reading/read-message.ts";

const role = fc.oneof(
  fc.constantFrom("user", "assistant", "System", "tool", "function", "Human", ""),
  fc.string(),
);
const content = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '[{"type":"text","text":"Hello"}]',
    ' [ {"type":"tool_use","id":"call-77001","name":"pay","input":{}}]',
    '[{"role":"user"}]',
    "[{",
  ),
);

describe("a message that is a role and a text", () => {
  it("is read as one that has a member more, which says nothing", () => {
    fc.assert(
      fc.property(role, content, (givenRole, text) => {
        const plain = toMessage({ role: givenRole, content: text }, "user");
        const other = toMessage({ role: givenRole, content: text, remark: 1 }, "user");
        expect(plain).toEqual(other);
      }),
    );
  });
});
