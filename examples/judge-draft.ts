import { AgentMonitor } from "agent-monitor";
import OpenAI from "openai";
import { toOpenAiJudge } from "./judge/openai-compatible.ts";

const model = toOpenAiJudge(new OpenAI(), "gpt-5-mini");
const monitor = new AgentMonitor({ environment: "development", judge: { model } });
const agentId = "wealth-advisor";
const sessionId = "session-4411";
await monitor.ready();

const userMessage = "I need the money in two years. Is the fund safe?";
const draft = "Yes, the fund pays 5 % every year, guaranteed.";
monitor.trackUserMessage(agentId, sessionId, userMessage);

// The rules answer at once, the model within three seconds or not at all.
const verdict = await monitor.complianceEngine?.evaluateAsync(
  {
    agentId,
    agentCategory: "tool_calling",
    sessionId,
    timestamp: Date.now(),
    userMessage,
    agentResponse: draft,
  },
  { deadline: 3000 },
);
console.log(`second stage: ${verdict?.metadata.secondStage}`);
for (const { rule, description } of verdict?.violations ?? [])
  console.log(`${rule}: ${description}`);

const answer = verdict?.requiresReview ? "An adviser will call you about that today." : draft;
monitor.trackAgentResponse(agentId, sessionId, answer);
await monitor.shutdown();
