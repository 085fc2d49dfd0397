import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { AgentMonitor } from "../../src/monitor.ts";
import { startFixture, type ChildResult } from "../helpers/child.ts";
import { startSink, type Sink } from "../helpers/sink.ts";

const RULE = "consumer-protection-guaranteed-returns";
const FLAGGED: unknown = expect.arrayContaining([expect.objectContaining({ rule: RULE })]);

const sinks: Sink[] = [];

async function start(): Promise<Sink> {
  const sink = await startSink();
  sinks.push(sink);
  return sink;
}

afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.close();
});

const makeSpool = (): string => mkdtempSync(join(tmpdir(), "agent-monitor-early-"));

/** Lives through the beginning of a process. */
function live(
  end: string,
  endpoint: string,
  env: Record<string, string> = {},
): Promise<ChildResult> {
  const settings = { AGENT_MONITOR_ENDPOINT: endpoint, EARLY_END: end, ...env };
  return startFixture("early/life.ts", settings).result;
}

/** What a process that comes later delivers of a spool. */
async function recover(spoolDirectory: string): Promise<any[]> {
  const sink = await start();
  const monitor = new AgentMonitor({
    apiKey: "key",
    organizationId: "bank",
    endpoint: sink.url,
    spoolDirectory,
    enableLogging: false,
  });
  await monitor.flush();
  expect(monitor.stats()).toMatchObject({ pending: 0, dropped: {} });
  await monitor.shutdown();
  return sink.events;
}

describe("an answer that a process tracked before its rules were ready", () => {
  it.each(["kill", "kill_midway"])(
    "is on disk when the process is killed (%s), and delivered as one that no rule has seen",
    async (end) => {
      const spoolDirectory = makeSpool();
      const sink = await start();
      const { signal } = await live(end, sink.url, {
        AGENT_MONITOR_SPOOL_DIRECTORY: spoolDirectory,
      });
      expect(signal).toBe("SIGKILL");
      expect(sink.events.map(({ interactionType }) => interactionType)).not.toContain(
        "agent_response",
      );
      const answers = (await recover(spoolDirectory)).filter(
        ({ interactionType }) => interactionType === "agent_response",
      );
      expect(answers).toMatchObject([{ requiresReview: true, metadata: { evaluated: false } }]);
      expect(answers[0]).not.toHaveProperty("riskScore");
      expect(answers[0]).not.toHaveProperty("complianceFlags");
    },
  );

  it.each([
    ["natural", "memory"],
    ["shutdown", "memory"],
    ["natural", "spool"],
    ["shutdown", "spool"],
  ])("is checked when the process ends by itself (%s, %s)", async (end, mode) => {
    const sink = await start();
    const env = mode === "spool" ? { AGENT_MONITOR_SPOOL_DIRECTORY: makeSpool() } : {};
    const { code, stderr } = await live(end, sink.url, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(sink.events).toMatchObject([
      { interactionType: "user_message", sequence: 1 },
      {
        interactionType: "agent_response",
        sequence: 2,
        complianceFlags: FLAGGED,
        requiresReview: true,
      },
    ]);
  });

  it("leaves as one that no rule has seen when the deadline forces it out", async () => {
    const sink = await start();
    await live("shutdown", sink.url, { SHUTDOWN_TIMEOUT: "100" });
    // Whether it still got through is a matter of time; that it looks clean is not.
    const [answer] = sink.events.filter(
      ({ interactionType }) => interactionType === "agent_response",
    );
    if (answer) expect(answer).toMatchObject({ requiresReview: true });
  });

  it("holds nobody: the application has its turn between many slices, and the answer is kept before", async () => {
    const sink = await start();
    const { stdout } = await live("turns", sink.url);
    const { tracked, pending, turns } = JSON.parse(stdout) as Record<string, number>;
    expect({ tracked, pending }).toEqual({ tracked: 2, pending: 2 });
    expect(turns).toBeGreaterThan(10);
  });
});
