// A banking assistant under the monitor, from the model's API to the stored event, all on this machine.
//
//   npm run demo              prints what was delivered and flagged, then serves the page until Ctrl-C
//   npm run demo -- --once    ends at once; exit code 0 only if the platform has stored every tracked event
//   npm run demo -- --json    prints one line of JSON instead
//   npm run demo -- --kill    kills the assistant with -9 half-way, and starts another one
import { once } from "node:events";
import { parseArgs } from "node:util";
import { AgentMonitor } from "agent-monitor";
import { startPlatform } from "agent-monitor/platform";
import type { AgentReport } from "./agent-process.ts";
import { CONVERSATIONS } from "./conversations.ts";
import { holdConversations } from "./hold-conversations.ts";
import { runKilledAgent } from "./killed-agent.ts";
import { scriptedJudge } from "./judge.ts";
import { startModelServer } from "./model-server.ts";
import { formatReport, readStored } from "./report.ts";

const { values: flags } = parseArgs({
  options: { once: { type: "boolean" }, json: { type: "boolean" }, kill: { type: "boolean" } },
});

/** The assistant within this process. */
async function runAgent(endpoint: string, modelUrl: string): Promise<AgentReport> {
  const monitor = new AgentMonitor({
    endpoint,
    apiKey: "demo-key",
    organizationId: "first-bank",
    environment: "development",
    enableLogging: false,
    instrumentations: ["fetch"],
    judge: { model: scriptedJudge, gate: "everything" },
  });
  await holdConversations(monitor, modelUrl, CONVERSATIONS);
  await monitor.shutdown();
  return monitor.stats();
}

const platform = await startPlatform({ port: 0 });
const model = await startModelServer(CONVERSATIONS.flatMap(({ turns }) => turns));
const run = flags.kill ? runKilledAgent : runAgent;
const { tracked, dropped, recovered } = await run(platform.url, model.url);
model.close();

const stored = await readStored(platform.url);
const summary = {
  tracked,
  delivered: stored.delivered,
  dropped,
  ...(flags.kill && { recovered }),
  flagged: stored.flagged.length,
  ...(!flags.kill && { judged: stored.judged.length }),
  // The queue has what this conversation's findings ask somebody to decide.
  url: `${platform.viewerUrl}#/queue`,
};
if (flags.json) console.log(JSON.stringify(summary));
else {
  if (flags.kill) console.log(`Killed with -9; ${recovered} events were on disk`);
  console.log(formatReport(stored, tracked));
}

if (flags.once) {
  process.exitCode = stored.delivered === tracked ? 0 : 1;
} else {
  if (!flags.json) console.log(`What is to be reviewed: ${summary.url}   (Ctrl-C to end)`);
  await once(process, "SIGINT");
}
await platform.close();
