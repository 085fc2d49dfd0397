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
import { describe, expect, it } from "vitest";
import type { DetailedEvent } from "../../src/events/detailed-event.ts";
import { withContentPolicy } from "../../src/telemetry/content-policy.ts";
import { toSpanAttributes } from "../../src/telemetry/event-writer.ts";
import { encodeLogRecord } from "../../src/telemetry/log-record.ts";
import { example, KINDS } from "../helpers/events.ts";

const flags = [
  {
    rule: "bsa-aml-structuring-advice",
    category: "bsa_aml",
    severity: "violation",
    description: "canary",
    context: { detectedContent: "canary", detectedPattern: "stay-under" },
  },
] as const;
const FREE = {
  rule: "bsa-aml-structuring-advice",
  category: "bsa_aml",
  severity: "violation",
  detectedPattern: "stay-under",
};

function withCanaries(): DetailedEvent[] {
  const metadata = { note: "canary", escalationReason: "canary", userAgent: "canary" };
  return KINDS.map((kind) => ({
    ...example(kind, {
      content: "canary",
      error: "canary",
      toolParameters: "canary",
      toolResult: { error: "canary" },
      metadata,
    }),
    ...(kind === "agent_response" && { complianceFlags: flags }),
  })) as DetailedEvent[];
}

/** Sends every kind of event to two destinations: one without content, one with all of it. */
function send(events: DetailedEvent[]) {
  const [bareSpans, fullSpans] = [new InMemorySpanExporter(), new InMemorySpanExporter()];
  const [bareRecords, fullRecords] = [
    new InMemoryLogRecordExporter(),
    new InMemoryLogRecordExporter(),
  ];
  const tracer = new BasicTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(withContentPolicy(bareSpans, "none")),
      new SimpleSpanProcessor(withContentPolicy(fullSpans, "full")),
    ],
  }).getTracer("agent-monitor");
  const logger = new LoggerProvider({
    processors: [
      new SimpleLogRecordProcessor({ exporter: withContentPolicy(bareRecords, "none") }),
      new SimpleLogRecordProcessor({ exporter: withContentPolicy(fullRecords, "full") }),
    ],
  }).getLogger("agent-monitor");
  for (const event of events) {
    const encoded = encodeLogRecord(event, "full");
    const span = tracer.startSpan("span", { attributes: { ...toSpanAttributes(encoded) } });
    span.addEvent(encoded.eventName, toSpanAttributes(encoded), encoded.timestamp);
    span.end();
    logger.emit(encoded);
  }
  const read = (spans: InMemorySpanExporter) => spans.getFinishedSpans();
  return {
    bareSpans: read(bareSpans),
    fullSpans: read(fullSpans),
    bareRecords: bareRecords.getFinishedLogRecords(),
    fullRecords: fullRecords.getFinishedLogRecords(),
  };
}

describe("a destination without content", () => {
  const { bareSpans, fullSpans, bareRecords, fullRecords } = send(withCanaries());

  it("gets none, while another one gets all of it", () => {
    const textOf = (spans: typeof bareSpans): string =>
      JSON.stringify(spans.map(({ attributes, events }) => [attributes, events]));
    expect(textOf(bareSpans)).not.toContain("canary");
    expect(
      JSON.stringify(bareRecords.map(({ attributes, body }) => [attributes, body])),
    ).not.toContain("canary");
    for (const span of fullSpans) expect(textOf([span])).toContain("canary");
    for (const { attributes } of fullRecords)
      expect(JSON.stringify(attributes)).toContain("canary");
  });

  it("gets everything else", () => {
    expect(bareSpans.length).toBe(KINDS.length);
    bareSpans.forEach((span, index) => {
      const full = fullSpans[index];
      expect(span).toMatchObject({
        name: full?.name,
        kind: full?.kind,
        startTime: full?.startTime,
        endTime: full?.endTime,
        resource: full?.resource,
      });
      expect(span.spanContext()).toEqual(full?.spanContext());
      expect(span.events.map(({ name, time }) => [name, time])).toEqual(
        full?.events.map(({ name, time }) => [name, time]),
      );
      expect(span.attributes).toHaveProperty(["session.id"], "s1");
    });
    bareRecords.forEach((record, index) => {
      const full = fullRecords[index];
      expect([
        record.eventName,
        record.hrTime,
        record.severityNumber,
        record.instrumentationScope,
      ]).toEqual([full?.eventName, full?.hrTime, full?.severityNumber, full?.instrumentationScope]);
      expect(record.attributes).toHaveProperty(["session.id"], "s1");
    });
  });

  it("gets what it would get if nobody had asked for content", () => {
    withCanaries().forEach((event, index) => {
      const bare = encodeLogRecord(event, "none");
      expect(bareRecords[index]?.attributes).toEqual(bare.attributes);
      expect(bareSpans[index]?.attributes).toEqual(toSpanAttributes(bare));
      expect(bareSpans[index]?.events[0]?.attributes).toEqual(toSpanAttributes(bare));
    });
  });

  it("gets findings without their texts", () => {
    const index = KINDS.indexOf("agent_response");
    expect(bareRecords[index]?.attributes["agent_monitor.compliance.violations"]).toEqual([FREE]);
    expect(bareSpans[index]?.attributes["agent_monitor.compliance.violations"]).toBe(
      JSON.stringify([FREE]),
    );
  });
});

describe("findings that were cut by a limit", () => {
  it("are left out, since their text can't be told apart", () => {
    const exporter = new InMemorySpanExporter();
    const tracer = new BasicTracerProvider({
      spanLimits: { attributeValueLengthLimit: 60 },
      spanProcessors: [new SimpleSpanProcessor(withContentPolicy(exporter, "none"))],
    }).getTracer("agent-monitor");
    const attributes = toSpanAttributes(
      encodeLogRecord({ ...example("agent_response"), complianceFlags: [...flags] }, "full"),
    );
    tracer.startSpan("span", { attributes }).end();
    expect(exporter.getFinishedSpans()[0]?.attributes).not.toHaveProperty([
      "agent_monitor.compliance.violations",
    ]);
  });
});

describe("the wrapper", () => {
  it("is the exporter itself where all content may pass", () => {
    const exporter = new InMemorySpanExporter();
    expect(withContentPolicy(exporter, "full")).toBe(exporter);
  });

  it("hands on the outcome, flushes and shutdowns", async () => {
    const calls: string[] = [];
    const inner = {
      export: (_items: unknown, done: (result: { code: number }) => void) => done({ code: 1 }),
      forceFlush: () => Promise.resolve(void calls.push("flush")),
      shutdown: () => Promise.resolve(void calls.push("shutdown")),
    };
    const wrapped = withContentPolicy(inner as unknown as InMemorySpanExporter, "none");
    wrapped.export([], (result) => calls.push(`done ${result.code}`));
    await wrapped.forceFlush();
    await wrapped.shutdown();
    expect(calls).toEqual(["done 1", "flush", "shutdown"]);
    const { forceFlush: _none, ...without } = inner;
    await expect(
      withContentPolicy(without as unknown as InMemorySpanExporter, "none").forceFlush(),
    ).resolves.toBeUndefined();
  });
});
