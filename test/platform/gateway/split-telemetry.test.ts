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
import { splitByTrace } from "../../../src/platform/gateway/split-telemetry.ts";
import { decodeLogs, decodeSpans } from "../../../src/platform/otlp/decode-telemetry.ts";
import { LOGS_REQUEST, TRACE_REQUEST } from "../../../src/platform/otlp/messages.ts";
import { MAX_REPEATED_BYTES, readWireMessage } from "../../../src/platform/otlp/wire-reader.ts";
import { ProblemError } from "../../../src/platform/problem.ts";
import { runSteps } from "../../../src/platform/turns.ts";
import { findElements, findMember, type Span } from "../../../src/util/json-span.ts";

type Format = "json" | "protobuf";
type Signal = "traces" | "logs";

const FORMATS: readonly Format[] = ["json", "protobuf"];
const MESSAGES = { traces: TRACE_REQUEST, logs: LOGS_REQUEST };
const LISTS = {
  traces: ["resourceSpans", "scopeSpans", "spans"],
  logs: ["resourceLogs", "scopeLogs", "logRecords"],
};

/** Reads a body as its route does; functions of spans are called, for they can't be compared. */
function decode(bytes: Buffer, format: Format, signal: Signal) {
  const request: unknown =
    format === "json"
      ? JSON.parse(bytes.toString("utf8"))
      : runSteps(readWireMessage(bytes, MESSAGES[signal]));
  const received = runSteps<{ items: readonly object[]; rejected: number }>(
    signal === "traces" ? decodeSpans(request) : decodeLogs(request),
  );
  const items = received.items.map((item) => {
    const { spanContext } = item as { spanContext?: { traceId: string } | (() => never) };
    const context = typeof spanContext === "function" ? spanContext() : spanContext;
    return { ...item, spanContext: context, traceId: context?.traceId ?? "" };
  });
  return { items, rejected: received.rejected };
}

function readVarint(bytes: Buffer, from: number): [value: number, at: number] {
  let value = 0;
  for (let at = from, factor = 1; ; at++, factor *= 128) {
    value += (bytes[at]! & 0x7f) * factor;
    if (bytes[at]! < 0x80) return [value, at + 1];
  }
}

/** Lists the values of a length-delimited field; fields of fixed width are skipped. */
function listFields(bytes: Buffer, number: number): Buffer[] {
  const values: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const [tag, valueAt] = readVarint(bytes, at);
    const [length, start] = readVarint(bytes, valueAt);
    if (tag === number * 8 + 2) values.push(bytes.subarray(start, start + length));
    at = { 0: start, 1: valueAt + 8, 2: start + length, 5: valueAt + 4 }[tag & 7]!;
  }
  return values;
}

function listElements(bytes: Buffer, name: string): Buffer[] {
  const slice = ({ start, end }: Span): Buffer => bytes.subarray(start, end);
  const list = findMember(bytes, name);
  return list ? findElements(bytes, list).map(slice) : [];
}

/** Lists the bytes of all items, with other code than that under test. */
function listRawItems(bytes: Buffer, format: Format, signal: Signal): string[] {
  let messages = [bytes];
  for (const [level, name] of LISTS[signal].entries())
    messages = messages.flatMap((message) =>
      format === "json" ? listElements(message, name) : listFields(message, level === 0 ? 1 : 2),
    );
  return messages.map((message) => message.toString("latin1"));
}

/** Checks that the parts say together what the whole says, each of one trace alone. */
function expectSplit(bytes: Buffer, format: Format, signal: Signal) {
  const whole = decode(bytes, format, signal);
  const parts = splitByTrace(bytes, format, signal);
  let [items, rejected] = [0, 0];
  for (const part of parts) {
    const found = decode(part.bytes, format, signal);
    expect(found.items).toEqual(whole.items.filter(({ traceId }) => traceId === part.traceId));
    items += found.items.length;
    rejected += found.rejected;
  }
  expect([items, rejected]).toEqual([whole.items.length, whole.rejected]);
  expect(new Set(parts.map(({ traceId }) => traceId)).size).toBe(parts.length);
  return parts;
}

function expectSameRaw(bytes: Buffer, format: Format, signal: Signal): void {
  const raw = splitByTrace(bytes, format, signal).flatMap((part) =>
    listRawItems(part.bytes, format, signal),
  );
  expect(raw.toSorted()).toEqual(listRawItems(bytes, format, signal).toSorted());
}

const [A, B, C] = ["a1", "b2", "c3"].map((start) => start.padEnd(32, "0")) as [
  string,
  string,
  string,
];
const SPAN_ID = "00000000000000f1";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
const attributes = fc.dictionary(text, fc.oneof(text, fc.boolean(), fc.nat()), { maxKeys: 4 });
const origins = fc.tuple(
  fc.array(fc.record({ attributes }), { minLength: 1, maxLength: 3 }),
  fc.array(fc.record({ name: text, version: text }), { minLength: 1, maxLength: 3 }),
);
const time = fc.tuple(fc.integer({ min: 1, max: 2 ** 32 }), fc.nat(999_999_999));
const context = fc.record({
  traceId: fc.constantFrom(A, B, C),
  spanId: fc.constant(SPAN_ID),
  traceFlags: fc.constant(1),
});

/** Items that stand anywhere among the resources and scopes. */
function amongOrigins<Item>(item: fc.Arbitrary<Item>) {
  const placed = fc.tuple(item, fc.nat(2), fc.nat(2));
  return fc.tuple(origins, fc.array(placed, { maxLength: 12 })).map(([[resources, scopes], all]) =>
    all.map(([one, resource, scope]) => ({
      ...one,
      resource: resources[resource % resources.length],
      instrumentationScope: scopes[scope % scopes.length],
    })),
  );
}

const spans = amongOrigins(
  fc
    .record({ name: text, kind: fc.nat(4), context, startTime: time, endTime: time, attributes })
    .map(({ context: own, ...rest }) => ({
      ...rest,
      spanContext: () => own,
      status: { code: 0 },
      events: [{ time: rest.startTime, name: rest.name, attributes: {} }],
      links: [{ context: { ...own, traceId: C } }],
    })),
).map((all) => all as unknown as ReadableSpan[]);

const records = amongOrigins(
  fc.record({
    hrTime: time,
    hrTimeObserved: time,
    spanContext: fc.option(context, { nil: undefined }),
    body: text,
    attributes,
  }),
).map((all) => all as unknown as ReadableLogRecord[]);

const SERIALIZERS = {
  traces: { json: JsonTraceSerializer, protobuf: ProtobufTraceSerializer },
  logs: { json: JsonLogsSerializer, protobuf: ProtobufLogsSerializer },
};

function serializeSpans(all: ReadableSpan[], format: Format): Buffer {
  return Buffer.from(SERIALIZERS.traces[format].serializeRequest(all) ?? []);
}

function serializeRecords(all: ReadableLogRecord[], format: Format): Buffer {
  return Buffer.from(SERIALIZERS.logs[format].serializeRequest(all) ?? []);
}

const body = fc.oneof(
  fc.tuple(spans, fc.constantFrom(...FORMATS)).map(([all, format]) => ({
    signal: "traces" as const,
    format,
    bytes: serializeSpans(all, format),
  })),
  fc.tuple(records, fc.constantFrom(...FORMATS)).map(([all, format]) => ({
    signal: "logs" as const,
    format,
    bytes: serializeRecords(all, format),
  })),
);

describe("what OpenTelemetry's serialisers write", () => {
  it("is split into one part for each trace, with the items, resources and scopes as they were", () => {
    const property = fc.property(body, ({ bytes, format, signal }) => {
      const parts = expectSplit(bytes, format, signal);
      expectSameRaw(bytes, format, signal);
      for (const part of parts) expect(splitByTrace(part.bytes, format, signal)).toEqual([part]);
      if (parts.length === 1) expect(parts[0]?.bytes).toBe(bytes);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("is split as it is decoded when a byte of it is another", () => {
    const mutated = fc
      .tuple(body, fc.nat(), fc.nat(255))
      .map(([{ bytes, ...rest }, place, byte]) => {
        if (bytes.length > 0) bytes[place % bytes.length] = byte;
        return { ...rest, bytes };
      });
    let accepted = 0;
    const property = fc.property(mutated, ({ bytes, format, signal }) => {
      try {
        decode(bytes, format, signal);
      } catch {
        return;
      }
      accepted++;
      expectSplit(bytes, format, signal);
    });
    fc.assert(property, { numRuns: 1500 });
    expect(accepted).toBeGreaterThan(100);
  });
});

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const inSpans = (...all: unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: all }] }] });
const inLogs = (...all: unknown[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: all }] }] });

function toTexts(json: string, signal: Signal) {
  const parts = expectSplit(Buffer.from(json), "json", signal);
  return Object.fromEntries(parts.map(({ traceId, bytes }) => [traceId, bytes.toString()]));
}

describe("a request in JSON", () => {
  const a = `{"traceId":"${A}"}`;
  const b = `{ "traceId" : "${B}" }`;

  it("keeps spaces, escapes, numbers and unknown members, and leaves out messages without items", () => {
    const scope = (items: string) =>
      `{"x" : 1e2,"scope": {"name":"\\u0061"} , "logRecords":${items} }`;
    const json = (first: string, second = "") =>
      `\n{ "new":[ {} ],"resource\\u004cogs" : [${first}${second}],"z":[]}\t`;
    const first = (scopes: string) =>
      `{"resource":{"attributes":[ ]},"schemaUrl":"u","scopeLogs":[${scopes}]}`;
    const second = `{"scopeLogs":[{"logRecords":[${b}]}] , "resource" : {}}`;
    const whole = json(
      ` ${first(` ${scope(`[ ${a} ,\n${b},${a},${a} ]`)}, ${scope("[]")},{} `)},`,
      `${second}, {}, null `,
    );
    expect(toTexts(whole, "logs")).toEqual({
      [A]: json(first(scope(`[${a},${a},${a}]`))).trim(),
      [B]: json(first(scope(`[${b}]`)), `,${second}`).trim(),
    });
  });

  it("takes ids in upper case or with escapes for the same trace", () => {
    const upper = `{"trace\\u0049d":"\\u0041${A.slice(1).toUpperCase()}"}`;
    const whole = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${a},${b},${upper}]}]}]}`;
    expect(Object.keys(toTexts(whole, "logs"))).toEqual([A, B]);
  });

  it("keeps what is rejected, or has no trace, in the part without one", () => {
    const none = [null, {}, { traceId: null }, { traceId: "" }, { traceId: "0".repeat(32) }];
    const wrong = [{ traceId: "12" }, { traceId: "oRAAAAAAAAAAAAAAAAAAAA==" }];
    const all = [...none, ...wrong];
    const parts = toTexts(JSON.stringify(inLogs(...all, { traceId: A })), "logs");
    expect(JSON.parse(parts[""]!)).toEqual(inLogs(...all));
    const spanParts = toTexts(
      JSON.stringify(inSpans(...all, { traceId: A, spanId: "1" })),
      "traces",
    );
    expect(JSON.parse(spanParts[""]!)).toEqual(inSpans(...all));
    expect(Object.keys(spanParts)).toEqual(["", A]);
  });

  it("counts the last of members with one name, and leaves out the items of the others", () => {
    const hidden = `{"traceId":7,"x":"hidden"}`;
    const twice = `{"traceId":{"traceId":[]},"trace\\u0049d":"${A}"}`;
    const lists = `"logRecords":[${hidden},5,[]],"log\\u0052ecords":[${twice},${b}]`;
    const scopes = `"scopeLogs":[{"logRecords":[${hidden}]}],"scopeLogs":[{${lists}}]`;
    const whole = `{"resourceLogs":[${hidden}],"resourceLogs":[{${scopes}}]}`;
    const parts = toTexts(whole, "logs");
    expect(Object.keys(parts)).toEqual([A, B]);
    for (const part of Object.values(parts)) expect(part).not.toContain("hidden");
    expect(toTexts(`{"resourceLogs":[{${scopes}}],"resourceLogs":null}`, "logs")).toHaveProperty(
      "",
    );
  });

  it.each(["null", "{}", ' {"resourceSpans":[]}', '{"resourceSpans":[{"scopeSpans":null}]}'])(
    "is returned as it came without items: %s",
    (json) => {
      const bytes = Buffer.from(json);
      expect(splitByTrace(bytes, "json", "traces")).toEqual([{ traceId: "", bytes }]);
    },
  );
});

/** Writes a field of bytes, its tag and length padded to any number of bytes. */
function field(number: number, bytes: Uint8Array | string, padding = 0): Buffer {
  const value = Buffer.from(bytes as string);
  const varint = (rest: number): number[] =>
    rest < 0x80 ? [rest] : [(rest % 0x80) | 0x80, ...varint(Math.floor(rest / 0x80))];
  const padded = (given: number): number[] => {
    const all = varint(given);
    if (padding === 0) return all;
    return [...all.map((byte) => byte | 0x80), ...Array<number>(padding - 1).fill(0x80), 0];
  };
  return Buffer.concat([Buffer.from([...padded(number * 8 + 2), ...padded(value.length)]), value]);
}

describe("a request in protobuf", () => {
  const id = (traceId: string) => Buffer.from(traceId, "hex");
  const attribute = (key: string) =>
    field(1, Buffer.concat([field(1, key), field(2, field(1, "v"))]));
  const unknown = Buffer.concat([
    // Of field 20, a varint, 64 bits and 32 bits.
    Buffer.from([0xa0, 1, 0x81, 0x80, 1, 0xa1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0xa5, 1, 1, 2, 3, 4]),
    field(1000, "unknown"),
  ]);
  const spanOf = (traceId: string, padding = 0) =>
    Buffer.concat([unknown, field(2, id(SPAN_ID)), field(1, id(traceId), padding), field(5, "n")]);

  it("keeps unknown fields and repeated ones where they stand", () => {
    const [a, b] = [field(2, spanOf(A)), field(2, spanOf(B))];
    const inScope = (...items: Buffer[]) =>
      Buffer.concat([field(1, field(1, "s")), ...items, unknown, field(3, "u")]);
    const request = (...inFirst: Buffer[]) =>
      Buffer.concat([
        unknown,
        field(
          1,
          Buffer.concat([
            field(1, attribute("first")),
            field(2, inScope(...inFirst)),
            unknown,
            field(1, attribute("second")),
            field(3, "url"),
          ]),
        ),
      ]);
    // The unknown field between two items stays between what is left of them.
    const whole = request(a, b, field(99, "x"), a, field(99, "y"));
    const empty = field(1, field(2, Buffer.alloc(0)));
    const parts = expectSplit(Buffer.concat([whole, empty]), "protobuf", "traces");
    expect(parts).toEqual([
      { traceId: A, bytes: request(a, field(99, "x"), a, field(99, "y")) },
      { traceId: B, bytes: request(b, field(99, "x"), field(99, "y")) },
    ]);
  });

  it("counts the last of repeated ids, and takes tags and lengths of more bytes than they need", () => {
    const twice = Buffer.concat([spanOf(B, 7), field(1, id(A))]);
    const items = [field(2, twice, 5), field(2, spanOf(B, 3), 2)];
    const whole = field(1, field(2, Buffer.concat(items), 6), 1);
    const parts = expectSplit(whole, "protobuf", "traces");
    expect(parts.map(({ traceId, bytes }) => [traceId, bytes])).toEqual([
      [A, field(1, field(2, items[0]!))],
      [B, field(1, field(2, items[1]!))],
    ]);
  });

  it("keeps what is rejected, or has no trace, in the part without one", () => {
    const log = (traceId?: Buffer) => field(2, traceId ? field(9, traceId) : "");
    const none = [log(), log(Buffer.alloc(16)), log(Buffer.alloc(0)), log(Buffer.alloc(15, 1))];
    const whole = field(1, field(2, Buffer.concat([log(id(A)), ...none])));
    expect(expectSplit(whole, "protobuf", "logs")).toEqual([
      { traceId: A, bytes: field(1, field(2, log(id(A)))) },
      { traceId: "", bytes: field(1, field(2, Buffer.concat(none))) },
    ]);
  });

  it("is returned as it came with one trace, or without items", () => {
    const one = field(1, field(2, Buffer.concat([field(2, spanOf(A)), field(2, spanOf(A))])), 3);
    const empty = field(1, field(2, unknown));
    for (const [bytes, traceId] of [[one, A] as const, [empty, ""] as const]) {
      const [part, ...others] = splitByTrace(bytes, "protobuf", "traces");
      expect([part?.traceId, others]).toEqual([traceId, []]);
      expect(part?.bytes).toBe(bytes);
    }
    expect(splitByTrace(Buffer.alloc(0), "protobuf", "logs")).toHaveLength(1);
  });
});

describe("large bodies", () => {
  const traceIdOf = (index: number) => (index + 1).toString(16).padStart(32, "0");

  it.each([
    ["an unknown member", { x: "x".repeat(1_000_000) }],
    ["the attributes of a scope", { scope: { attributes: [{ key: "x".repeat(1_000_000) }] } }],
  ])("are refused when %s would be copied for thousands of traces", (_, large) => {
    const logRecords = Array.from({ length: 5000 }, (__, index) => ({
      traceId: traceIdOf(index),
    }));
    const bytes = toJson({ resourceLogs: [{ scopeLogs: [{ ...large, logRecords }] }] });
    // Decoding has no objection: it does not keep that.
    expect(decode(bytes, "json", "logs").items).toHaveLength(5000);
    const problem = { code: "payload_too_large", status: 413 };
    expect(() => splitByTrace(bytes, "json", "logs")).toThrow(ProblemError);
    expect(() => splitByTrace(bytes, "json", "logs")).toThrow(expect.objectContaining(problem));
  });

  const toTraces = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      traceId: traceIdOf(index),
      spanId: SPAN_ID,
      name: "n".repeat(100),
    }));

  it("of 10,000 traces are split", () => {
    const all = toTraces(10_000);
    const bytes = toJson(inSpans(...all));
    const parts = splitByTrace(bytes, "json", "traces");
    expect(parts).toHaveLength(10_000);
    expect(JSON.parse(parts.at(-1)!.bytes.toString())).toEqual(inSpans(all.at(-1)));
    const size = parts.reduce((sum, part) => sum + part.bytes.length, 0);
    expect(size).toBeLessThan(bytes.length + MAX_REPEATED_BYTES);
  });

  it("of more traces are refused", () => {
    const bytes = toJson(inSpans(...toTraces(10_001)));
    expect(() => splitByTrace(bytes, "json", "traces")).toThrow(ProblemError);
  });
});
