import { describe, expect, it } from "vitest";
import { agent, asks, chat, returns, text, tool } from "./gen-ai-attributes.ts";
import { replaySpans } from "./span-set.ts";

describe("agents that ask agents", () => {
  it("tells agents three deep by the tools that lead to them", () => {
    const { lines, tokens } = replaySpans([
      { id: "a1", at: 0, until: 100, attributes: agent("Front") },
      {
        id: "c1",
        parent: "a1",
        at: 1,
        until: 5,
        attributes: chat([text("user", "Fee?")], [asks("k1", "ask_middle", { q: "fee" })]),
      },
      {
        id: "t1",
        parent: "a1",
        at: 6,
        until: 80,
        attributes: tool("k1", "ask_middle", { q: "fee" }, "none"),
      },
      { id: "a2", parent: "t1", at: 7, until: 79, attributes: agent("Middle") },
      {
        id: "c2",
        parent: "a2",
        at: 8,
        until: 12,
        attributes: chat([text("user", "fee")], [asks("k2", "ask_back", { q: "fee of blue" })]),
      },
      {
        id: "t2",
        parent: "a2",
        at: 13,
        until: 60,
        attributes: tool("k2", "ask_back", { q: "fee of blue" }, "0"),
      },
      { id: "a3", parent: "t2", at: 14, until: 59, attributes: agent("Back") },
      {
        id: "c3",
        parent: "a3",
        at: 15,
        until: 20,
        attributes: chat([text("user", "fee of blue")], [asks("k3", "read", { key: "blue" })]),
      },
      {
        id: "t3",
        parent: "a3",
        at: 21,
        until: 25,
        attributes: tool("k3", "read", { key: "blue" }, { fee: 0 }),
      },
      {
        id: "c4",
        parent: "a3",
        at: 30,
        until: 40,
        attributes: chat(
          [
            text("user", "fee of blue"),
            asks("k3", "read", { key: "blue" }),
            returns("k3", { fee: 0 }),
          ],
          [text("assistant", "0")],
        ),
      },
      {
        id: "c5",
        parent: "a2",
        at: 62,
        until: 70,
        attributes: chat(
          [text("user", "fee"), asks("k2", "ask_back", { q: "fee of blue" }), returns("k2", "0")],
          [text("assistant", "none")],
        ),
      },
      {
        id: "c6",
        parent: "a1",
        at: 82,
        until: 95,
        attributes: chat(
          [text("user", "Fee?"), asks("k1", "ask_middle", { q: "fee" }), returns("k1", "none")],
          [text("assistant", "There is none.")],
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call ask_middle {"q":"fee"}',
      'tool_call ask_back {"q":"fee of blue"}',
      'tool_call read {"key":"blue"}',
      'tool_result read {"fee":0}',
      'tool_result ask_back "0"',
      'tool_result ask_middle "none"',
      "agent_response There is none.",
    ]);
    expect(tokens).toEqual([60, 12]);
  });
});
