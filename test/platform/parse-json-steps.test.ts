import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { parseJsonSteps } from "../../src/platform/parse-json-steps.ts";
import { runSteps } from "../../src/platform/turns.ts";

const FAILED = Symbol("no JSON");

function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return FAILED;
  }
}

function expectSame(text: string, largeBytes: number): void {
  const steps = attempt(() => runSteps(parseJsonSteps(Buffer.from(text), largeBytes)));
  expect(steps).toEqual(attempt(() => JSON.parse(text) as unknown));
}

const SPACE = fc.constantFrom("", "", " ", "\n\t");

/** Writes JSON with white space anywhere. */
const spaced = fc
  .tuple(fc.json({ maxDepth: 6 }), fc.array(SPACE, { minLength: 1, maxLength: 5 }))
  .map(([json, spaces]) => {
    let count = 0;
    return json.replaceAll(/("(?:[^"\\]|\\.)*")|([[\]{},:])/g, (token, text?: string) => {
      const space = spaces[count++ % spaces.length] ?? "";
      return text === undefined ? `${space}${token}${space}` : token;
    });
  });

it("gives what the parser gives, wherever it is cut", () => {
  fc.assert(
    fc.property(spaced, fc.integer({ min: 0, max: 30 }), (text, largeBytes) => {
      expectSame(text, largeBytes);
    }),
    { numRuns: 2000 },
  );
});

it("refuses what the parser refuses", () => {
  const damage = fc.tuple(
    spaced,
    fc.nat(),
    fc.constantFrom("", ",", ",,", "[", "]", "{", "}", '"', ":", "\\", "1", " ", "\u0000", "x"),
    fc.nat({ max: 2 }),
  );
  fc.assert(
    fc.property(damage, fc.integer({ min: 0, max: 12 }), ([text, place, added, removed], large) => {
      const at = place % (text.length + 1);
      expectSame(text.slice(0, at) + added + text.slice(at + removed), large);
    }),
    { numRuns: 5000 },
  );
});

it.each([
  "[ ,{}]",
  "[{}, ]",
  "[ , ]",
  '{"a":{},}',
  '{ ,"a":{}}',
  "[[1,2]3]",
  "[[1,2]] x",
  "[[1,2}]",
  '{"a":1,"a":{"b":2},"a":3}',
  '{"__proto__":{"x":[1,2,3]},"constructor":[1]}',
  '{"2":[1],"1":[2]}',
  "[[],[[]],{}]",
  " [ ] ",
  "",
  "[".repeat(3000) + "]".repeat(3000),
])("takes %j as the parser does", (text) => {
  for (const largeBytes of [0, 1, 5, 100]) expectSame(text, largeBytes);
});

it("keeps a member called __proto__ a member", () => {
  const value = runSteps(parseJsonSteps(Buffer.from('{"__proto__":{"admin":[true]}}'), 0));
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value as object)).toEqual(["__proto__"]);
});

it("refuses bytes that are no UTF-8", () => {
  const bytes = Buffer.concat([Buffer.from('["'), Buffer.of(0xff), Buffer.from('",[1,2]]')]);
  expect(() => runSteps(parseJsonSteps(bytes, 2))).toThrow(TypeError);
});

it("pauses on the way through a large document, between parts that are small", () => {
  const text = JSON.stringify({
    list: Array.from({ length: 20_000 }, (_, id) => ({ id, text: "x".repeat(50) })),
  });
  const parse = vi.spyOn(JSON, "parse");
  const steps = parseJsonSteps(Buffer.from(text));
  let pauses = 0;
  let parsedAtOnce = 0;
  for (;;) {
    parse.mockClear();
    const { done, value } = steps.next();
    const length = parse.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
    parsedAtOnce = Math.max(parsedAtOnce, length);
    if (done === true) {
      parse.mockRestore();
      expect(value).toEqual(JSON.parse(text));
      break;
    }
    pauses++;
  }
  expect(pauses).toBeGreaterThan(20);
  expect(parsedAtOnce).toBeLessThan(text.length / 2);
});
