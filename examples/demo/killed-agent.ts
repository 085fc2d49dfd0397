import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentReport, AgentTask } from "./agent-process.ts";
import { CONVERSATIONS } from "./conversations.ts";

async function runAgent(task: AgentTask): Promise<AgentReport> {
  const child = fork(new URL("agent-process.ts", import.meta.url), [JSON.stringify(task)]);
  const exited = once(child, "exit") as Promise<[code: number | null, signal: string | null]>;
  const failed = exited.then(([code, signal]) => {
    throw new Error(`the agent ended too early (${signal ?? code})`);
  });
  const [report] = (await Promise.race([once(child, "message"), failed])) as [AgentReport];
  failed.catch(() => undefined);
  if (task.isToBeKilled) child.kill("SIGKILL");
  const [, signal] = await exited;
  if (task.isToBeKilled && signal !== "SIGKILL") throw new Error("the agent was not killed");
  return report;
}

/** Lets an agent hold half of the conversations and kills it with -9; another one holds the rest. */
export async function runKilledAgent(endpoint: string, modelUrl: string): Promise<AgentReport> {
  const spoolDirectory = await mkdtemp(join(tmpdir(), "agent-monitor-demo-"));
  const middle = Math.ceil(CONVERSATIONS.length / 2);
  const common = { endpoint, modelUrl, spoolDirectory };
  const killed = await runAgent({ ...common, conversations: [0, middle], isToBeKilled: true });
  const restarted = await runAgent({
    ...common,
    conversations: [middle, CONVERSATIONS.length],
    isToBeKilled: false,
  });
  await rm(spoolDirectory, { recursive: true });
  return {
    tracked: killed.tracked + restarted.tracked,
    dropped: killed.dropped + restarted.dropped,
    recovered: restarted.recovered,
  };
}
