import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Answer } from "../../src/instrumentation/answer.ts";
import { AnswerReader } from "../../src/instrumentation/decoding/answer-reader.ts";
import { DeltaTemplate } from "../../src/instrumentation/decoding/delta-template.ts";
import { openAiChat } from "../../src/instrumentation/protocols/openai-chat.ts";

const toEvent = (content: string, more: object = {}): string =>
  JSON.stringify({
    id: "1",
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  });

describe("a template", () => {
  const learn = (event: string, piece: string): DeltaTemplate => {
    const template = new DeltaTemplate();
    template.learn("", event, { piece, key: "text", choice: 0 });
    return template;
  };

  it("reads events that differ by their text", () => {
    const template = learn(toEvent("Hello"), "Hello");
    expect(template.match("", toEvent(" world 🏦"))?.piece).toBe(" world 🏦");
    expect(template.match("", toEvent(""))?.piece).toBe("");
  });

  it("reads events with padding", () => {
    const template = learn(toEvent("Hello", { obfuscation: "abc", n: 1 }), "Hello");
    expect(template.match("", toEvent("you", { obfuscation: "k", n: 1 }))?.piece).toBe("you");
    expect(template.match("", toEvent("you", { obfuscation: "k", n: 2 }))).toBeUndefined();
  });

  it.each([
    ["another name", "x", toEvent("you")],
    ["another end", "", toEvent("you", { usage: {} })],
    ["an escape", "", toEvent('a "quoted" word')],
    ["an escape at the end", "", toEvent("back\\")],
    ["another reason", "", toEvent("you").replace("null", '"stop"')],
    ["half of it", "", toEvent("you").slice(0, -3)],
  ])("leaves events with %s alone", (_, name, event) => {
    expect(learn(toEvent("Hello"), "Hello").match(name, event)).toBeUndefined();
  });

  it("learns nothing of an event whose text stands there twice", () => {
    const event = toEvent("1");
    expect(learn(event, "1").match("", event)).toBeUndefined();
  });
});

/** Reads a stream as it would be read with every event parsed. */
function readSlowly(events: readonly string[]): unknown {
  const answer = new Answer();
  for (const event of events) {
    openAiChat.readEvent({ name: "", data: JSON.parse(event) as Record<string, unknown> }, answer);
  }
  return [answer.toMessages("x"), answer.usage, answer.id, answer.model];
}

it("a stream is read as if every event were parsed, however it is cut", () => {
  const content = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom("stop", '"', "\\", "1", "null", ""),
  );
  const event = fc
    .record({
      index: fc.constantFrom(0, 0, 0, 1),
      content,
      reason: fc.constantFrom(null, null, null, "stop"),
      obfuscation: fc.constantFrom(undefined, "a", "bcd"),
      usage: fc.constantFrom(undefined, undefined, { prompt_tokens: 3 }),
      call: fc.constantFrom(undefined, undefined, "{}"),
      model: fc.constantFrom("m", "m", "n"),
    })
    .map(({ index, content: text, reason, call, ...rest }) =>
      JSON.stringify({
        ...rest,
        choices: [
          {
            index,
            delta: {
              content: text,
              ...(call !== undefined && {
                tool_calls: [{ index: 0, function: { arguments: call } }],
              }),
            },
            finish_reason: reason,
          },
        ],
      }),
    );
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 12 }),
      fc.integer({ min: 1, max: 40 }),
      (events, size) => {
        const answer = new Answer();
        const reader = new AnswerReader({
          protocol: openAiChat,
          answer,
          isStreamed: true,
          isRefusal: false,
        });
        const bytes = Buffer.from(events.map((each) => `data: ${each}\n\n`).join(""));
        for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
        reader.end();
        expect([answer.toMessages("x"), answer.usage, answer.id, answer.model]).toEqual(
          readSlowly(events),
        );
      },
    ),
  );
});
