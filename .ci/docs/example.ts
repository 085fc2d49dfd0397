import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import type { ContentPolicy } from "../../src/config/config.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { EVENT_NAMES } from "../../src/telemetry/attribute-mapping.ts";
import { createIdFixer, startReceiver, toFixedBatch, withFixedTime } from "./example-kit.ts";
import { toJsonBlock } from "./markdown.ts";

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
  await monitor.ready();
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

/** Generates the example of docs/example.md: one conversation as the real monitor writes it. */
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
