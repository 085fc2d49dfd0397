import { isDeepStrictEqual } from "node:util";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { readJson } from "../../src/bridge/reading/tolerant-json.ts";
import { eventSchemas, type DetailedEvent } from "../../src/events/detailed-event.ts";
import { decodeLogRecord, type DecodedRecord } from "../../src/telemetry/decode-log-record.ts";
import { toSpanAttributes } from "../../src/telemetry/event-writer.ts";
import { encodeLogRecord } from "../../src/telemetry/log-record.ts";
import { eventOf, example, KINDS } from "../helpers/events.ts";

const exporter = new InMemoryLogRecordExporter();
const logger = new LoggerProvider({
  processors: [new SimpleLogRecordProcessor({ exporter })],
}).getLogger("test");

/** Sends an event through a real log record of the OpenTelemetry SDK. */
function throughLogRecord(event: DetailedEvent): DecodedRecord | undefined {
  exporter.reset();
  logger.emit(encodeLogRecord(event, "full"));
  const [record] = exporter.getFinishedLogRecords();
  return record && decodeLogRecord(record);
}

/** Sends an event through a real span of the OpenTelemetry SDK, whose attributes have a limit. */
function throughSpan(event: DetailedEvent, limit = Infinity): DecodedRecord | undefined {
  const spans = new InMemorySpanExporter();
  const span = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
    spanLimits: { attributeValueLengthLimit: limit },
  })
    .getTracer("test")
    .startSpan("turn");
  const encoded = encodeLogRecord(event, "full");
  span.addEvent(encoded.eventName, toSpanAttributes(encoded), encoded.timestamp);
  span.end();
  const [given] = spans.getFinishedSpans()[0]?.events ?? [];
  const { name: eventName, time: hrTime, attributes = {} } = given ?? { name: "", time: [0, 0] };
  const cut = Object.entries(attributes).map(([key, value]) => [
    key,
    typeof value === "string" ? value.slice(0, limit) : value,
  ]);
  return decodeLogRecord({ eventName, hrTime, attributes: Object.fromEntries(cut) }, readJson);
}

function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected);
  // Also tells own `__proto__` members and lost keys apart.
  expect(isDeepStrictEqual(actual, expected)).toBe(true);
}

beforeEach(() => exporter.reset());

describe.each(KINDS)("any %s", (kind) => {
  it("comes back from a log record and from JSON as it was", () => {
    fc.assert(
      fc.property(eventOf(kind), (event) => {
        expectSame(throughLogRecord(event), { status: "whole", event });
        const parsed: unknown = JSON.parse(JSON.stringify(event));
        expectSame(parsed, event);
        expect(eventSchemas[kind].safeParse(parsed).success).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe.each(KINDS)("a span of any %s", (kind) => {
  it("gives the event back as it was", () => {
    fc.assert(
      fc.property(eventOf(kind), (event) => {
        expectSame(throughSpan(event), { status: "whole", event });
      }),
      { numRuns: 100 },
    );
  });

  it("never gives an event as whole of which a limit took something", () => {
    fc.assert(
      fc.property(eventOf(kind), fc.integer({ min: 1, max: 400 }), (event, limit) => {
        const decoded = throughSpan(event, limit);
        if (decoded?.status === "whole") expectSame(decoded.event, event);
        if (decoded?.status !== "cut") return;
        const { eventId, sessionId, agentId, metadata } = decoded.event;
        expect({ eventId, sessionId, agentId }).toEqual({
          eventId: event.eventId,
          sessionId: event.sessionId,
          agentId: event.agentId,
        });
        expect(metadata).toMatchObject({ truncated: true });
        expect(decoded.event).not.toHaveProperty("contentHash");
      }),
      { numRuns: 200 },
    );
  });
});

describe("a log record", () => {
  it("keeps members that the schema does not know", () => {
    const attachments = [{ type: "image/png", size: 1, name: "a", pages: 3 }];
    const event = example("user_message", { metadata: { attachments } });
    expectSame(throughLogRecord(event), { status: "whole", event });
  });

  it.each([0, 5, 883_612_799_999, Number.MAX_SAFE_INTEGER])("keeps the timestamp %d", (now) => {
    const event = example("user_message", { options: { now } });
    expect(throughLogRecord(event)).toMatchObject({ status: "whole", event: { timestamp: now } });
  });

  it("gives no event where content was not captured", () => {
    for (const kind of KINDS) {
      const record = { ...encodeLogRecord(example(kind), "none"), hrTime: [0, 0] as const };
      expect(decodeLogRecord(record), kind).toEqual({ status: "without_content" });
    }
  });

  it("gives no event for what others wrote under our names", () => {
    const hrTime = [0, 0] as const;
    expect(decodeLogRecord({ hrTime, attributes: {} })).toBeUndefined();
    expect(decodeLogRecord({ eventName: "gen_ai.choice", hrTime, attributes: {} })).toBeUndefined();
    expect(decodeLogRecord({ eventName: "constructor", hrTime, attributes: {} })).toBeUndefined();
    const { eventName, attributes } = encodeLogRecord(example("user_message"), "full");
    for (const damage of [
      { "gen_ai.input.messages": "text" },
      { "gen_ai.input.messages": [{}] },
      { "gen_ai.input.messages": [null] },
      { "agent_monitor.event.json_attributes": 5 },
      { "agent_monitor.event.json_attributes": ["session.id"] },
      { "session.id": 7 },
    ]) {
      expect(
        decodeLogRecord({ eventName, hrTime, attributes: { ...attributes, ...damage } }),
        JSON.stringify(damage),
      ).toEqual({ status: "unreadable" });
    }
  });
});
