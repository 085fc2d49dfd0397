import { describe, expect, it } from "vitest";
import { asks, chat, returns, text, tool } from "./gen-ai-attributes.ts";
import { replaySpans } from "./span-set.ts";

const piece = (content: string, reason: string) => ({
  ...text("assistant", content),
  finish_reason: reason,
});
const QUESTION = text("user", "Fee?");

describe("messages of streams", () => {
  it("puts pieces of an answer together, each of which has an empty reason to end", () => {
    const pieces = [piece("No", ""), piece("ne", ""), piece(".", "stop")];
    const { lines } = replaySpans([
      { id: "c", at: 0, until: 9, attributes: chat([QUESTION], pieces) },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None."]);
  });

  it("keeps choices apart that have all come to their end", () => {
    const choices = [piece("None.", "stop"), piece("Free.", "stop")];
    const { lines } = replaySpans([
      { id: "c", at: 0, until: 9, attributes: chat([QUESTION], choices) },
    ]);
    expect(lines).toEqual(["user_message Fee?", "agent_response None.\nFree."]);
  });

  it("tells a call once that runs under its own id and is counted in messages", () => {
    const counted = (): object => asks("get_fee_0", "get_fee", { a: 1 });
    const { lines } = replaySpans([
      {
        id: "c1",
        at: 0,
        until: 9,
        attributes: chat([QUESTION], [asks("own", "get_fee", { a: 1 })]),
      },
      { id: "t", at: 10, until: 12, attributes: tool("own", "get_fee", { a: 1 }, { fee: 0 }) },
      {
        id: "c2",
        at: 13,
        until: 19,
        attributes: chat(
          [QUESTION, counted(), returns("get_fee_0", { fee: 0 })],
          [text("assistant", "None.")],
        ),
      },
    ]);
    expect(lines).toEqual([
      "user_message Fee?",
      'tool_call get_fee {"a":1}',
      'tool_result get_fee {"fee":0}',
      "agent_response None.",
    ]);
  });

  it("takes elided texts for texts that were not captured", () => {
    const { lines } = replaySpans([
      {
        id: "c",
        at: 0,
        until: 9,
        attributes: chat([text("user", "<elided>")], [text("assistant", "<elided>")]),
      },
    ]);
    expect(lines).toEqual(["user_message (not captured)", "agent_response (not captured)"]);
  });
});
