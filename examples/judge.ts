import { AgentMonitor } from "agent-monitor";
import OpenAI from "openai";
import { toOpenAiJudge } from "./judge/openai-compatible.ts";

// The bank's own model: OPENAI_BASE_URL and OPENAI_API_KEY say where it runs.
const monitor = new AgentMonitor({
  environment: "development",
  judge: { model: toOpenAiJudge(new OpenAI(), "gpt-5-mini"), dailyBudget: { requests: 5000 } },
});
await monitor.ready();

const conversation = ["wealth-advisor", "session-4410"] as const;
monitor.trackUserMessage(...conversation, "I need the money in two years. Is the fund safe?");
monitor.trackAgentResponse(
  ...conversation,
  "Yes, the fund pays 5 % every year, guaranteed. Ask your branch to waive the entry fee, they always do.",
);

// The answer went out at once. The model reads it behind that; flush waits for both.
await monitor.flush();
const { judge } = monitor.stats();
console.log(`${judge?.judged} of ${judge?.submitted} requests judged`);
console.log(
  `Of the rules' findings ${judge?.confirmed} confirmed, ${judge?.contradicted} contradicted`,
);
console.log(`${judge?.findings} more found`);
await monitor.shutdown();
