import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Completion } from "../../src/instrumentation/completion.ts";
import { AnswerReader } from "../../src/instrumentation/streams/answer-reader.ts";
import { DeltaTemplate } from "../../src/instrumentation/streams/sse-decoder.ts";
import { openAiChat } from "../../src/instrumentation/protocols/openai-chat.ts";

const toEvent = (content: string, more: object = {}): string =>
  JSON.stringify({
    id: "1",
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
    ...more,
  });

const toData = (content: string, more?: object): string => `data: ${toEvent(content, more)}\n\n`;

describe("a template", () => {
  const learn = (event: string, piece: string, name = ""): DeltaTemplate => {
    const template = new DeltaTemplate();
    template.learn(name, event, { piece, key: "text", choice: 0 });
    return template;
  };

  it("reads events that differ by their text, as many as there are", () => {
    const template = learn(toEvent("Hello"), "Hello");
    const same = toData(" world 🏦") + toData("") + toData("!");
    const text = `${same}data: [DONE]\n\n`;
    expect(template.read(text, 0)).toEqual({
      piece: " world 🏦!",
      key: "text",
      choice: 0,
      end: same.length,
    });
    expect(template.read(text, toData(" world 🏦").length)?.piece).toBe("!");
    expect(template.read(text, same.length)).toBeUndefined();
  });

  it("reads events that have a name", () => {
    const template = learn(toEvent("Hello"), "Hello", "delta");
    expect(template.read(`event: delta\n${toData("you")}`, 0)?.piece).toBe("you");
    expect(template.read(toData("you"), 0)).toBeUndefined();
  });

  it("reads events with padding", () => {
    const template = learn(toEvent("Hello", { obfuscation: "abc", n: 1 }), "Hello");
    expect(template.read(toData("you", { obfuscation: "k", n: 1 }), 0)?.piece).toBe("you");
    expect(template.read(toData("you", { obfuscation: "k", n: 2 }), 0)).toBeUndefined();
    expect(template.read(toData("you", { obfuscation: 'k"', n: 1 }), 0)).toBeUndefined();
  });

  it.each([
    ["another name", `event: x\n${toData("you")}`],
    ["another end", toData("you", { usage: {} })],
    ["an escape", toData('a "quoted" word')],
    ["an escape at the end", toData("back\\")],
    ["another reason", toData("you").replace("null", '"stop"')],
    ["half of it", toData("you").slice(0, -3)],
    ["a line that ends in the text", toData("you").replace("you", "y\n\ndata: you")],
    ["more lines", toData("you").replace("\n\n", "\ndata: 1\n\n")],
  ])("leaves events with %s alone", (_, event) => {
    expect(learn(toEvent("Hello"), "Hello").read(event, 0)).toBeUndefined();
  });

  it("learns nothing of an event whose text stands there twice, or which has several lines", () => {
    expect(learn(toEvent("1"), "1").read(toData("1"), 0)).toBeUndefined();
    const lines = toEvent("Hello").replace("{", "{\n");
    expect(learn(lines, "Hello").read(`data: ${lines}\n\n`, 0)).toBeUndefined();
  });
});

/** Reads a stream as it would be read with every event parsed. */
function readSlowly(events: readonly string[]): unknown {
  const answer = new Completion();
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
      fc.integer({ min: 1, max: 400 }),
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("", "event: delta"),
      (events, size, newline, name) => {
        const answer = new Completion();
        const reader = new AnswerReader({
          protocol: openAiChat,
          answer,
          isStreamed: true,
          isRefusal: false,
        });
        const first = name === "" ? "" : name + newline;
        const framed = events.map((each) => `${first}data: ${each}${newline}${newline}`);
        const bytes = Buffer.from(framed.join(""));
        for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
        reader.end();
        expect([answer.toMessages("x"), answer.usage, answer.id, answer.model]).toEqual(
          readSlowly(events),
        );
      },
    ),
  );
});
