import { AgentMonitor } from "agent-monitor";

// Reads AGENT_MONITOR_API_KEY, AGENT_MONITOR_ORGANIZATION_ID and AGENT_MONITOR_ENDPOINT.
const monitor = new AgentMonitor({ environment: "development" });

// Nothing waits for it: while the platform is away, tracking works and the profile is sent again until it is taken.
void monitor.registerAgent({
  id: "personal-banking",
  name: "Personal banking assistant",
  category: "tool_calling",
  specialty: "personal_banking",
  version: "2.3.0",
  llmProvider: "openai",
  model: "gpt-5",
  description: "Answers questions about accounts and makes transfers.",
  availableTools: [
    {
      name: "get_balance",
      description: "Reads a balance.",
      category: "accounts",
      riskLevel: "low",
    },
  ],
});

const agentId = "personal-banking";
const sessionId = "session-2041";

monitor.trackConversationStart(agentId, sessionId, "customer-88213", { channel: "mobile app" });
monitor.trackUserMessage(agentId, sessionId, "What is my balance?", "customer-88213");
monitor.trackToolCall(
  agentId,
  sessionId,
  "get_balance",
  { account: "4821" },
  { balance: 3182.4, currency: "USD" },
  86,
);
monitor.trackAgentResponse(agentId, sessionId, "Your account ending in 4821 stands at $3,182.40.", {
  llmLatency: 1240,
  tokensUsed: { input: 812, output: 164, total: 976 },
});
monitor.trackConversationEnd(agentId, sessionId, {
  resolutionStatus: "resolved",
  userSatisfaction: 9,
});

// At the end of the process: sends what is left, for at most `shutdownTimeout`.
await monitor.shutdown();

const { tracked, acked, dropped } = monitor.stats();
console.log(`${tracked} events tracked, ${acked} delivered, ${dropped} dropped`);
