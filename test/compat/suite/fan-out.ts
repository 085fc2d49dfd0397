// No OpenTelemetry of the service's own: the monitor exports to two backends itself.
import { AgentMonitor } from "agent-monitor";
import { report, run } from "./support/application.ts";
import { trackConversation } from "./support/conversation.ts";

const url = process.env["AGENT_MONITOR_ENDPOINT"] ?? "";
const monitor = new AgentMonitor({
  otlp: [
    { url: `${url}/bare`, content: "none" },
    { url: `${url}/whole`, content: "full", protocol: "http/protobuf" },
  ],
});

run(async () => {
  trackConversation(monitor);
  await monitor.shutdown();
  report({ stats: monitor.stats() });
});
