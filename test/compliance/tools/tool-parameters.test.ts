import { describe, expect, it } from "vitest";
import { findPassed, isLeakyTool } from "../../../src/compliance/tools/tool-parameters.ts";
import type { ToolUsageInfo } from "../../../src/events/compliance.ts";
import { context } from "../engine-fixtures.ts";

const CARD = "4539 1488 0343 6467";

function find(toolsUsed: readonly ToolUsageInfo[]) {
  const passed = findPassed({ ...context, toolsUsed: [...toolsUsed] }, "card-number", isLeakyTool);
  return passed.map(({ tool, parameter }) => `${tool}.${parameter}`);
}

describe("findPassed", () => {
  it("reads the tools in question, whatever others were given before", () => {
    const done = { result: null, success: true };
    const amounts = Array.from({ length: 3000 }, (_, index) => `amount ${index}`);
    const many: ToolUsageInfo = {
      name: "post_payments",
      parameters: Object.fromEntries(amounts.map((name) => [name, 1])),
      ...done,
    };
    const note: ToolUsageInfo = { name: "add_note", parameters: { text: CARD }, ...done };
    expect(find([many, many, note])).toEqual(["add_note.text"]);
  });

  it("reads addresses that any tool was given", () => {
    const parameters = { url: `https://bank.example/pay?card=${CARD}`, memo: CARD };
    const tool = { name: "post_payments", parameters, result: null, success: true };
    expect(find([tool])).toEqual(["post_payments.url"]);
  });
});
