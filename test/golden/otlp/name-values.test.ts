import { expect, it } from "vitest";
import { createValueNamer } from "./name-values.ts";
import { createRisingClock } from "./rising-clock.ts";

const [ONE, OTHER] = [
  "0190c1a0-0000-7000-8000-00000000000a",
  "0190c1a0-0000-7000-8000-00000000000b",
];

it("gives equal ids equal names, wherever they stand", () => {
  const nameValues = createValueNamer(false);
  expect(nameValues({ eventId: OTHER, note: `of ${ONE} and ${OTHER}` })).toEqual({
    eventId: "<id 0>",
    note: "of <id 1> and <id 0>",
  });
  const attribute = { key: "log.record.uid", value: { stringValue: JSON.stringify({ id: ONE }) } };
  expect(nameValues([attribute])).toEqual([
    { key: "log.record.uid", value: { stringValue: '{"id":"<id 1>"}' } },
  ]);
});

it("gives times of one reading of the clock one name, and no other number", () => {
  const read = createRisingClock();
  const [first, second] = [read(), read()];
  const nameValues = createValueNamer(false);
  const span = { startTimeUnixNano: `${second}000000`, endTimeUnixNano: `${second + 3}210000` };
  expect(
    nameValues({ ...span, events: [{ timestamp: first }, { timestamp: second + 3 }] }),
  ).toEqual({
    startTimeUnixNano: "<time 0>",
    endTimeUnixNano: "<time 0>",
    events: [{ timestamp: "<time 1>" }, { timestamp: "<time 0>" }],
  });
  expect(nameValues({ amount: 1_700_000_000_000, text: "4111111111111111111" })).toEqual({
    amount: 1_700_000_000_000,
    text: "4111111111111111111",
  });
});

it("leaves out what is measured, of calls only where they are observed", () => {
  const values = { llmLatency: 12.345, duration: 7, tokens: 3 };
  expect(createValueNamer(true)(values)).toEqual({
    llmLatency: "<measured>",
    duration: "<measured>",
    tokens: 3,
  });
  expect(createValueNamer(false)(values)).toEqual({ ...values, duration: "<measured>" });
});
