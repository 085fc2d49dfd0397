import { SpanStatusCode, TraceFlags, type Attributes } from "@opentelemetry/api";
import type { AnyValue, AnyValueMap } from "@opentelemetry/api-logs";
import { TraceState } from "@opentelemetry/core";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it } from "vitest";
import type { AgentMonitor } from "../../src/monitor/monitor.ts";
import { withContentPolicy } from "../../src/telemetry/content-policy.ts";
import { agentInfo, startMonitor, type TestMonitor } from "../helpers/monitor.ts";
import { createProviders } from "../helpers/otel.ts";
import { startSink, type Sink } from "../helpers/sink.ts";
import { EVERYTHING, VALUES } from "./values.ts";
import { expectNoCanary, wireOf } from "./wire.ts";

const CARD = VALUES.card.value;
const DIGITS = CARD.replaceAll(" ", "");
const EMAIL = VALUES.email.value;
const KEY = "a key of the bank that has 32 bytes or more";

/** Every form in which a value may hide. */
const HIDDEN = {
  plain: EVERYTHING,
  json: JSON.stringify({ text: EVERYTHING, [DIGITS]: [Number(DIGITS)] }),
  jsonInJson: JSON.stringify({ inner: JSON.stringify({ text: EVERYTHING, password: "hunter2" }) }),
  nested: { list: [{ deep: { text: EVERYTHING, number: Number(DIGITS) } }], [CARD]: "key" },
  password: "hunter2",
  cvv: "hunter2",
  accountNumber: VALUES.account.value,
  url: `https://bank.example/?mail=${encodeURIComponent(EMAIL)}`,
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});
const start = async (): Promise<Sink> => {
  const sink = await startSink();
  open.push(sink);
  return sink;
};
const startTracked = async (config: Parameters<typeof startMonitor>[0]): Promise<TestMonitor> => {
  const tracked = await startMonitor(config);
  open.push(tracked);
  return tracked;
};

/** Tracks every kind of event with canaries in every place that takes one. */
async function trackEverything(monitor: AgentMonitor): Promise<void> {
  await monitor.registerAgent({
    ...agentInfo,
    description: EVERYTHING,
    systemPrompt: HIDDEN.json,
    availableTools: [
      { name: "pay", description: EVERYTHING, category: "payments", riskLevel: "high" },
    ],
  });
  const metadata = { ...HIDDEN, geolocation: EVERYTHING, attachments: [{ name: EVERYTHING }] };
  const error = new Error(`declined: ${EVERYTHING}`, { cause: { ...HIDDEN } });
  error.name = "PaymentError";
  monitor.trackConversationStart("assistant", EMAIL, EMAIL, {
    ...metadata,
    userAgent: EVERYTHING,
    referrer: HIDDEN.url,
  });
  monitor.trackUserMessage("assistant", EMAIL, EVERYTHING, EMAIL, metadata);
  monitor.trackToolCall("assistant", EMAIL, "pay", HIDDEN, HIDDEN, 5, metadata);
  monitor.trackToolCall("assistant", EMAIL, "pay", HIDDEN.json, new Error(EVERYTHING), 5);
  monitor.trackError("assistant", EMAIL, error, { ...metadata, originalError: HIDDEN });
  monitor.trackAgentResponse("assistant", EMAIL, EVERYTHING, {
    ...metadata,
    llmLatency: 5,
    tokensUsed: { input: 1, output: 2, total: 3 },
  });
  monitor.track("assistant", {
    sessionId: EMAIL,
    conversationId: DIGITS,
    userId: EMAIL,
    interactionType: "compliance_violation",
    content: EVERYTHING,
    metadata: { violationType: EVERYTHING, description: EVERYTHING },
  });
  monitor.trackConversationEnd("assistant", EMAIL, { ...metadata, escalationReason: EVERYTHING });
}

describe("the platform with `redact`", () => {
  it("gets no sensitive value, in events that are whole otherwise", async () => {
    const tracked = await startTracked({
      redact: { key: KEY },
      compression: "gzip",
    });
    const { monitor, sink } = tracked;
    await trackEverything(monitor);
    const events = await tracked.delivered();
    expect(events).toHaveLength(10);
    expectNoCanary(wireOf(sink));
    expect(wireOf(sink)).not.toContain("hunter2");
    expect(monitor.stats()).toMatchObject({ acked: 10, dropped: {} });
    // One person stays one person.
    expect(new Set(events.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(events[1]?.userId).toBe(events[1]?.sessionId);
    expect(events[1]?.userId).toMatch(/^\[EMAIL:[a-z2-7]{10}\]$/);
  });

  it("gets them all without it", async () => {
    const tracked = await startTracked({});
    const { monitor, sink } = tracked;
    await trackEverything(monitor);
    await tracked.delivered();
    for (const { value } of Object.values(VALUES)) expect(wireOf(sink)).toContain(value);
    expect(wireOf(sink)).toContain("hunter2");
  });
});

describe("telemetry of the monitor", () => {
  it("is redacted for one destination, bare for another and whole for a third", async () => {
    const [full, redacted, none] = [await start(), await start(), await start()];
    const tracked = await startTracked({
      otlp: [
        { url: full.url, content: "full" },
        { url: redacted.url, content: "redacted" },
        { url: none.url },
      ],
    });
    const { monitor } = tracked;
    await trackEverything(monitor);
    await tracked.delivered();
    await monitor.shutdown();
    for (const { value } of Object.values(VALUES)) expect(wireOf(full)).toContain(value);
    expect(wireOf(full)).toContain("hunter2");
    expectNoCanary(wireOf(redacted));
    expect(wireOf(redacted)).not.toContain("hunter2");
    for (const kind of ["CARD", "SSN", "ACCOUNT", "IBAN", "SECRET", "EMAIL", "PHONE"]) {
      expect(wireOf(redacted)).toContain(`[${kind}:`);
    }
    const paths = (sink: Sink) => sink.requests.map(({ path }) => path).toSorted();
    expect(paths(redacted)).toEqual(paths(full));
    expect(wireOf(redacted)).toContain("declined: my card is [CARD:");
    expect(wireOf(none)).not.toContain("declined");
  });

  it("is redacted on its way into the application's own providers", async () => {
    const { tracerProvider, loggerProvider, spans, records } = createProviders();
    const tracked = await startTracked({
      tracerProvider,
      loggerProvider,
      content: "redacted",
    });
    const { monitor, sink } = tracked;
    await trackEverything(monitor);
    await tracked.delivered();
    await monitor.shutdown();
    const written = JSON.stringify([
      spans().map(({ name, attributes, events, links, status }) => [
        name,
        attributes,
        events,
        links.map((link) => link.attributes),
        status,
      ]),
      records().map(({ body, attributes, eventName }) => [body, attributes, eventName]),
    ]);
    expect(written).toContain("[CARD:");
    expectNoCanary(written);
    expect(written).not.toContain("hunter2");
    expect(wireOf(sink)).toContain(CARD);
  });
});

describe("telemetry of others", () => {
  /** Writes spans and records with canaries in every place, to a redacted and a full destination. */
  async function write(redacted: Sink, full: Sink): Promise<void> {
    const options = (sink: Sink, path: string) => ({ url: `${sink.url}${path}` });
    const resource = resourceFromAttributes({
      "service.name": "assistant",
      "service.owner": EVERYTHING,
    });
    const tracerProvider = new BasicTracerProvider({
      resource,
      spanProcessors: [
        new BatchSpanProcessor(
          withContentPolicy(new OTLPTraceExporter(options(redacted, "/v1/traces")), "redacted"),
        ),
        new BatchSpanProcessor(new OTLPTraceExporter(options(full, "/v1/traces"))),
      ],
    });
    const loggerProvider = new LoggerProvider({
      resource,
      processors: [
        new BatchLogRecordProcessor({
          exporter: withContentPolicy(
            new OTLPLogExporter(options(redacted, "/v1/logs")),
            "redacted",
          ),
        }),
        new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(options(full, "/v1/logs")) }),
      ],
    });
    const attributes: Attributes = {
      "gen_ai.input.messages": HIDDEN.json,
      "ai.prompt": HIDDEN.jsonInJson,
      "input.value": HIDDEN.plain,
      "url.full": HIDDEN.url,
      "user.id": EMAIL,
      "http.request.header.authorization": ["hunter2"],
      password: "hunter2",
      [EMAIL]: "key",
      list: [EVERYTHING, "kept"],
      number: Number(DIGITS),
      accountNumber: VALUES.account.value,
      kept: "yes",
    };
    const traceState = new TraceState().set("vendor", DIGITS);
    const linked = {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      traceFlags: TraceFlags.SAMPLED,
      traceState,
    };
    const span = tracerProvider
      .getTracer(`scope of ${EMAIL}`, "1.0")
      .startSpan(`chat ${EMAIL}`, { attributes, links: [{ context: linked, attributes }] });
    span.addEvent(`event of ${EMAIL}`, attributes);
    const exception = new Error(EVERYTHING);
    exception.stack = `Error: ${EVERYTHING}\n    at pay (pay.ts:1:1)`;
    span.recordException(exception);
    span.setStatus({ code: SpanStatusCode.ERROR, message: EVERYTHING });
    span.end();
    const logger = loggerProvider.getLogger("scope");
    const structured = { ...attributes, nested: HIDDEN.nested } as unknown as AnyValueMap;
    const bodies: AnyValue[] = [
      EVERYTHING,
      HIDDEN.json,
      HIDDEN.nested,
      [EVERYTHING, { deep: [HIDDEN.jsonInJson] }],
      Buffer.from(`bytes ${EVERYTHING}`),
      Number(DIGITS),
    ];
    for (const body of bodies) {
      logger.emit({
        body,
        attributes: structured,
        eventName: `event of ${EMAIL}`,
        severityText: EMAIL,
      });
    }
    await Promise.all([tracerProvider.forceFlush(), loggerProvider.forceFlush()]);
    await Promise.all([tracerProvider.shutdown(), loggerProvider.shutdown()]);
  }

  it("is redacted wherever it stands, and reaches another exporter unchanged", async () => {
    const [redacted, full] = [await start(), await start()];
    await write(redacted, full);
    for (const sink of [redacted, full]) {
      expect(sink.requests.map(({ path }) => path).toSorted()).toEqual(["/v1/logs", "/v1/traces"]);
    }
    for (const { value } of Object.values(VALUES)) {
      for (const { text } of full.requests) expect(text).toContain(value);
    }
    expectNoCanary(wireOf(redacted));
    expect(wireOf(redacted)).not.toContain("hunter2");
    const spanOf = (sink: Sink) =>
      sink.requests.find(({ path }) => path === "/v1/traces")?.json.resourceSpans[0].scopeSpans[0]
        .spans[0];
    const [mine, whole] = [spanOf(redacted), spanOf(full)];
    for (const member of ["traceId", "spanId", "kind", "startTimeUnixNano", "endTimeUnixNano"]) {
      expect(mine[member]).toEqual(whole[member]);
    }
    expect(mine.attributes).toHaveLength(whole.attributes.length);
    expect(mine.events).toHaveLength(2);
    expect(mine.status).toMatchObject({ code: 2, message: expect.stringContaining("[SSN:") });
    expect(mine.attributes).toContainEqual({ key: "kept", value: { stringValue: "yes" } });
    expect(mine.links[0].traceState).toBeUndefined();
    expect(whole.links[0].traceState).toContain(DIGITS);
  });
});

describe("a redactor that throws", () => {
  it("leaves markers on the wire and a line in the log, never the value", async () => {
    const otlp = await start();
    const custom = (): string => {
      throw new Error(EVERYTHING);
    };
    const tracked = await startTracked({
      redact: { custom },
      otlp: [{ url: otlp.url, content: "redacted" }],
    });
    const { monitor, sink, lines } = tracked;
    await trackEverything(monitor);
    const events = await tracked.delivered();
    await monitor.shutdown();
    expect(events).toHaveLength(10);
    expect(events[1]).toHaveProperty("content", "[REDACTION FAILED]");
    for (const receiver of [sink, otlp]) {
      expect(wireOf(receiver)).toContain("[REDACTION FAILED]");
      expectNoCanary(wireOf(receiver));
      expect(wireOf(receiver)).not.toContain("hunter2");
    }
    const told = lines.filter((line) => line.includes("redacting failed (Error)"));
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThan(5);
    expectNoCanary(lines.join("\n"));
  });
});
