import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBatchLines } from "../../src/cli/read-batches.ts";
import { MAX_LINE_BYTES, splitLines } from "../../src/cli/read-lines.ts";

async function read(content: string | readonly Uint8Array[]) {
  const chunks = typeof content === "string" ? [Buffer.from(content)] : content;
  const problems: string[] = [];
  const batches: { batch: unknown; events: string | undefined }[] = [];
  const source = Readable.from(chunks, { objectMode: true }) as AsyncIterable<Uint8Array>;
  for await (const { batch, eventsJson } of readBatchLines(source, "file", (problem) =>
    problems.push(problem),
  )) {
    batches.push({ batch, events: eventsJson && Buffer.from(eventsJson).toString() });
  }
  return { batches, problems };
}

describe("a source of batches", () => {
  it("has a batch per line, however the bytes come and the lines end", async () => {
    const lines = ['{"n":1,"events":[ 1 ]}', "", '{"events":[{"ü":2}],"n":2}\r', '{"n":3}'];
    const expected = [
      { batch: { n: 1, events: [1] }, events: "[ 1 ]" },
      { batch: { n: 2, events: [{ ü: 2 }] }, events: '[{"ü":2}]' },
      { batch: { n: 3 }, events: undefined },
    ];
    const property = fc.asyncProperty(fc.array(fc.nat(80)), fc.boolean(), async (cuts, isEnded) => {
      const bytes = Buffer.from(`\ufeff${lines.join("\n")}${isEnded ? "\n" : ""}`);
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      expect(await read(chunks)).toEqual({ batches: expected, problems: [] });
    });
    await fc.assert(property);
  });

  it("may be one document of many lines, whose events are kept as they are written", async () => {
    const events = '[\n  {\n    "a": 1\n  },\n\n  2\n]';
    expect(await read(`\n{\n  "n": 1,\n  "events": ${events}\n}\n`)).toEqual({
      batches: [{ batch: { n: 1, events: [{ a: 1 }, 2] }, events }],
      problems: [],
    });
  });

  it("may hold a batch as Base64", async () => {
    const json = '{"events":[\n1]}';
    const line = JSON.stringify({ base64: Buffer.from(json).toString("base64") });
    expect(await read(`${line}\n${line}`)).toMatchObject({
      batches: [{ events: "[\n1]" }, { events: "[\n1]" }],
      problems: [],
    });
  });

  it("is read on behind a line that can't be, which is named and not repeated", async () => {
    const bad = ["secret", "1", '"secret"', "{", '{"secret":', '{"base64":"AAAA"}'];
    for (const line of bad) {
      for (const text of [`{}\n${line}\n{}`, `${line}\n{}\n{}`]) {
        const number = text.startsWith("{}\n") ? 2 : 1;
        const { batches, problems } = await read(text);
        expect(batches).toHaveLength(2);
        expect(problems).toEqual([`file:${number}: expected a JSON object in UTF-8`]);
      }
    }
    const latin1 = Buffer.from('{"name":"Müller"}', "latin1");
    expect((await read([latin1])).problems).toHaveLength(1);
  });

  it("is read on behind a line that is too long, of which nothing is kept", async () => {
    const part = Buffer.alloc(1024 * 1024, 0x20);
    const chunks = function* (): Generator<Uint8Array> {
      yield Buffer.from("{}\n");
      for (let size = 0; size <= MAX_LINE_BYTES; size += part.length) yield part;
      yield Buffer.from("\n{}\n");
    };
    const lines: (number | undefined)[] = [];
    for await (const { bytes } of splitLines(Readable.from(chunks()))) lines.push(bytes?.length);
    expect(lines).toEqual([2, undefined, 2]);
    const { batches, problems } = await read([...chunks()]);
    expect(batches).toHaveLength(2);
    expect(problems).toEqual([`file:2: expected at most ${MAX_LINE_BYTES} bytes`]);
  });

  it("never fails, whatever is in it", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.oneof(fc.json(), fc.string())).map((lines) => Buffer.from(lines.join("\n"))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        const { batches, problems } = await read([content]);
        for (const { batch } of batches) expect(typeof batch).toBe("object");
        for (const problem of problems) expect(problem).toMatch(/^file:\d+: expected /);
      }),
    );
  });
});
