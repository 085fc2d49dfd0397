import * as fc from "fast-check";
import { expect, it } from "vitest";
import { decodeLogs, decodeSpans } from "../../src/platform/otlp/decode-telemetry.ts";
import type { OddValue, WrittenJson } from "../../src/platform/otlp/odd-values.ts";
import {
  readLogRecord,
  readSpan,
  writeLogRecord,
  writeSpan,
} from "../../src/platform/otlp/stored-json.ts";
import { runSteps } from "../../src/platform/turns.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("__proto__", "0", "NaN", "Infinity", "AQI=", "\0", "\uD800"),
);
const scalar = fc.oneof(
  text.map((stringValue) => ({ stringValue })),
  fc.boolean().map((boolValue) => ({ boolValue })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ intValue: `${value}` })),
  // Nobody distinguishes the two zeros.
  fc.double().map((value) => ({ doubleValue: Number.isFinite(value) ? value + 0 : `${value}` })),
  fc.uint8Array().map((bytes) => ({ bytesValue: Buffer.from(bytes).toString("base64") })),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value")).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: text, value: tie("value") }))
      .map((values) => ({ kvlistValue: { values } })),
  ),
}));
const attributes = fc.array(fc.record({ key: text, value }));
const nanos = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const id = (digits: number) =>
  fc
    .bigInt({ min: 1n, max: 16n ** BigInt(digits) - 1n })
    .map((number) => number.toString(16).padStart(digits, "0"));
const optional = { requiredKeys: [] };

const span = fc.record({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: fc.oneof(id(16), fc.constant("")),
  flags: fc.nat(0x3ff),
  name: text,
  kind: fc.nat(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  status: fc.record({ code: fc.nat(2), message: text }, optional),
  attributes,
  events: fc.array(fc.record({ timeUnixNano: nanos, name: text, attributes }), { maxLength: 3 }),
  links: fc.array(fc.record({ traceId: id(32), spanId: id(16), attributes }), { maxLength: 2 }),
});
const logRecord = fc.record(
  {
    timeUnixNano: nanos,
    observedTimeUnixNano: nanos,
    traceId: id(32),
    spanId: id(16),
    flags: fc.nat(1),
    severityNumber: fc.nat(24),
    eventName: text,
    body: value,
    attributes,
  },
  optional,
);
const origin = fc.record({
  resource: fc.record({ attributes }),
  scope: fc.record({ name: text, version: text }, optional),
});

/** Keeps it as the store does. */
function keep({ json, odd }: WrittenJson): [json: string, odd: readonly OddValue[] | undefined] {
  return [json, odd && (JSON.parse(JSON.stringify(odd)) as OddValue[])];
}

it("has of each span all that events are made of, whatever stands in it", () => {
  fc.assert(
    fc.property(span, origin, (given, { resource, scope }) => {
      const scopeSpans = [{ scope, spans: [given] }];
      const { items } = runSteps(decodeSpans({ resourceSpans: [{ resource, scopeSpans }] }));
      const [expected] = items;
      if (!expected) throw new Error("expected a span");
      const read = readSpan(...keep(writeSpan(expected)));
      const { traceId, spanId } = expected.spanContext();
      const { name, startTime, endTime, status, events, parentSpanContext: parent } = expected;
      const isKnown = parent?.isRemote !== undefined;
      expect({ ...read, spanContext: read.spanContext() }).toStrictEqual({
        spanContext: { traceId, spanId, traceFlags: 1 },
        name,
        startTime,
        endTime,
        status,
        attributes: expected.attributes,
        events: events.map((event) => ({
          time: event.time,
          name: event.name,
          attributes: event.attributes,
        })),
        instrumentationScope: expected.instrumentationScope,
        resource: expected.resource,
        // Flags are kept where they say something of the parent.
        ...(parent && { parentSpanContext: isKnown ? parent : { ...parent, traceFlags: 1 } }),
      });
    }),
    { numRuns: 100 },
  );
});

it("has of each log record all that events are made of, whatever stands in it", () => {
  fc.assert(
    fc.property(logRecord, origin, (given, { resource, scope }) => {
      const scopeLogs = [{ scope, logRecords: [given] }];
      const { items } = runSteps(decodeLogs({ resourceLogs: [{ resource, scopeLogs }] }, 1));
      const [expected] = items;
      if (!expected) throw new Error("expected a record");
      const { hrTimeObserved: _, droppedAttributesCount: __, ...sent } = expected;
      const { severityNumber: ___, severityText: ____, spanContext, ...said } = sent;
      expect(readLogRecord(...keep(writeLogRecord(expected)))).toStrictEqual({
        ...said,
        ...(spanContext && { spanContext: { ...spanContext, traceFlags: 1 } }),
      });
    }),
    { numRuns: 100 },
  );
});
