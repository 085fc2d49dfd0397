/*
 * One side of the fan-out bench, in a process of its own: prints the CPU time of tracking and exporting, in ms.
 */
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { AgentMonitor } from "agent-monitor";
import { agentInfo, CONTENT, METADATA } from "./agent.ts";

const [side = "", turns = "0", platform = "", ...urls] = process.argv.slice(2);
/** Turns between two flushes: below every queue bound, so that nothing is dropped on either side. */
const FLUSH_EVERY = 100;
const TURNS_OF_CONVERSATION = 10;
const WARM_UP = 1000;

/** What an application writes by hand to send the same to several backends. */
function createStockProviders() {
  return {
    tracerProvider: new BasicTracerProvider({
      spanProcessors: urls.map(
        (url) => new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` })),
      ),
    }),
    loggerProvider: new LoggerProvider({
      processors: urls.map(
        (url) =>
          new BatchLogRecordProcessor({
            exporter: new OTLPLogExporter({ url: `${url}/v1/logs` }),
          }),
      ),
    }),
  };
}

const providers =
  side === "stock"
    ? createStockProviders()
    : { tracerProvider: new BasicTracerProvider(), loggerProvider: new LoggerProvider() };
const monitor = new AgentMonitor({
  apiKey: "key",
  organizationId: "bank",
  endpoint: platform,
  enableComplianceChecks: false,
  enableLogging: false,
  content: "full",
  compression: "none",
  ...(side === "monitor" ? { otlp: urls.map((url) => ({ url })) } : providers),
});
void monitor.registerAgent(agentInfo).catch(() => undefined);

async function run(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    const session = `session-${Math.floor(turn / TURNS_OF_CONVERSATION)}`;
    monitor.trackUserMessage("assistant", session, CONTENT);
    monitor.trackAgentResponse("assistant", session, CONTENT, METADATA);
    if ((turn + 1) % TURNS_OF_CONVERSATION === 0)
      monitor.trackConversationEnd("assistant", session);
    if ((turn + 1) % FLUSH_EVERY === 0) {
      await Promise.all([
        monitor.flush(),
        providers.tracerProvider.forceFlush(),
        providers.loggerProvider.forceFlush(),
      ]);
    }
  }
}

await run(WARM_UP);
const before = process.cpuUsage();
await run(Number(turns));
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1000));
await monitor.shutdown();
