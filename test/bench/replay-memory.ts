import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SCRIPT = new URL("backlog.js", import.meta.url);

/** Measures the memory that the delivery of 1 GB of events takes. */
export async function benchReplayMemory(): Promise<{ extraMb: number; backlogMb: number }> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-bench-"));
  await once(fork(SCRIPT, ["make", directory]), "exit");
  const child = fork(SCRIPT, ["replay", directory]);
  const [figures] = (await once(child, "message")) as [{ extraMb: number; backlogMb: number }];
  await once(child, "exit");
  return figures;
}
