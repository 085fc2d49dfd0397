import { AgentMonitor } from "agent-monitor";

// Run it with --crash: it is killed with everything still to be delivered. The next run delivers that as well.
const monitor = new AgentMonitor({
  environment: "development",
  spoolDirectory: process.env["AGENT_MONITOR_SPOOL_DIRECTORY"] ?? "./agent-monitor-spool",
});

monitor.trackConversationStart("personal-banking", "session-2044", "customer-88213");
monitor.trackUserMessage("personal-banking", "session-2044", "Is my card blocked?");
if (process.argv.includes("--crash")) process.kill(process.pid, "SIGKILL");

await monitor.shutdown();
const { tracked, recovered, acked, pending } = monitor.stats();
console.log(
  `${tracked} tracked, ${recovered} of an earlier run, ${acked} delivered, ${pending} wait`,
);
