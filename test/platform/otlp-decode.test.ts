import {
  JsonLogsSerializer,
  JsonTraceSerializer,
  ProtobufLogsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeLogs, decodeSpans } from "../../src/platform/otlp/decode-telemetry.ts";
import { LOGS_REQUEST, TRACE_REQUEST } from "../../src/platform/otlp/messages.ts";
import type { ReceivedLogRecord, ReceivedSpan } from "../../src/platform/otlp/received.ts";
import { findJsonExcess, readWireMessage } from "../../src/platform/otlp/wire-reader.ts";
import { ProblemError } from "../../src/platform/problem.ts";
import { runSteps } from "../../src/platform/turns.ts";
import { record, span } from "./arbitrary-telemetry.ts";

function toBuffer(bytes: Uint8Array | undefined): Buffer {
  return Buffer.from(bytes ?? []);
}

function parse(bytes: Uint8Array | undefined): unknown {
  return JSON.parse(toBuffer(bytes).toString("utf8"));
}

/** What of a span is told on the wire; a function can't be compared. */
function toPlainSpan(given: ReceivedSpan) {
  const { ended: _, duration: __, links, ...rest } = given;
  const { isRemote: ___, ...own } = given.spanContext();
  // Whether a link is remote can't be told.
  const plainLinks = links.map(({ context: { isRemote: ____, ...to }, ...link }) => ({
    ...link,
    context: to,
  }));
  return { ...rest, spanContext: own, links: plainLinks };
}

function toPlainRecord({ spanContext, ...rest }: ReceivedLogRecord) {
  if (!spanContext) return rest;
  const { isRemote: _, ...own } = spanContext;
  return { ...rest, spanContext: own };
}

describe("what OpenTelemetry's serialisers write is read as it was", () => {
  it("spans, in protobuf and in JSON", () => {
    fc.assert(
      fc.property(span, (given) => {
        const expected = toPlainSpan(given as unknown as ReceivedSpan);
        const spans = [given as unknown as ReadableSpan];
        const wire = toBuffer(ProtobufTraceSerializer.serializeRequest(spans));
        const json = parse(JsonTraceSerializer.serializeRequest(spans));
        for (const request of [runSteps(readWireMessage(wire, TRACE_REQUEST)), json]) {
          const { items, rejected } = runSteps(decodeSpans(request));
          expect(rejected).toBe(0);
          expect(items.map(toPlainSpan)).toEqual([expected]);
        }
      }),
    );
  });

  it("log records, in protobuf and in JSON", () => {
    fc.assert(
      fc.property(record, (given) => {
        const expected = toPlainRecord(given);
        const records = [given as unknown as ReadableLogRecord];
        const wire = toBuffer(ProtobufLogsSerializer.serializeRequest(records));
        const json = parse(JsonLogsSerializer.serializeRequest(records));
        for (const request of [runSteps(readWireMessage(wire, LOGS_REQUEST)), json]) {
          const { items, rejected } = runSteps(decodeLogs(request));
          expect(rejected).toBe(0);
          expect(items.map(toPlainRecord)).toEqual([expected]);
        }
      }),
    );
  });
});

describe("bytes that are no message", () => {
  const read = (bytes: Uint8Array): unknown =>
    runSteps(decodeSpans(runSteps(readWireMessage(Buffer.from(bytes), TRACE_REQUEST))));

  it("are refused with a problem or read, and nothing else happens", () => {
    const mutated = fc
      .tuple(span, fc.nat(), fc.nat(255), fc.boolean())
      .map(([given, place, byte, isCut]) => {
        const bytes = toBuffer(
          ProtobufTraceSerializer.serializeRequest([given as unknown as ReadableSpan]),
        );
        const at = place % bytes.length;
        if (isCut) return bytes.subarray(0, at);
        bytes[at] = byte;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), mutated), (bytes) => {
        try {
          read(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ProblemError);
          expect(error).toMatchObject({ status: 400, code: "malformed_body" });
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["cut in a length", [0x0a], /cut off/],
    ["shorter than its length says", [0x0a, 0x05, 0x00], /cut off/],
    ["with a number that does not end", Array<number>(12).fill(0xff), /more than 10 bytes/],
    ["with a length of more than 32 bits", [0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f], /out of range/],
    ["with a field of another type", [0x08, 0x01], /resourceSpans has another wire type/],
    ["that are JSON", [...Buffer.from('{"resourceSpans":[]}')], /unknown wire type/],
  ])("say so: %s", (_, bytes, message) => {
    expect(() => read(Uint8Array.from(bytes))).toThrow(message);
  });

  it("may have fields that are not known yet", () => {
    const unknown = [0x78, 0x01, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7a, 0x01, 0x00, 0x7d, 1, 2, 3, 4];
    expect(read(Uint8Array.from(unknown))).toEqual({ items: [], rejected: 0, reason: undefined });
  });

  it("may not be many small messages", () => {
    const bytes = Buffer.alloc(4_200_000);
    for (let at = 0; at < bytes.length; at += 2) bytes[at] = 0x0a;
    expect(() => read(bytes)).toThrow(/more than 2000000 messages/);
  });
});

const SPAN = { traceId: "5b8efff798038103d269b633813fc60c", spanId: "eee19b7ec3c1b174" };

function inRequest(...spans: unknown[]): unknown {
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] };
}

function nest(levels: number): unknown {
  let value: unknown = { stringValue: "deep" };
  for (let level = 0; level < levels; level++) value = { arrayValue: { values: [value] } };
  return inRequest({ ...SPAN, attributes: [{ key: "k", value }] });
}

describe("JSON that is too much", () => {
  const find = (json: string): string | undefined => runSteps(findJsonExcess(Buffer.from(json)));

  it("is found by its depth and by its members, strings left aside", () => {
    const open = "[{".repeat(200);
    const strings = [open, `"${open}`, `\\${open}\\`, `\\"${open}\\\\`];
    for (const json of ["", "{", "]]}", `"${open}`, JSON.stringify(strings)])
      expect(find(json)).toBeUndefined();
    expect(find("[".repeat(128))).toBeUndefined();
    expect(find(JSON.stringify(strings) + open)).toBe("more than 128 levels");
    expect(find("{}".repeat(2_000_001))).toBe("more than 2000000 objects and arrays");
  });
});

describe("OTLP/JSON", () => {
  const decodeValue = (value: unknown): unknown =>
    runSteps(decodeSpans(inRequest({ ...SPAN, attributes: [{ key: "k", value }] }))).items[0]
      ?.attributes["k"];

  it.each([
    [{ intValue: "42" }, 42],
    [{ intValue: -7 }, -7],
    [{ intValue: "9007199254740993" }, "9007199254740993"],
    [{ doubleValue: "1.5" }, 1.5],
    [{ doubleValue: "-Infinity" }, -Infinity],
    [{ boolValue: false }, false],
    [{ stringValue: "" }, ""],
    [{ arrayValue: {} }, []],
    [{ kvlistValue: { values: [{ key: "a", value: {} }] } }, { a: null }],
    [{ bytesValue: "AQI=" }, Uint8Array.of(1, 2)],
    [{}, undefined],
    [{ stringValue: null }, undefined],
  ])("reads the value %j", (value, expected) => {
    expect(decodeValue(value)).toEqual(expected);
  });

  it("reads ids in either case, and a span that says nothing else", () => {
    const [item] = runSteps(
      decodeSpans(inRequest({ ...SPAN, traceId: SPAN.traceId.toUpperCase() })),
    ).items;
    expect(item?.spanContext()).toEqual({ ...SPAN, traceFlags: 1 });
    expect(item).toMatchObject({ name: "", kind: 0, startTime: [0, 0], status: { code: 0 } });
    expect(item).not.toHaveProperty("parentSpanContext");
  });

  it.each([
    [{}, /trace id/],
    [{ ...SPAN, traceId: "0".repeat(32) }, /trace id/],
    [{ ...SPAN, traceId: "5b8efff798038103d269b633813fc60" }, /trace id/],
    [{ ...SPAN, traceId: "W47/95gDgQPSabYzgT/GDA==" }, /trace id/],
    [{ ...SPAN, spanId: "zee19b7ec3c1b174" }, /span id/],
    [{ ...SPAN, parentSpanId: "12" }, /parent span id/],
  ])("leaves out a span with ids that are none, and takes the others: %j", (wrong, reason) => {
    const { items, rejected, reason: said } = runSteps(decodeSpans(inRequest(SPAN, wrong, SPAN)));
    expect([items.length, rejected]).toEqual([2, 1]);
    expect(said).toMatch(reason);
  });

  it("leaves out a link to nowhere, and keeps its span", () => {
    const links = [{ traceId: "12" }, { ...SPAN, flags: 0x101 }];
    expect(runSteps(decodeSpans(inRequest({ ...SPAN, links }))).items[0]?.links).toEqual([
      { context: { ...SPAN, traceFlags: 1 }, attributes: {}, droppedAttributesCount: 0 },
    ]);
  });

  it("knows log records without a span, without a trace, and without a time of their own", () => {
    const inLogs = (...logRecords: unknown[]) => ({
      resourceLogs: [{ scopeLogs: [{ logRecords }] }],
    });
    const { items, rejected } = runSteps(
      decodeLogs(
        inLogs({ observedTimeUnixNano: "1000000005" }, { traceId: SPAN.traceId }, { traceId: "1" }),
      ),
    );
    expect(rejected).toBe(1);
    expect(items[0]).toMatchObject({ hrTime: [1, 5], hrTimeObserved: [1, 5] });
    expect(items[0]).not.toHaveProperty("spanContext");
    expect(items[1]?.spanContext).toEqual({
      traceId: SPAN.traceId,
      spanId: "0".repeat(16),
      traceFlags: 0,
    });
  });

  it.each([
    [5, "body: expected an object"],
    [{ resourceSpans: {} }, "resourceSpans: expected an array"],
    [{ resourceSpans: [[]] }, "resourceSpans: expected an object"],
    [inRequest(7), "spans: expected an object"],
    [inRequest({ ...SPAN, name: 1 }), "span.name: expected a string"],
    [inRequest({ ...SPAN, traceId: 1 }), "span.traceId: expected a string"],
    [inRequest({ ...SPAN, kind: "SPAN_KIND_CLIENT" }), "span.kind: expected an integer of 32 bits"],
    [inRequest({ ...SPAN, startTimeUnixNano: -1 }), /span.startTimeUnixNano: expected nanoseconds/],
    [inRequest({ ...SPAN, endTimeUnixNano: "9".repeat(20) }), /span.endTimeUnixNano/],
    [inRequest({ ...SPAN, attributes: { key: 1 } }), "attributes: expected an array"],
    [inRequest({ ...SPAN, attributes: [{ key: "k", value: { intValue: "x" } }] }), /intValue/],
    [inRequest({ ...SPAN, attributes: [{ key: "k", value: { bytesValue: "?" } }] }), /bytesValue/],
    [inRequest({ ...SPAN, attributes: [{ key: "k", value: { boolValue: 1 } }] }), /boolValue/],
    [
      inRequest({ ...SPAN, attributes: [{ key: "k", value: { doubleValue: "x" } }] }),
      /doubleValue/,
    ],
    [nest(40), "value: expected at most 32 levels"],
    [nest(10_000), "value: expected at most 32 levels"],
  ])("refuses what is no OTLP, without showing it: %#", (request, message) => {
    expect(() => runSteps(decodeSpans(request))).toThrow(message);
    expect(() => runSteps(decodeSpans(nest(30)))).not.toThrow();
  });
});
