import { inspect } from "node:util";
import { diag, DiagLogLevel, type DiagLogger } from "@opentelemetry/api";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, it, vi } from "vitest";
import { createOtlpSender, type OtlpContent } from "../../src/otlp/otlp-exporter.ts";
import { createOtlpTransport, type OtlpEndpoint } from "../../src/otlp/otlp-transport.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createProviders } from "../helpers/otel.ts";
import { startSink } from "../helpers/sink.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0)) await close();
});

async function connect(signal: "traces" | "logs", policy: OtlpContent = { content: "full" }) {
  const sink = await startSink();
  const endpoint: OtlpEndpoint = {
    url: `${sink.url}/v1/${signal}`,
    protocol: "http/json",
    headers: {},
    timeoutMillis: 10_000,
  };
  const transport = createOtlpTransport(endpoint, systemClock);
  closers.push(
    () => transport.shutdown(),
    () => sink.close(),
  );
  return { sink, transport, send: createOtlpSender(signal, endpoint, policy, transport) };
}

function createItems(...names: string[]) {
  const own = createProviders();
  for (const name of names) {
    own.tracerProvider.getTracer("app").startSpan(name).end();
    own.loggerProvider.getLogger("app").emit({ eventName: name });
  }
  return { traces: own.spans(), logs: own.records() };
}

it.each([
  ["traces", OTLPTraceExporter],
  ["logs", OTLPLogExporter],
] as const)("sends %s by OpenTelemetry's exporter", async (signal, Exporter) => {
  const exported = vi.spyOn(Exporter.prototype, "export");
  const { sink, send } = await connect(signal);
  expect(await send(createItems("a", "b")[signal])).toEqual({ sent: 2 });
  expect(exported).toHaveBeenCalledTimes(1);
  expect(sink.requests).toHaveLength(1);
  expect(exported.mock.contexts[0]).toBeInstanceOf(Exporter);
});

it("sends nothing that was begun before it was told to stop, its packages still to be loaded", async () => {
  const { sink, transport, send } = await connect("traces");
  const { traces } = createItems("a");
  const sent = send(traces);
  transport.abort();
  expect(await sent).toEqual({ sent: 0, reason: "aborted" });
  expect(sink.requests).toEqual([]);
  expect(await send(traces)).toEqual({ sent: 1 });
});

it("counts what was sent of a batch in which an item can't be copied under the policy", async () => {
  const { send } = await connect("traces", { content: "none" });
  const [good, other] = createItems("a", "b").traces;
  const broken: unknown = Object.create(other ?? null, {
    attributes: {
      get: () => {
        throw new Error("unreadable");
      },
    },
  });
  expect(await send([good, broken] as ReadableSpan[])).toEqual({ sent: 1 });
});

it("says why a batch is not taken", async () => {
  const { sink, send } = await connect("logs");
  sink.answer = () => ({ status: 401 });
  expect(await send(createItems("a").logs)).toEqual({ sent: 0, reason: "HTTP 401" });
  sink.answer = () => ({ status: 200, body: { partialSuccess: { rejectedLogRecords: 1 } } });
  expect(await send(createItems("a", "b").logs)).toEqual({ sent: 1, reason: "rejected" });
});

it("has nothing of a batch in OpenTelemetry's own log, or of what a backend says", async () => {
  const lines: unknown[] = [];
  const add = (...values: unknown[]): void => void lines.push(values);
  const logger: DiagLogger = { error: add, warn: add, info: add, debug: add, verbose: add };
  diag.setLogger(logger, { logLevel: DiagLogLevel.ALL, suppressOverrideMessage: true });
  closers.push(() => diag.disable());
  const { sink, send } = await connect("traces");
  const body = { partialSuccess: { rejectedSpans: 1, errorMessage: "canary" } };
  sink.answer = () => ({ status: 200, body });
  await send(createItems("canary").traces);
  expect(sink.requests[0]?.text).toContain("canary");
  expect(lines.length).toBeGreaterThan(0);
  expect(inspect(lines, { depth: null, showHidden: true })).not.toContain("canary");
});
