import { describe, expect, it } from "vitest";
import { asks, chat, returns, text, tool } from "./gen-ai-attributes.ts";
import { replaySpans } from "./span-set.ts";

const inTrace = (trace: string, attributes: Record<string, unknown>, at: number) => ({
  id: trace,
  trace,
  at,
  until: at + 8,
  attributes,
});

describe("conversations over several traces", () => {
  it("tells each turn of a chat once, a trace for each request", () => {
    const history = [text("user", "Fee?"), text("assistant", "None."), text("user", "And red?")];
    const session = { "session.id": "s1" };
    const { lines } = replaySpans([
      inTrace("one", chat([text("user", "Fee?")], [text("assistant", "None.")], session), 0),
      inTrace("two", chat(history, [text("assistant", "3.")], session), 20),
      inTrace(
        "three",
        chat(
          [...history, text("assistant", "3."), text("user", "And red?")],
          [text("assistant", "Still 3.")],
          session,
        ),
        40,
      ),
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      "agent_response None.",
      "user_message And red?",
      "agent_response 3.",
      "user_message And red?",
      "agent_response Still 3.",
    ]);
  });

  it("tells only what is new where a conversation was summed up", () => {
    const session = { "gen_ai.conversation.id": "c1" };
    const { lines } = replaySpans([
      inTrace("one", chat([text("user", "Fee?")], [text("assistant", "None.")], session), 0),
      inTrace(
        "two",
        chat(
          [text("system", "Summary: the blue account has no fee."), text("user", "And red?")],
          [text("assistant", "3.")],
          session,
        ),
        20,
      ),
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      "agent_response None.",
      "user_message And red?",
      "agent_response 3.",
    ]);
  });

  it("tells two messages in a row, and a text on the way to a tool not as an answer", () => {
    const asked = {
      role: "assistant",
      parts: [
        { type: "text", content: "I look it up." },
        { type: "tool_call", id: "k", name: "get_fee", arguments: {} },
      ],
    };
    const { lines } = replaySpans([
      {
        id: "a",
        at: 0,
        until: 9,
        attributes: chat([text("user", "Hello."), text("user", "Fee?")], [asked]),
      },
      { id: "t", at: 10, until: 12, attributes: tool("k", "get_fee", {}, { fee: 0 }) },
      {
        id: "b",
        at: 20,
        until: 29,
        attributes: chat(
          [text("user", "Hello."), text("user", "Fee?"), asked, returns("k", { fee: 0 })],
          [text("assistant", "None.")],
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Hello.",
      "user_message Fee?",
      "tool_call get_fee {}",
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
  });

  it("takes only the new messages of a client that sends no history", () => {
    const next = (id: string, at: number, input: unknown[], output: unknown[]) => ({
      id,
      at,
      until: at + 8,
      attributes: chat(input, output, { "gen_ai.conversation.id": "resp" }),
    });
    const { lines } = replaySpans([
      next("a", 0, [text("user", "Fee?")], [asks("k", "get_fee", {})]),
      next("b", 20, [returns("k", { fee: 0 })], [text("assistant", "None.")]),
      next("c", 40, [text("user", "Thanks.")], [text("assistant", "Welcome.")]),
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      "tool_call get_fee {}",
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
      "user_message Thanks.",
      "agent_response Welcome.",
    ]);
  });

  it("tells the same tool twice when it is called twice with the same arguments", () => {
    const first = [text("user", "Fee?"), asks("k1", "get_fee", {}), returns("k1", "busy")];
    const { lines } = replaySpans([
      { id: "a", at: 0, until: 9, attributes: chat(first.slice(0, 1), first.slice(1, 2)) },
      { id: "b", at: 20, until: 29, attributes: chat(first, [asks("k2", "get_fee", {})]) },
      {
        id: "c",
        at: 40,
        until: 49,
        attributes: chat(
          [...first, asks("k2", "get_fee", {}), returns("k2", { fee: 0 })],
          [text("assistant", "None.")],
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      "tool_call get_fee {}",
      'tool_result get_fee "busy"',
      "tool_call get_fee {}",
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
  });

  it("tells a stream that broke as an error with what had come", () => {
    const { lines, events } = replaySpans([
      {
        id: "a",
        at: 0,
        until: 9,
        attributes: chat([text("user", "Fee?")], [text("assistant", "There is")]),
        failed: "socket hang up",
      },
    ]);
    expect(lines).toEqual(["user_message Fee?", "error undefined"]);
    expect(events[1]?.metadata["partialContent"]).toBe("There is");
  });
});
