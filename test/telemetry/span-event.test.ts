import { SeverityNumber, type AnyValueMap } from "@opentelemetry/api-logs";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { describe, expect, it } from "vitest";
import { toSpanAttributes } from "../../src/telemetry/event-writer.ts";
import { encodeLogRecord } from "../../src/telemetry/log-record.ts";
import { example, KINDS } from "../helpers/events.ts";

const convert = (attributes: AnyValueMap) =>
  toSpanAttributes({
    eventName: "e",
    timestamp: [0, 0],
    severityNumber: SeverityNumber.INFO,
    attributes,
    isFlat: false,
  });

describe("toSpanAttributes", () => {
  it("keeps plain values, writes structures as JSON and leaves nothing out but nothing", () => {
    expect(
      convert({
        text: "a",
        zero: 0,
        no: false,
        list: ["a"],
        map: { a: [1, null] },
        empty: "",
        nothing: null,
        absent: undefined,
      }),
    ).toEqual({
      text: "a",
      zero: 0,
      no: false,
      list: '["a"]',
      map: '{"a":[1,null]}',
      empty: "",
    });
  });

  it.each(KINDS)("makes attributes of %s that a span takes, every one", (kind) => {
    const exporter = new InMemorySpanExporter();
    const tracer = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    }).getTracer("test");
    const attributes = toSpanAttributes(
      encodeLogRecord(example(kind, { metadata: { custom: { a: [1] } } }), "full"),
    );
    const span = tracer.startSpan("s");
    span.addEvent("e", attributes);
    span.end();
    expect(exporter.getFinishedSpans()[0]?.events[0]?.attributes).toEqual(attributes);
    expect(Object.keys(attributes).length).toBeGreaterThan(4);
  });
});
