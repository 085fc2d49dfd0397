import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import type { AgentInfo } from "../../src/events/agent.ts";
import { eventSchemas, type DetailedEvent } from "../../src/events/detailed-event.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startSink, type Sink } from "./sink.ts";

export const agentInfo: AgentInfo = {
  id: "assistant",
  name: "Banking assistant",
  category: "tool_calling",
  specialty: "personal_banking",
  version: "2.1.0",
  llmProvider: "openai",
  model: "gpt-5",
  description: "Answers questions about accounts.",
  availableTools: [
    {
      name: "get_balance",
      description: "Balance of an account",
      category: "accounts",
      riskLevel: "low",
    },
    { name: "transfer", description: "Moves money", category: "payments", riskLevel: "high" },
  ],
};

export interface TestMonitor {
  readonly monitor: AgentMonitor;
  readonly sink: Sink;
  /** Log lines as `level message`. */
  readonly lines: string[];
  /** Flushes and gives the delivered events, each checked against its schema. */
  readonly delivered: () => Promise<DetailedEvent[]>;
  readonly close: () => Promise<void>;
}

/** A monitor that delivers to a real server on loopback. */
export async function startMonitor(
  config: Partial<AgentMonitoringConfig> = {},
): Promise<TestMonitor> {
  const sink = await startSink();
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string, data?: unknown): void => {
      lines.push(`${level} ${message} ${JSON.stringify(data) ?? ""}`);
    };
  const monitor = new AgentMonitor({
    apiKey: "key-of-the-bank",
    organizationId: "bank",
    endpoint: sink.url,
    retryDelay: 1,
    logger: {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    },
    ...config,
  });
  return {
    monitor,
    sink,
    lines,
    async delivered() {
      await monitor.flush();
      const events = sink.events as DetailedEvent[];
      for (const event of events) eventSchemas[event.interactionType].parse(event);
      return events;
    },
    async close() {
      await monitor.shutdown();
      await sink.close();
    },
  };
}
