import { AgentMonitor } from "agent-monitor";

const monitor = new AgentMonitor({ environment: "development" });
const agentId = "card-services";
const sessionId = "session-3107";

// The bank's own policy: a refund may be confirmed only after the tool has made it.
monitor.complianceEngine?.addRule({
  id: "custom-unbacked-refund",
  name: "Unbacked refund",
  description: "Confirms a refund that no tool call has made.",
  category: "custom",
  severity: "violation",
  isActive: true,
  ruleFunction({ agentResponse = "", toolsUsed = [] }) {
    const claim = /\b(?:I|we)(?:'ve| have) refunded\b[^.?!]{0,60}/i.exec(agentResponse)?.[0];
    const isBacked = toolsUsed.some(({ name, success }) => name === "refund_fee" && success);
    if (claim === undefined || isBacked) {
      return { isCompliant: true, violations: [], riskScore: 0, requiresReview: false };
    }
    return {
      isCompliant: false,
      violations: [
        {
          rule: "custom-unbacked-refund",
          severity: "violation",
          description: "The answer confirms a refund that was not made.",
          context: { detectedContent: claim },
          recommendation: "Call refund_fee first, or promise to look into it.",
        },
      ],
      riskScore: 70,
      requiresReview: true,
    };
  },
});

const userMessage = "You charged me $35 for an overdraft. I want it back.";
const draft = "I have refunded the $35 overdraft fee to your account.";
monitor.trackUserMessage(agentId, sessionId, userMessage);

// Where a service starts: from here on the rules answer at once.
await monitor.ready();

// Before the answer is sent: synchronous, without I/O, and it changes nothing.
const verdict = monitor.complianceEngine?.evaluate({
  agentId,
  agentCategory: "tool_calling",
  sessionId,
  timestamp: Date.now(),
  userMessage,
  agentResponse: draft,
});
for (const { rule, severity, description } of verdict?.violations ?? []) {
  console.log(`withheld: ${severity} ${rule}: ${description}`);
  const metadata = { violationType: "withheld_answer", ruleId: rule, severity, description };
  monitor.track(agentId, { sessionId, interactionType: "compliance_violation", metadata });
}

const answer = verdict?.isCompliant ? draft : "A colleague will look into the $35 fee today.";
monitor.trackAgentResponse(agentId, sessionId, answer);
console.log(`sent: ${answer}`);
await monitor.shutdown();
