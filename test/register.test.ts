import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startNode, toProgram } from "./helpers/child.ts";
import { startSink, type Sink } from "./helpers/sink.ts";

let sink: Sink;
beforeEach(async () => {
  sink = await startSink();
});
afterEach(() => sink.close());

interface Run {
  readonly code: number | null;
  readonly out: any;
  readonly stderr: string;
}

/** Runs an application of `test/fixtures/register` as `node --import agent-monitor/register` does. */
async function run(name: string, env: Record<string, string | undefined> = {}): Promise<Run> {
  const file = name.endsWith(".cjs")
    ? `test/fixtures/register/${name}`
    : toProgram(`register/${name}`);
  const { result } = startNode(["--import", pathToFileURL(toProgram("register")).href, file], {
    AGENT_MONITOR_API_KEY: "key",
    AGENT_MONITOR_ORGANIZATION_ID: "bank",
    AGENT_MONITOR_ENDPOINT: sink.url,
    AGENT_MONITOR_ENABLE_LOGGING: "false",
    ...env,
  });
  const { code, stdout, stderr } = await result;
  return { code, out: stdout === "" ? undefined : JSON.parse(stdout), stderr };
}

const requestsTo = (path: string) => sink.requests.filter((request) => request.path === path);
const spansOf = (text: string): any[] =>
  JSON.parse(text).resourceSpans.flatMap(({ scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) => spans),
  );

const OTLP_JSON = (): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: `${sink.url}/otlp`,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
});

describe("an application without an SDK", () => {
  it("gets a monitor whose events are delivered when the process ends, and no exporter", async () => {
    const { code, out, stderr } = await run("app");
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(out).toMatchObject({ isMonitored: true, stats: { tracked: 2, acked: 2 } });
    expect(new Set(sink.requests.map(({ path }) => path))).toEqual(new Set(["/v1/batches"]));
  });

  it("gets the exporters that OTEL_* asks for, with parents, name and headers", async () => {
    const { code, out } = await run("app", {
      ...OTLP_JSON(),
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=of-all",
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: "x-logs=of%20logs",
      OTEL_SERVICE_NAME: "branch-assistant",
      OTEL_RESOURCE_ATTRIBUTES: "team=cards",
    });
    expect(code).toBe(0);
    expect(out.stats).toMatchObject({ tracked: 2, acked: 2 });
    const [traces] = requestsTo("/otlp/v1/traces");
    const [logs] = requestsTo("/otlp/v1/logs");
    expect(traces?.headers["x-key"]).toBe("of-all");
    expect(logs?.headers).toMatchObject({ "x-key": "of-all", "x-logs": "of logs" });
    for (const name of ["branch-assistant", "cards"]) {
      expect(traces?.text).toContain(name);
      expect(logs?.text).toContain(name);
    }
    expect(logs?.text).toContain("app.done");
    expect(logs?.text).toContain("agent_monitor.user.message");
    const spans = requestsTo("/otlp/v1/traces").flatMap(({ text }) => spansOf(text));
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named("query").parentSpanId).toBe(named("request").spanId);
    expect(spans.some(({ name }) => name.startsWith("conversation"))).toBe(true);
  });

  it("has its sampler followed by the exporters", async () => {
    await run("app", { ...OTLP_JSON(), OTEL_TRACES_SAMPLER: "always_off" });
    expect(requestsTo("/otlp/v1/traces")).toEqual([]);
    expect(requestsTo("/otlp/v1/logs")).not.toEqual([]);
    expect(sink.events).toHaveLength(2);
  });

  it("exports protobuf unless told otherwise, compressed where asked, to the endpoint of a signal", async () => {
    await run("app", {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${sink.url}/only/traces`,
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    });
    const paths = new Set(sink.requests.map(({ path }) => path));
    expect(paths).toEqual(new Set(["/v1/batches", "/only/traces"]));
    const [traces] = requestsTo("/only/traces");
    expect(traces?.headers).toMatchObject({
      "content-type": "application/x-protobuf",
      "content-encoding": "gzip",
    });
    expect(traces?.text).toContain("request");
  });

  it("ends in time although its backend hangs", async () => {
    sink.answer = ({ path }) => (path === "/v1/batches" ? undefined : "hang");
    const { code, out } = await run("app", {
      ...OTLP_JSON(),
      // Long enough for the platform on a busy machine, shorter than a request.
      AGENT_MONITOR_SHUTDOWN_TIMEOUT: "3000",
    });
    expect(code).toBe(0);
    expect(out.stats).toMatchObject({ tracked: 2, acked: 2 });
  });

  it("is told when its backend takes nothing, without the key it was refused for", async () => {
    sink.answer = ({ path }) => (path === "/v1/batches" ? undefined : { status: 401 });
    const { code, stderr } = await run("app", {
      ...OTLP_JSON(),
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret-key",
      AGENT_MONITOR_ENABLE_LOGGING: "true",
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/OTLP: traces are lost \(HTTP 401\)/);
    expect(stderr).toMatch(/OTLP: logs are lost \(HTTP 401\)/);
    expect(stderr).not.toContain("secret-key");
  });

  it("is told of an endpoint that can't be used, and runs", async () => {
    const { code, out, stderr } = await run("app", {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector.example:4318/v1/traces",
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${sink.url}/v1/logs`,
      OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "grpc",
    });
    expect(code).toBe(0);
    expect(out.stats).toMatchObject({ acked: 2 });
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(
        /traces are not exported: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: expected https/,
      ),
      expect.stringMatching(
        /logs are not exported: OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: expected http/,
      ),
    ]);
  });
});

describe("an application with an SDK of its own", () => {
  it.each([undefined, "yes"])(
    "keeps it working and is joined (a span before: %s)",
    async (before) => {
      const { code, out, stderr } = await run("own-sdk", {
        ...OTLP_JSON(),
        SPAN_BEFORE_START: before,
      });
      expect(stderr).toBe("");
      expect(code).toBe(0);
      expect(out.spans).toEqual([
        { name: "child of early", isRoot: false },
        { name: "parent", isRoot: true },
      ]);
      expect(out.records).toEqual(expect.arrayContaining(["late", "agent_monitor.user.message"]));
      // The monitor's processors stand beside the application's, whose own lists are frozen.
      expect([out.spanProcessors, out.logRecordProcessors]).toEqual([2, 2]);
      expect(sink.events).toHaveLength(1);
    },
  );
});

describe("the environment", () => {
  it("that is invalid is told at the start and at the end, and the application runs", async () => {
    const { code, out, stderr } = await run("app", {
      AGENT_MONITOR_API_KEY: "",
      AGENT_MONITOR_BATCH_SIZE: "many",
    });
    expect(code).toBe(0);
    expect(out).toEqual({ isMonitored: false });
    const [first, last, ...others] = stderr.trimEnd().split("\n");
    expect(first).toMatch(
      /register: monitoring is OFF, nothing of this process is recorded: .*AGENT_MONITOR_API_KEY.*batchSize/,
    );
    expect(last).toMatch(
      /register: monitoring was OFF, nothing of this process was recorded: .*AGENT_MONITOR_API_KEY/,
    );
    expect(others).toEqual([]);
  });

  it("that misspells what protects content sends nothing, and leaves the application alone", async () => {
    const { code, out, stderr } = await run("app", { AGENT_MONITOR_REDCAT: "true" });
    expect(code).toBe(0);
    expect(out).toEqual({ isMonitored: false });
    expect(sink.requests).toEqual([]);
    const reason =
      /OFF, nothing .*: config: AGENT_MONITOR_REDCAT is unknown: did you mean AGENT_MONITOR_REDACT\?/g;
    expect(stderr.match(reason)).toHaveLength(2);
  });

  it("that disables OpenTelemetry leaves the monitor alone", async () => {
    const { code, out } = await run("app", { ...OTLP_JSON(), OTEL_SDK_DISABLED: "true" });
    expect(code).toBe(0);
    expect(out.stats).toMatchObject({ tracked: 2, acked: 2 });
    expect(new Set(sink.requests.map(({ path }) => path))).toEqual(new Set(["/v1/batches"]));
  });
});

describe("the model calls of another instrumentation", () => {
  const EVENTS = ["user_message", "agent_response"];

  it.each(["foreign", "foreign.cjs"])(
    "are delivered without an SDK although nothing is sampled (%s)",
    async (app) => {
      const { code, out, stderr } = await run(app, {
        ...OTLP_JSON(),
        OTEL_TRACES_SAMPLER: "always_off",
      });
      expect(stderr).toBe("");
      expect(code).toBe(0);
      expect(out.spans).toEqual([]);
      expect(requestsTo("/otlp/v1/traces")).toEqual([]);
      expect(sink.events.map(({ interactionType }) => interactionType)).toEqual(EVENTS);
      expect(sink.events[1]).toMatchObject({ content: "Until six.", sessionId: "session" });
    },
  );

  it.each([
    ["foreign.cjs", "one that samples", ["chat gpt-5"]],
    ["foreign", "one that samples nothing and records everything", []],
  ])("are delivered out of the SDK of %s, %s", async (app, _, spans) => {
    const { code, out, stderr } = await run(app, {
      OWN_SDK: "processors",
      OTEL_LOGS_EXPORTER: "none",
    });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(out.spans).toEqual(spans);
    expect(sink.events.map(({ interactionType }) => interactionType)).toEqual(EVENTS);
  });

  it("are delivered out of an SDK that exports as its environment says, and exported there", async () => {
    const { code, stderr } = await run("foreign.cjs", {
      ...OTLP_JSON(),
      OTEL_METRICS_EXPORTER: "none",
      OWN_SDK: "environment",
    });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const spans = requestsTo("/otlp/v1/traces").flatMap(({ text }) => spansOf(text));
    expect(spans.map(({ name }) => name)).toEqual(["chat gpt-5"]);
    expect(sink.events.map(({ interactionType }) => interactionType)).toEqual(EVENTS);
  });
});
