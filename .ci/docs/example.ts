import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import type { ContentPolicy } from "../../src/config.ts";
import { CHECKSUM_PREFIX, type EventBatch } from "../../src/events/batch.ts";
import { toChainHash } from "../../src/exporter/chain/chain.ts";
import { AgentMonitor } from "../../src/monitor.ts";
import { EVENT_NAMES } from "../../src/otel/attribute-mapping.ts";
import { toJsonBlock } from "./markdown.ts";

/** 2026-11-20 14:00 UTC. */
const START = Date.UTC(2026, 10, 20, 14);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Runs with a clock that moves only when it is told to. */
async function withFixedTime<T>(
  run: (advance: (millis: number) => void) => Promise<T>,
): Promise<T> {
  const { now } = Date;
  let time = START;
  Date.now = () => time;
  try {
    return await run((millis) => (time += millis));
  } finally {
    Date.now = now;
  }
}

async function startReceiver() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === "POST") bodies.push(body);
      response.writeHead(202, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function trackConversation(monitor: AgentMonitor, advance: (millis: number) => void): void {
  const agentId = "wealth-advisor";
  const sessionId = "session-2043";
  monitor.trackConversationStart(agentId, sessionId, "customer-55102", { channel: "web chat" });
  advance(4000);
  monitor.trackUserMessage(agentId, sessionId, "Is the fund safe?", "customer-55102", {
    language: "en",
  });
  advance(2000);
  monitor.trackAgentResponse(
    agentId,
    sessionId,
    "Yes. The fund guarantees a 5 % return every year.",
    {
      llmLatency: 1180,
      tokensUsed: { input: 412, output: 38, total: 450 },
      temperature: 0.2,
    },
  );
  advance(9000);
  monitor.trackConversationEnd(agentId, sessionId, {
    resolutionStatus: "resolved",
    endReason: "user_initiated",
  });
}

/** Replaces random ids by counted ones of the same length. */
function createIdFixer(): (json: string) => string {
  const fixed = new Map<string, string>();
  return (json) =>
    json.replaceAll(UUID, (uuid) => {
      const id =
        fixed.get(uuid) ?? `019aa1f2-0000-7000-8000-${String(fixed.size + 1).padStart(12, "0")}`;
      fixed.set(uuid, id);
      return id;
    });
}

function toFixedBatch(body: string): EventBatch {
  const batch = JSON.parse(body) as EventBatch;
  const digest = createHash("sha256").update(JSON.stringify(batch.events)).digest("hex");
  const fixed = { ...batch, checksum: CHECKSUM_PREFIX + digest };
  const chain = fixed.metadata?.chain;
  if (!chain) throw new Error("the batch of the example has no chain");
  const hash = toChainHash({ ...fixed, chain });
  return { ...fixed, metadata: { ...fixed.metadata, chain: { ...chain, hash } } };
}

async function record(content: ContentPolicy) {
  const receiver = await startReceiver();
  const exporter = new InMemoryLogRecordExporter();
  const loggerProvider = new LoggerProvider({
    processors: [new SimpleLogRecordProcessor({ exporter })],
  });
  const monitor = new AgentMonitor({
    endpoint: receiver.url,
    apiKey: "example-key",
    organizationId: "first-bank",
    environment: "staging",
    compression: "none",
    enableLogging: false,
    content,
    loggerProvider,
  });
  await monitor.registerAgent({
    id: "wealth-advisor",
    name: "Wealth advisor",
    category: "tool_calling",
    specialty: "wealth_management",
    version: "0.9.2",
    llmProvider: "openai",
    model: "gpt-5-mini",
    description: "Explains funds and savings plans.",
  });
  await withFixedTime(async (advance) => {
    trackConversation(monitor, advance);
    await monitor.shutdown();
  });
  const records = exporter
    .getFinishedLogRecords()
    .map(({ eventName, hrTime, severityNumber, attributes }) => ({
      eventName,
      timestamp: new Date(hrTime[0] * 1000).toISOString(),
      severityNumber,
      attributes,
    }));
  receiver.close();
  await loggerProvider.shutdown();
  const { tracked, acked } = monitor.stats();
  if (acked !== tracked)
    throw new Error(`only ${acked} of ${tracked} events of the example were delivered`);
  const fixIds = createIdFixer();
  const batch = toFixedBatch(fixIds(receiver.bodies.join("\n")));
  return { batch, records: JSON.parse(fixIds(JSON.stringify(records))) as typeof records };
}

/** Generates the example of semconv.md: one conversation as the real monitor writes it. */
export async function toExampleParts(): Promise<Record<string, string>> {
  const full = await record("full");
  const none = await record("none");
  const answer = none.records.find(({ eventName }) => eventName === EVENT_NAMES.agent_response);
  return {
    "semconv:example-records": toJsonBlock(full.records),
    "semconv:example-none": toJsonBlock(answer),
    "semconv:example-batch": toJsonBlock(full.batch),
  };
}
