import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import { beforeEach, describe, expect, it } from "vitest";
import { eventSchemas, type DetailedEvent } from "../../src/events/detailed-event.ts";
import { decodeLogRecord } from "../../src/otel/decode-log-record.ts";
import { encodeLogRecord } from "../../src/otel/log-record.ts";
import { eventOf, example, KINDS } from "../helpers/events.ts";

const exporter = new InMemoryLogRecordExporter();
const logger = new LoggerProvider({
  processors: [new SimpleLogRecordProcessor({ exporter })],
}).getLogger("test");

/** Sends an event through a real log record of the OpenTelemetry SDK. */
function throughLogRecord(event: DetailedEvent): DetailedEvent | undefined {
  exporter.reset();
  logger.emit(encodeLogRecord(event, "full"));
  const [record] = exporter.getFinishedLogRecords();
  return record && decodeLogRecord(record);
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
        expectSame(throughLogRecord(event), event);
        const parsed: unknown = JSON.parse(JSON.stringify(event));
        expectSame(parsed, event);
        expect(eventSchemas[kind].safeParse(parsed).success).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("a log record", () => {
  it("keeps members that the schema does not know", () => {
    const attachments = [{ type: "image/png", size: 1, name: "a", pages: 3 }];
    const event = example("user_message", { metadata: { attachments } });
    expectSame(throughLogRecord(event), event);
  });

  it.each([0, 5, 883_612_799_999, Number.MAX_SAFE_INTEGER])("keeps the timestamp %d", (now) => {
    const event = example("user_message", { options: { now } });
    expect(throughLogRecord(event)?.timestamp).toBe(now);
  });

  it("gives no event where content was not captured", () => {
    for (const kind of [
      "user_message",
      "agent_response",
      "tool_call",
      "tool_result",
      "error",
      "compliance_violation",
    ] as const) {
      const record = { ...encodeLogRecord(example(kind), "none"), hrTime: [0, 0] as const };
      expect(decodeLogRecord(record), kind).toBeUndefined();
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
      ).toBeUndefined();
    }
  });
});
