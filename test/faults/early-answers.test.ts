import { lstatSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import { AgentMonitor } from "../../src/monitor/monitor.ts";
import { startNode, type ChildResult } from "../helpers/child.ts";
import { startSink, type Sink } from "../helpers/sink.ts";
import { toProgramPath } from "./support/child.ts";

const RULE = "consumer-protection-guaranteed-returns";
const FLAGGED: unknown = expect.arrayContaining([expect.objectContaining({ rule: RULE })]);
const CHECKED = { sequence: 2, complianceFlags: FLAGGED, requiresReview: true };

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
  return startNode([toProgramPath("early")], settings).result;
}

/** Leaves a spool by being killed. */
async function die(
  end: string,
  spoolDirectory: string,
  env: Record<string, string> = {},
): Promise<void> {
  const sink = await start();
  const settings = { AGENT_MONITOR_SPOOL_DIRECTORY: spoolDirectory, ...env };
  const { signal } = await live(end, sink.url, settings);
  expect(signal).toBe("SIGKILL");
  const kinds = sink.events.map(({ interactionType }) => interactionType as string);
  expect(kinds).not.toContain("agent_response");
}

/** What a process that comes later delivers of a spool. */
async function recover(
  spoolDirectory: string,
  config: Partial<AgentMonitoringConfig> = {},
): Promise<any[]> {
  const sink = await start();
  const monitor = new AgentMonitor({
    ...config,
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
    "is on disk when the process is killed (%s), and checked by the next one before it is sent",
    async (end) => {
      const spoolDirectory = makeSpool();
      await die(end, spoolDirectory);
      const events = await recover(spoolDirectory);
      // What stands before it may have been sent.
      const answer = events.at(-1);
      expect(answer).toMatchObject(CHECKED);
      expect(answer.metadata).toBeUndefined();
    },
  );

  it("is checked once, whenever those who recover it are killed as well", async () => {
    const spoolDirectory = makeSpool();
    await die("kill", spoolDirectory);
    const sink = await start();
    // From before anything is read to behind what is written.
    for (const delay of [0, 100, 250, 400, 600, 900]) {
      await live("recover", sink.url, {
        AGENT_MONITOR_SPOOL_DIRECTORY: spoolDirectory,
        KILL_AFTER: String(delay),
      });
    }
    const events = [...sink.events, ...(await recover(spoolDirectory))];
    const ids = new Set(events.map(({ eventId }) => eventId as string));
    expect(ids.size).toBe(2);
    const answers = events.filter(({ interactionType }) => interactionType === "agent_response");
    // Who is killed behind the sending and before the answer sends the same once more.
    for (const answer of answers) expect(answer).toMatchObject(CHECKED);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it("is checked by a process that lives for a shutdown only", async () => {
    const spoolDirectory = makeSpool();
    await die("kill", spoolDirectory);
    const sink = await start();
    await live("recover_shutdown", sink.url, { AGENT_MONITOR_SPOOL_DIRECTORY: spoolDirectory });
    expect(sink.events[1]).toMatchObject(CHECKED);
  });

  it("is checked by a process that ends by itself", async () => {
    const spoolDirectory = makeSpool();
    await die("kill", spoolDirectory);
    const sink = await start();
    await live("recover_natural", sink.url, { AGENT_MONITOR_SPOOL_DIRECTORY: spoolDirectory });
    expect(sink.events[1]).toMatchObject(CHECKED);
  });

  it("is kept without what is redacted, and checked without it, still for people to judge", async () => {
    const spoolDirectory = makeSpool();
    const number = "4111 1111 1111 1111";
    await die("kill", spoolDirectory, { REDACT: "1", NUMBER: number });
    const names = readdirSync(spoolDirectory, { recursive: true, encoding: "utf8" });
    const files = names.map((name) => join(spoolDirectory, name));
    const texts = files
      .filter((file) => lstatSync(file).isFile())
      .map((file) => readFileSync(file));
    const all = Buffer.concat(texts).toString("latin1");
    expect(all).toContain("guarantees a 5 % return");
    expect(all).not.toContain(number);
    const [, answer] = await recover(spoolDirectory);
    expect(answer).toMatchObject({ ...CHECKED, metadata: { evaluated: false } });
    expect(answer.content).not.toContain(number);
  });

  it("is delivered as one that no rule has seen where the next process has no rules", async () => {
    const spoolDirectory = makeSpool();
    await die("kill", spoolDirectory);
    const [, answer] = await recover(spoolDirectory, { enableComplianceChecks: false });
    expect(answer).toMatchObject({ requiresReview: true, metadata: { evaluated: false } });
    expect(answer).not.toHaveProperty("riskScore");
    expect(answer).not.toHaveProperty("complianceFlags");
  });

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

  it("holds nobody: the application has its turn before it is checked, and the answer is kept before", async () => {
    const sink = await start();
    const { stdout } = await live("turns", sink.url);
    const { tracked, pending, turns } = JSON.parse(stdout) as Record<string, number>;
    expect({ tracked, pending }).toEqual({ tracked: 2, pending: 2 });
    expect(turns).toBeGreaterThan(0);
  });
});
