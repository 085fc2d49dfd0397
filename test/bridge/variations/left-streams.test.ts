import { describe, expect, it } from "vitest";
import { chat, text } from "./gen-ai-attributes.ts";
import { replaySpans, type SpanGiven } from "./span-set.ts";

const QUESTION = text("user", "Fee?");
const BEGINNING = [text("assistant", "It is")];
const NO_USAGE = {
  "gen_ai.usage.input_tokens": undefined,
  "gen_ai.usage.output_tokens": undefined,
};
const INCOMPLETE = { ...NO_USAGE, "gen_ai.response.finish_reasons": ["incomplete"] };

/** The span of a framework. */
function framework(more: Partial<SpanGiven> = {}, attributes: object = NO_USAGE): SpanGiven {
  return {
    id: "f",
    trace: "framework",
    scope: "framework",
    at: 0,
    until: Infinity,
    attributes: chat([QUESTION], [], attributes),
    ...more,
  };
}

/** The span of the client that the framework calls. */
function client(more: Partial<SpanGiven> = {}, output = BEGINNING): SpanGiven {
  return {
    id: "c",
    trace: "client",
    scope: "agent-monitor/fetch",
    at: 2,
    until: 20,
    attributes: chat([QUESTION], output, INCOMPLETE),
    ...more,
  };
}

const LINES = ["user_message Fee?", "agent_response It is"];

describe("a stream that two instrumentations have seen in traces of their own", () => {
  it("is told once when the framework's span never ends", () => {
    const { lines, events } = replaySpans([framework(), client()]);
    expect(lines).toEqual(LINES);
    expect(events[1]?.metadata).toMatchObject({ finishReason: "incomplete", model: "gpt-5" });
  });

  it("is told once when the client's span never ends", () => {
    const { lines } = replaySpans([
      framework({ until: 30, attributes: chat([QUESTION], BEGINNING, INCOMPLETE) }),
      client({ until: Infinity }, []),
    ]);
    expect(lines).toEqual(LINES);
  });

  it("is told once when neither span ends", () => {
    const { lines } = replaySpans([framework(), client({ until: Infinity }, [])]);
    expect(lines).toEqual(["user_message Fee?", "agent_response (not captured)"]);
  });

  it("is told once when the framework says that it was aborted, and the client that it was left", () => {
    // The client may learn of it later.
    for (const until of [30, 10]) {
      const aborted = framework({ until, failed: "Aborted" });
      const finish = { ...NO_USAGE, "gen_ai.response.finish_reasons": ["cancelled"] };
      const { lines, events } = replaySpans([
        aborted,
        client({ attributes: chat([QUESTION], BEGINNING, finish) }),
      ]);
      expect(lines).toEqual(["user_message Fee?", "error undefined"]);
      expect(events[1]?.metadata).toMatchObject({ partialContent: "It is" });
    }
  });

  it("is told once when one has seen less of the answer than the other", () => {
    const given = chat([QUESTION], [text("assistant", "It")], INCOMPLETE);
    const { lines } = replaySpans([framework({ until: 30, attributes: given }), client()]);
    expect(lines).toEqual(LINES);
    const other = chat([QUESTION], [text("assistant", "No")], INCOMPLETE);
    const apart = replaySpans([framework({ until: 30, attributes: other }), client()]);
    expect(apart.lines).toHaveLength(4);
  });

  it("tells how it failed once when the framework's span never ends", () => {
    const { lines } = replaySpans([framework(), client({ failed: "aborted" }, [])]);
    expect(lines).toEqual(["user_message Fee?", "error undefined"]);
  });

  it("is told once for each of several that are alike", () => {
    const { lines } = replaySpans([
      framework(),
      framework({ id: "g", trace: "framework2", at: 5 }),
      client(),
      client({ id: "d", trace: "client2", at: 7 }, [text("assistant", "Nothing")]),
    ]);
    expect(lines.toSorted()).toEqual([
      "agent_response It is",
      "agent_response Nothing",
      "user_message Fee?",
      "user_message Fee?",
    ]);
  });

  it.each([
    ["another model", {}, { "gen_ai.request.model": "another" }],
    ["another conversation", {}, { "gen_ai.conversation.id": "other" }],
    ["long before", { at: -60_000 }, {}],
    ["after the call was over", { at: 40 }, {}],
  ])("is none with a span that never ends of %s", (_, more, attributes) => {
    const named = { ...INCOMPLETE, "gen_ai.conversation.id": "own" };
    const { lines } = replaySpans([
      framework(more, { ...NO_USAGE, ...attributes }),
      client({ attributes: chat([QUESTION], BEGINNING, named) }),
    ]);
    expect(lines.toSorted()).toEqual([
      "agent_response (not captured)",
      "agent_response It is",
      "user_message Fee?",
      "user_message Fee?",
    ]);
  });
});
