import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { NodeSDK } from "@opentelemetry/sdk-node";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { get, KEY, type JsonObject } from "./helpers.ts";

const CALLS = 600; // More than one batch of the stock processors.

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform({ port: 0, otlpPort: 0, apiKey: KEY });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const api of [trace, context, propagation, logs]) api.disable();
  await platform.close();
});

/** Runs an application with OpenTelemetry as its documentation has it: everything from the environment. */
async function runApplication(environment: Record<string, string>): Promise<void> {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: platform.otlpUrl,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${KEY},x-organization-id=first-bank`,
    OTEL_SERVICE_NAME: "teller",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_LOGS_EXPORTER: "otlp",
    OTEL_NODE_RESOURCE_DETECTORS: "env",
    ...environment,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const sdk = new NodeSDK();
  sdk.start();
  const tracer = trace.getTracer("bank", "1.2.3");
  const logger = logs.getLogger("bank");
  tracer.startActiveSpan("invoke_agent teller", (root) => {
    for (let call = 0; call < CALLS; call++) {
      const span = tracer.startSpan("chat gpt-5", { kind: SpanKind.CLIENT });
      span.setAttributes({ call, "gen_ai.request.model": "gpt-5", tags: ["a", "b"] });
      span.addEvent("gen_ai.choice", { index: call });
      span.setStatus({ code: call === 0 ? SpanStatusCode.ERROR : SpanStatusCode.OK });
      span.end();
      logger.emit({ eventName: "gen_ai.user.message", body: { content: `Question ${call}` } });
    }
    root.end();
  });
  await sdk.shutdown();
}

it.each([
  { OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" },
  { OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf", OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
  { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
])("takes all that a stock OpenTelemetry SDK exports: %j", async (environment) => {
  await runApplication(environment);
  expect(await platform.stats()).toMatchObject({ spans: CALLS + 1, logRecords: CALLS });

  const authorization = `Bearer ${KEY}`;
  const { body } = await get(platform, "/api/traces", { authorization });
  const [row] = body["traces"] as JsonObject[];
  expect(body["traces"]).toHaveLength(1);
  expect(row).toMatchObject({
    organizationId: "first-bank",
    name: "invoke_agent teller",
    service: "teller",
    spanCount: CALLS + 1,
    errorCount: 1,
  });
  const traceId = String(row?.["traceId"]);
  const detail = await get(platform, `/api/traces/${traceId}?limit=1000`, { authorization });
  const [root, ...calls] = detail.body["spans"] as JsonObject[];
  expect(root).toMatchObject({ name: "invoke_agent teller", kind: "internal" });
  expect(calls).toHaveLength(CALLS);
  expect(calls.find(({ status }) => (status as JsonObject)["code"] === "error")).toMatchObject({
    parentSpanId: root?.["spanId"],
    kind: "client",
    attributes: { call: 0, "gen_ai.request.model": "gpt-5", tags: ["a", "b"] },
    events: [{ name: "gen_ai.choice", attributes: { index: 0 } }],
    scope: { name: "bank", version: "1.2.3" },
    resource: { "service.name": "teller" },
  });
  const records = await get(platform, `/api/logs?trace=${traceId}&limit=1`, { authorization });
  expect(records.body["logs"]).toMatchObject([
    {
      organizationId: "first-bank",
      record: {
        eventName: "gen_ai.user.message",
        body: { content: expect.stringMatching(/^Question \d+$/) as string },
        spanId: root?.["spanId"],
      },
    },
  ]);
});
