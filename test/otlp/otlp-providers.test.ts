import { afterEach, describe, expect, it, vi } from "vitest";
import type { OtlpDestination } from "../../src/config/config.ts";
import {
  createOtlpProviders,
  toWidestPolicy,
  type OtlpProviders,
} from "../../src/otlp/otlp-providers.ts";
import { toSpanAttributes } from "../../src/telemetry/event-writer.ts";
import { encodeLogRecord } from "../../src/telemetry/log-record.ts";
import { createSignalSource } from "../../src/telemetry/providers.ts";
import { example } from "../helpers/events.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

const sinks: Sink[] = [];
const start = async (): Promise<Sink> => {
  const sink = await startSink();
  sinks.push(sink);
  return sink;
};
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const sink of sinks.splice(0)) await sink.close();
});

/** Writes one message to the providers, as a span with an event and as a record. */
function say(providers: OtlpProviders, content: string): void {
  const source = createSignalSource(providers);
  const encoded = encodeLogRecord(example("user_message", { content }), "full");
  const span = source.tracer()?.startSpan("invoke_agent");
  span?.addEvent(encoded.eventName, { ...toSpanAttributes(encoded) });
  span?.end();
  source.logger()?.emit(encoded);
}

const create = (...destinations: OtlpDestination[]): OtlpProviders =>
  createOtlpProviders(destinations, {
    content: "none",
    attributes: { "agent_monitor.organization.id": "bank" },
  });
const pathsOf = (sink: Sink): string[] => sink.requests.map(({ path }) => path).toSorted();
const textOf = (sink: Sink): string => sink.requests.map(({ text }) => text).join("\n");

describe("destinations", () => {
  it("each get spans and records, with their own headers and their own policy", async () => {
    const [open, closed] = [await start(), await start()];
    const providers = create(
      { url: `${open.url}/otlp/`, headers: { "x-api-key": "of-open" }, content: "full" },
      { url: closed.url, headers: { "x-api-key": "of-closed" } },
    );
    say(providers, "canary");
    await providers.forceFlush();
    expect(pathsOf(open)).toEqual(["/otlp/v1/logs", "/otlp/v1/traces"]);
    expect(pathsOf(closed)).toEqual(["/v1/logs", "/v1/traces"]);
    for (const { headers } of open.requests) expect(headers["x-api-key"]).toBe("of-open");
    for (const { headers } of closed.requests) expect(headers["x-api-key"]).toBe("of-closed");
    for (const { text } of open.requests) expect(text).toContain("canary");
    expect(textOf(closed)).not.toContain("canary");
    for (const { text } of [...open.requests, ...closed.requests]) {
      expect(text).toContain("agent_monitor.user.message");
      expect(text).toContain("agent_monitor.organization.id");
    }
    await providers.shutdown();
  });

  it("get only the signals that they want", async () => {
    const [traces, logs] = [await start(), await start()];
    const providers = create(
      { url: traces.url, signals: ["traces"] },
      { url: logs.url, signals: ["logs"] },
    );
    say(providers, "x");
    await providers.forceFlush();
    expect(pathsOf(traces)).toEqual(["/v1/traces"]);
    expect(pathsOf(logs)).toEqual(["/v1/logs"]);
    await providers.shutdown();
  });

  it("get nothing of OTEL_EXPORTER_OTLP_*, which stays as it was", async () => {
    const [ours, applications] = [await start(), await start()];
    const environment = {
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=secret-of-the-application",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-traces=secret-of-the-application",
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: "x-logs=secret-of-the-application",
      OTEL_EXPORTER_OTLP_ENDPOINT: applications.url,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${applications.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const before = { ...process.env };
    const providers = create({ url: ours.url, headers: { "x-api-key": "ours" } });
    say(providers, "x");
    await providers.forceFlush();
    expect(pathsOf(ours)).toEqual(["/v1/logs", "/v1/traces"]);
    expect(JSON.stringify(ours.requests.map(({ headers }) => headers))).not.toContain(
      "secret-of-the-application",
    );
    for (const { headers } of ours.requests) expect(headers["content-encoding"]).toBeUndefined();
    expect(applications.requests).toEqual([]);
    expect({ ...process.env }).toEqual(before);
    await providers.shutdown();
  });

  it("learn the name of the application's service", async () => {
    vi.stubEnv("OTEL_SERVICE_NAME", "branch-assistant");
    const sink = await start();
    const providers = create({ url: sink.url });
    say(providers, "x");
    await providers.forceFlush();
    for (const { text } of sink.requests) expect(text).toContain("branch-assistant");
    await providers.shutdown();
  });

  it("do not wait for one that hangs", async () => {
    const [hanging, other] = [await start(), await start()];
    hanging.answer = () => "hang";
    const providers = create({ url: hanging.url }, { url: other.url });
    const arrived = new Promise<void>((resolve) => {
      other.answer = () => {
        if (other.requests.length === 2) resolve();
        return undefined;
      };
    });
    say(providers, "x");
    // Never awaited: it lasts as long as the one that hangs.
    void providers.forceFlush();
    await arrived;
    expect(pathsOf(other)).toEqual(["/v1/logs", "/v1/traces"]);
    await hanging.close();
  });

  it("that refuse fail neither a flush nor the shutdown", async () => {
    const sink = await start();
    sink.answer = () => ({ status: 400 });
    const providers = create({ url: sink.url });
    say(providers, "x");
    await expect(providers.forceFlush()).resolves.toBeUndefined();
    await expect(providers.shutdown()).resolves.toBeUndefined();
  });

  it("that never got anything can be shut down", async () => {
    const sink = await start();
    const providers = create({ url: sink.url });
    await providers.forceFlush();
    await providers.shutdown();
    expect(sink.requests).toEqual([]);
  });
});

describe("toWidestPolicy", () => {
  const url = "https://a.example";
  it.each([
    [[{ url }], "none", "none"],
    [[{ url }], "full", "full"],
    [[{ url, content: "none" }], "full", "none"],
    [
      [
        { url, content: "none" },
        { url, content: "full" },
      ],
      "none",
      "full",
    ],
    [[{ url, content: "none" }, { url }], "full", "full"],
  ] as const)("of %j with default %s is %s", (destinations, policy, widest) => {
    expect(toWidestPolicy(destinations, policy)).toBe(widest);
  });
});
