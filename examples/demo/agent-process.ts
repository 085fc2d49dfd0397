// The assistant in a process of its own, for `npm run demo -- --kill`: holds some of the conversations, tells its
// parent how many events it has tracked, and either waits to be killed or delivers what is there and ends.
import { setTimeout as sleep } from "node:timers/promises";
import { AgentMonitor } from "agent-monitor";
import { CONVERSATIONS } from "./conversations.ts";
import { holdConversations } from "./hold-conversations.ts";

/** What the parent asks for, in `process.argv`. */
export interface AgentTask {
  readonly endpoint: string;
  readonly modelUrl: string;
  readonly spoolDirectory: string;
  /** Conversations to hold: from this one to before that one. */
  readonly conversations: readonly [from: number, to: number];
  readonly isToBeKilled: boolean;
}

/** What the parent is told once every call has returned. */
export interface AgentReport {
  readonly tracked: number;
  readonly dropped: number;
  /** Events that an earlier process had left. */
  readonly recovered: number;
}

const task = JSON.parse(process.argv[2] ?? "") as AgentTask;
const { endpoint, modelUrl, spoolDirectory, conversations, isToBeKilled } = task;
const monitor = new AgentMonitor({
  endpoint,
  apiKey: "demo-key",
  organizationId: "first-bank",
  environment: "development",
  enableLogging: false,
  instrumentations: ["fetch"],
  spoolDirectory,
  // So that nothing is delivered yet when it is killed.
  flushInterval: 60_000,
});

await holdConversations(monitor, modelUrl, CONVERSATIONS.slice(...conversations));
// The events of a call come a moment after it.
while ((monitor.stats().bridge?.waiting ?? 0) > 0) await sleep(20);
if (!isToBeKilled) await monitor.shutdown();
const { tracked, dropped, recovered } = monitor.stats();
process.send?.({ tracked, dropped, recovered } satisfies AgentReport);
// The channel to the parent keeps a process alive that is to be killed.
if (!isToBeKilled) process.disconnect();
