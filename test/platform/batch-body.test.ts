import fc from "fast-check";
import { expect, it } from "vitest";
import { cutBody, joinBody } from "../../src/platform/store/batch-body.ts";
import { runSteps, type Steps } from "../../src/platform/turns.ts";
import { findElements, findMember } from "../../src/util/json-span.ts";

const SPACES = ["", " ", "\n\t"];

const event = fc.record({
  json: fc.json(),
  // Whether it has a row, and where the row's number goes on from the one before.
  row: fc.constantFrom("none", "next", "elsewhere"),
  before: fc.constantFrom(...SPACES),
  behind: fc.constantFrom(...SPACES),
});

it("gives back any body byte for byte, and keeps nothing twice", () => {
  const property = fc.property(fc.array(event), fc.constantFrom(...SPACES), (events, space) => {
    const array = events.map(({ json, before, behind }) => before + json + behind).join(",");
    const body = Buffer.from(
      `{"batchId":"é",${space}"events":[${array}],"eventCount":${events.length}}`,
    );
    const span = findMember(body, "events") ?? { start: 0, end: 0 };
    const rows = new Map<number, Uint8Array>();
    let seq = 1;
    const stored = findElements(body, span).flatMap(({ start, end }, index) => {
      const row = events[index]?.row;
      if (row === "none") return [];
      seq += row === "next" ? 1 : 10;
      rows.set(seq, body.subarray(start, end));
      return [{ start, length: end - start, seq }];
    });
    const frame = cutBody(body, stored);
    // oxlint-disable-next-line require-yield -- the rows are here
    function* readRows(first: number, count: number): Steps<Uint8Array[]> {
      return Array.from({ length: count }, (_, index) => rows.get(first + index)!);
    }
    const whole = runSteps(joinBody(frame, readRows));
    expect(whole.body.toString()).toBe(body.toString());
    expect(whole.stored).toEqual(stored);
    const kept = stored.reduce((sum, { length }) => sum + length, 0);
    expect(frame.bytes.length).toBeLessThanOrEqual(body.length - kept);
  });
  fc.assert(property);
});

it("keeps one run for events that follow each other, without the commas between them", () => {
  const body = Buffer.from('{"events":[1,2,3]}');
  const stored = [11, 13, 15].map((start, index) => ({ start, length: 1, seq: 7 + index }));
  const frame = cutBody(body, stored);
  expect(Buffer.from(frame.bytes).toString()).toBe('{"events":[]}');
  expect(frame.runs).toEqual([[11, 7, 3]]);
});
