import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOtlpEnvironment } from "../../src/otlp/environment-providers.ts";
import { createEnvironmentSampler } from "../../src/telemetry/samplers.ts";

const P = "OTEL_EXPORTER_OTLP_";
const ENDPOINT = { [`${P}ENDPOINT`]: "https://otel.example/base/" };

describe("readOtlpEnvironment", () => {
  it("exports nothing that is not asked for", () => {
    expect(readOtlpEnvironment({}, "traces")).toEqual({ kind: "none" });
    expect(readOtlpEnvironment({ [`${P}HEADERS`]: "a=b" }, "logs")).toEqual({ kind: "none" });
    expect(readOtlpEnvironment({ [`${P}LOGS_ENDPOINT`]: "https://a.example" }, "traces")).toEqual({
      kind: "none",
    });
  });

  it.each(["none", "console", "zipkin"])("follows an exporter of another kind: %s", (exporter) => {
    const environment = { ...ENDPOINT, OTEL_TRACES_EXPORTER: exporter };
    expect(readOtlpEnvironment(environment, "traces").kind).toBe("none");
    expect(readOtlpEnvironment(environment, "logs").kind).toBe("endpoint");
  });

  it("appends the path of the signal, with the defaults of the specification", () => {
    expect(readOtlpEnvironment(ENDPOINT, "traces")).toEqual({
      kind: "endpoint",
      endpoint: {
        url: "https://otel.example/base/v1/traces",
        protocol: "http/protobuf",
        headers: {},
        timeoutMillis: 10_000,
        compression: "none",
      },
    });
    const asked = { OTEL_LOGS_EXPORTER: "console, otlp" };
    expect(readOtlpEnvironment(asked, "logs")).toMatchObject({
      endpoint: { url: "http://localhost:4318/v1/logs" },
    });
  });

  it("lets the variables of a signal win", () => {
    const environment = {
      ...ENDPOINT,
      [`${P}LOGS_ENDPOINT`]: "http://127.0.0.1:4318/only/logs",
      [`${P}PROTOCOL`]: "http/protobuf",
      [`${P}LOGS_PROTOCOL`]: "http/json",
      [`${P}HEADERS`]: "a=1,b=one%20two",
      [`${P}LOGS_HEADERS`]: "a=2",
      [`${P}TIMEOUT`]: "5000",
      [`${P}LOGS_TIMEOUT`]: "700",
      [`${P}COMPRESSION`]: "gzip",
      [`${P}LOGS_COMPRESSION`]: "none",
    };
    expect(readOtlpEnvironment(environment, "logs")).toMatchObject({
      endpoint: {
        url: "http://127.0.0.1:4318/only/logs",
        protocol: "http/json",
        headers: { a: "2", b: "one two" },
        timeoutMillis: 700,
        compression: "none",
      },
    });
    expect(readOtlpEnvironment(environment, "traces")).toMatchObject({
      endpoint: { headers: { a: "1" }, timeoutMillis: 5000, compression: "gzip" },
    });
  });

  it.each([
    ["0", 10_000],
    ["-1", 10_000],
    ["soon", 10_000],
    // A timer set to more would go off at once, and every request would fail.
    ["9999999999", 2 ** 31 - 1],
  ])("takes a timeout that a timer can take: %s", (text, timeoutMillis) => {
    const environment = { ...ENDPOINT, [`${P}TIMEOUT`]: text };
    expect(readOtlpEnvironment(environment, "traces")).toMatchObject({
      endpoint: { timeoutMillis },
    });
  });

  it("reads certificates", () => {
    const directory = mkdtempSync(join(tmpdir(), "agent-monitor-otlp-"));
    const file = join(directory, "ca.pem");
    writeFileSync(file, "certificate");
    const environment = { ...ENDPOINT, [`${P}CERTIFICATE`]: file };
    expect(readOtlpEnvironment(environment, "traces")).toMatchObject({
      endpoint: { tls: { ca: Buffer.from("certificate") } },
    });
    rmSync(directory, { recursive: true });
    expect(readOtlpEnvironment(environment, "traces").kind).toBe("problem");
  });

  it.each([
    ["ENDPOINT", "http://collector.example:4318"],
    ["ENDPOINT", "https://user:secret@otel.example"],
    ["ENDPOINT", "secret"],
    ["PROTOCOL", "secret"],
    ["PROTOCOL", "grpc"],
  ])("says which variable can't be followed, and never its value: %s=%s", (name, value) => {
    const found = readOtlpEnvironment({ ...ENDPOINT, [P + name]: value }, "traces");
    expect(found).toEqual({
      kind: "problem",
      problem: expect.stringMatching(new RegExp(`^${P}${name}: expected `)) as string,
    });
    expect(JSON.stringify(found)).not.toContain("secret");
  });
});

describe("createEnvironmentSampler", () => {
  it.each([
    [undefined, undefined, "ParentBased{root=AlwaysOnSampler"],
    ["always_on", undefined, "AlwaysOnSampler"],
    ["ALWAYS_OFF", undefined, "AlwaysOffSampler"],
    ["traceidratio", "0.25", "TraceIdRatioBased{0.25}"],
    ["traceidratio", "2", "TraceIdRatioBased{1}"],
    ["traceidratio", " ", "TraceIdRatioBased{1}"],
    ["parentbased_always_off", undefined, "ParentBased{root=AlwaysOffSampler"],
    ["parentbased_traceidratio", "0", "ParentBased{root=TraceIdRatioBased{0}"],
    ["jaeger_remote", undefined, "ParentBased{root=AlwaysOnSampler"],
  ])("of %s with %s is %s", (name, argument, description) => {
    const sampler = createEnvironmentSampler({
      OTEL_TRACES_SAMPLER: name,
      OTEL_TRACES_SAMPLER_ARG: argument,
    });
    expect(String(sampler)).toContain(description);
  });
});
