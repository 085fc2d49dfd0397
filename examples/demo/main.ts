// A banking assistant under the monitor, from the model's API to the stored event, all on this machine.
//
//   npm run demo              prints what was delivered and flagged, then serves the page until Ctrl-C
//   npm run demo -- --once    ends at once; exit code 0 only if the platform has stored every tracked event
//   npm run demo -- --json    prints one line of JSON instead
import { once } from "node:events";
import { parseArgs } from "node:util";
import { AgentMonitor } from "agent-monitor";
import { startPlatform } from "agent-monitor/platform";
import OpenAI from "openai";
import { holdConversation } from "./assistant.ts";
import { AGENTS } from "./bank.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { startModelServer } from "./model-server.ts";
import { formatReport, readStored } from "./report.ts";

const { values: flags } = parseArgs({
  options: { once: { type: "boolean" }, json: { type: "boolean" } },
});

const platform = await startPlatform({ port: 0 });
const model = await startModelServer(CONVERSATIONS.flatMap(({ turns }) => turns));
const openai = new OpenAI({ baseURL: model.url, apiKey: "scripted", maxRetries: 0 });
const monitor = new AgentMonitor({
  endpoint: platform.url,
  apiKey: "demo-key",
  organizationId: "first-bank",
  environment: "development",
  enableLogging: false,
});

for (const agent of AGENTS) await monitor.registerAgent(agent);
await Promise.all(
  CONVERSATIONS.map(async (conversation) => {
    const agent = AGENTS.find(({ id }) => id === conversation.agentId);
    if (!agent) throw new Error(`there is no agent ${conversation.agentId}`);
    await holdConversation(
      { monitor, openai, agent, sessionId: conversation.sessionId },
      conversation,
    );
  }),
);
model.close();
await monitor.flush();

const { tracked, dropped } = monitor.stats();
const stored = await readStored(platform.url);
const summary = {
  tracked,
  delivered: stored.delivered,
  dropped,
  flagged: stored.flagged.length,
  url: platform.viewerUrl,
};
console.log(flags.json ? JSON.stringify(summary) : formatReport(stored, tracked));

if (flags.once) {
  process.exitCode = stored.delivered === tracked ? 0 : 1;
} else {
  if (!flags.json) console.log(`The conversations: ${platform.viewerUrl}   (Ctrl-C to end)`);
  await once(process, "SIGINT");
}
await monitor.shutdown();
await platform.close();
