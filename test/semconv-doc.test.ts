import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import * as incubating from "@opentelemetry/semantic-conventions/incubating";
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
import { SPAN_ATTRIBUTES, STANDARD_ATTRIBUTES } from "../.ci/docs/attribute-notes.ts";
import { isOwn, listAttributes, listEntries } from "../.ci/docs/registry.ts";
import { generateDocuments } from "../.ci/generate-docs.ts";
import { type BridgedEvent, toDetailedEvent } from "../src/bridge/bridged-event.ts";
import { EventBridge } from "../src/bridge/event-bridge.ts";
import type { EventBatch } from "../src/events/batch.ts";
import { PROBLEM_CODES } from "../src/events/wire.ts";
import { AgentMonitor } from "../src/monitor/monitor.ts";
import { decodeSpans } from "../src/platform/otlp/decode-telemetry.ts";
import { runSteps } from "../src/platform/turns.ts";
import { startSink } from "./helpers/sink.ts";

describe("generated documents", async () => {
  const documents = await generateDocuments();

  it.each(documents)("$path is up to date", ({ path, current, generated }) => {
    expect(current === generated, `${path} is stale: run npm run docs:generate and commit it`).toBe(
      true,
    );
  });

  it("come out the same twice", async () => {
    const again = await generateDocuments();
    expect(again.map(({ generated }) => generated)).toEqual(
      documents.map(({ generated }) => generated),
    );
  });
});

describe("the example of spans in docs/example.md", () => {
  const text = readFileSync(new URL("../docs/example.md", import.meta.url), "utf8");
  const readBlock = (name: string): unknown => {
    const [, block = ""] = text.split(`<!-- semconv:${name}:begin -->\n\`\`\`json\n`);
    return JSON.parse(block.split("\n```\n")[0] ?? "") as unknown;
  };
  const request = readBlock("example-otlp");
  const batch = readBlock("example-bridged") as EventBatch;

  it("becomes the events of its batch", () => {
    const told: BridgedEvent[] = [];
    const bridge = new EventBridge({ onEvent: (event) => told.push(event) });
    const received = runSteps(decodeSpans(request));
    expect(received.rejected).toBe(0);
    for (const span of received.items) bridge.onEnd(span);
    bridge.shutdown();
    const events = told.map((event, index) =>
      toDetailedEvent(event, {
        eventId: batch.events[index]?.eventId ?? "",
        environment: "staging",
        maxLength: 10_000,
      }),
    );
    expect(batch.events).toHaveLength(4);
    // What the delivery and the rules add is not compared.
    expect(batch.events).toMatchObject(JSON.parse(JSON.stringify(events)) as object[]);
  });

  it("has the count, the size and the checksum of its events", () => {
    const json = Buffer.from(JSON.stringify(batch.events));
    const digest = createHash("sha256").update(json).digest("hex");
    expect(batch).toMatchObject({
      eventCount: batch.events.length,
      totalSize: json.length,
      checksum: `sha256:${digest}`,
    });
  });
});

describe("docs/platform-api.md", () => {
  const text = readFileSync(new URL("../docs/platform-api.md", import.meta.url), "utf8");

  it.each(PROBLEM_CODES)("tells of the problem %s", (code) => {
    expect(text, `tell in docs/platform-api.md when ${code} is answered`).toContain(`\`${code}\``);
  });
});

describe("attribute names", () => {
  it.each(listAttributes())("%s follows OpenTelemetry's naming", (name) => {
    expect(name).toMatch(/^[a-z][a-z0-9]*([._][a-z0-9]+)*$/);
  });

  it("of OpenTelemetry exist there", () => {
    const known = new Set<unknown>(Object.values(incubating));
    const standard = listAttributes().filter((name) => !isOwn(name));
    expect(
      standard.filter((name) => !known.has(name)),
      "these are in no version of the conventions: give them the prefix agent_monitor.",
    ).toEqual([]);
    expect(
      Object.keys(STANDARD_ATTRIBUTES).toSorted(),
      ".ci/docs/attribute-notes.ts describes what src/semconv.ts does not have",
    ).toEqual(standard);
  });

  it("all have a user", () => {
    const unused = listEntries().filter(({ users }) => users.length === 0);
    expect(unused.map(({ name }) => name)).toEqual([]);
  });
});

describe("attributes that are really written", () => {
  async function record(content: "none" | "full") {
    const sink = await startSink();
    const spans = new InMemorySpanExporter();
    const records = new InMemoryLogRecordExporter();
    const monitor = new AgentMonitor({
      endpoint: sink.url,
      apiKey: "test-key",
      organizationId: "first-bank",
      enableLogging: false,
      content,
      tracerProvider: new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
      loggerProvider: new LoggerProvider({
        processors: [new SimpleLogRecordProcessor({ exporter: records })],
      }),
    });
    await monitor.registerAgent({
      id: "a",
      name: "Agent",
      category: "tool_calling",
      specialty: "personal_banking",
      version: "1",
      llmProvider: "openai",
      model: "gpt-5",
      description: "",
      availableTools: [{ name: "t", description: "", category: "c", riskLevel: "low" }],
    });
    monitor.conversation({ agentId: "a", sessionId: "s", conversationId: "c", userId: "u" }, () => {
      monitor.trackConversationStart("a", "s", "u", {
        channel: "web",
        ipAddress: "192.0.2.1",
        custom: 1,
      });
      monitor.trackError("a", "s", new Error("boom"), { severity: "critical" });
      monitor.trackUserMessage("a", "s", "Is it safe?", "u", { language: "en" });
      monitor.trackToolCall("a", "s", "t", { x: 1 }, { y: 2 }, 3);
      monitor.trackError("a", "s", new Error("boom"), { severity: "high" });
      const usage = { llmLatency: 1, tokensUsed: { input: 1, output: 1, total: 2 } };
      monitor.trackAgentResponse("a", "s", "The fund guarantees a 5 % return every year.", usage);
      monitor.trackUserMessage("a", "s", "Really?");
    });
    await monitor.shutdown();
    await sink.close();
    return { spans: spans.getFinishedSpans(), records: records.getFinishedLogRecords() };
  }

  it("stand in semconv.md", async () => {
    const { spans, records } = await record("full");
    const known = new Set(listAttributes());
    const written = records.flatMap(({ attributes }) => Object.keys(attributes));
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((name) => !known.has(name))).toEqual([]);
    for (const [prefix, name] of [
      ["conversation ", "conversation"],
      ["invoke_agent ", "invoke-agent"],
    ] as const) {
      const ofKind = spans.filter((span) => span.name.startsWith(prefix));
      const onSpans = new Set(ofKind.flatMap(({ attributes }) => Object.keys(attributes)));
      const documented = SPAN_ATTRIBUTES[name].map(([attribute]) => attribute);
      expect(
        [...onSpans].toSorted(),
        "correct SPAN_ATTRIBUTES in .ci/docs/attribute-notes.ts",
      ).toEqual(documented.toSorted());
    }
  });

  it("hold no content under the policy none", async () => {
    const { spans, records } = await record("none");
    const sensitive = new Set(
      listEntries().flatMap(({ name, isSensitive }) => (isSensitive ? [name] : [])),
    );
    const written = [
      ...records.flatMap(({ attributes }) => Object.keys(attributes)),
      ...spans.flatMap(({ attributes, events }) =>
        [attributes, ...events.map((event) => event.attributes ?? {})].flatMap(Object.keys),
      ),
    ];
    expect(written.length).toBeGreaterThan(0);
    expect(written.filter((name) => sensitive.has(name))).toEqual([]);
    expect(
      JSON.stringify([
        records.map(({ attributes }) => attributes),
        spans.map(({ attributes }) => attributes),
      ]),
    ).not.toMatch(/guarantees|boom|192\.0\.2\.1|Is it safe/);
  });
});
