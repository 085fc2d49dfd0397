import { AgentMonitor, type AgentInfo } from "agent-monitor";

const AGENT: AgentInfo = {
  id: "card-services",
  name: "Card services",
  category: "tool_calling",
  specialty: "customer_service",
  version: "1.4.0",
  llmProvider: "openai",
  model: "gpt-5",
  description: "Answers questions about cards.",
  availableTools: [
    { name: "block_card", description: "Blocks a card.", category: "cards", riskLevel: "high" },
  ],
};

const SECRETS =
  "card 4111 1111 1111 1111, SSN 536-22-8745, IBAN DE89 3704 0044 0532 0130 00, mail ana.ruiz@example.com, " +
  "phone +1 202-555-0143, password: Tr0ub4dor&3";

function toError(): Error {
  const error = new TypeError(`no such customer: ${SECRETS}`, { cause: "ana.ruiz@example.com" });
  // The real one names files of this machine.
  error.stack = `${error.name}: ${error.message}\n    at block (cards.js:12:3)`;
  return error;
}

/** Tracks every kind of event, with what a bank must not let out in every place that holds a text. */
export async function trackEveryKind(): Promise<void> {
  const monitor = new AgentMonitor({ environment: "staging" });
  await monitor.registerAgent(AGENT);
  await monitor.ready();
  const { id } = AGENT;
  const session = "session-of-ana.ruiz@example.com";
  const metadata = { note: SECRETS, nested: { list: [SECRETS, 7, null], at: new Date(0) } };
  monitor.trackConversationStart(id, session, "customer-1", { channel: "phone", ...metadata });
  monitor.trackUserMessage(id, session, `Block my ${SECRETS}`, "customer-1", metadata);
  const parameters = { card: "4111 1111 1111 1111", reason: SECRETS };
  const call = { ...metadata, toolCallId: "call-1", retryCount: 1 };
  monitor.trackToolCall(id, session, "block_card", parameters, { done: true, SECRETS }, 40, call);
  monitor.trackToolCall(id, session, "block_card", parameters, toError(), 41);
  monitor.trackError(id, session, toError(), { severity: "high", recoverable: false, ...metadata });
  monitor.trackAgentResponse(id, session, `Your ${SECRETS}: blocked. Guaranteed returns of 9 %!`, {
    llmLatency: 12,
    tokensUsed: { input: 1, output: 2, total: 3 },
    cost: 0.01,
    temperature: 0.2,
    responseQuality: 0.9,
    ...metadata,
  });
  monitor.track(id, {
    sessionId: session,
    interactionType: "compliance_violation",
    metadata: {
      violationType: "privacy",
      ruleId: "own",
      description: SECRETS,
      severity: "warning",
    },
  });
  monitor.conversation({ agentId: id, sessionId: session }, () =>
    monitor.trackUserMessage(id, session, "And now?"),
  );
  monitor.trackConversationEnd(id, session, { resolutionStatus: "escalated", ...metadata });
  // Nobody ends it.
  monitor.trackUserMessage("unknown-agent", "session-2", SECRETS);
  await monitor.shutdown();
}
