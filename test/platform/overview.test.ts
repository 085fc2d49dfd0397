import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createBatch, createEvent, get, type JsonObject, postBatch, START } from "./helpers.ts";
import { openStored } from "./stored-database.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RULE = "consumer-protection-guaranteed-returns";

let platform: Platform;
let now: number;
const opened: Platform[] = [];
let directory: string;

async function open(options: PlatformOptions = {}): Promise<Platform> {
  const clock = { ...systemClock, now: () => now };
  const started = await startPlatform({ port: 0, clock, ...options });
  opened.push(started);
  return started;
}

beforeEach(async () => {
  now = START + HOUR;
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  platform = await open();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  rmSync(directory, { recursive: true, force: true });
});

const FLAG = {
  rule: RULE,
  category: "consumer_protection",
  severity: "violation",
  description: "A return is promised.",
  context: { detectedContent: "guaranteed", detectedPattern: "promised" },
};

function createAnswer(more: JsonObject = {}): JsonObject {
  return createEvent("agent_response", { environment: "production", agentVersion: "2.0", ...more });
}

async function deliver(...events: readonly JsonObject[]): Promise<void> {
  expect((await postBatch(platform, createBatch(events))).status).toBe(202);
}

async function read(path: string): Promise<JsonObject> {
  const { status, body } = await get(platform, path);
  expect(status).toBe(200);
  return body;
}

async function act(key: string, action: JsonObject): Promise<void> {
  const response = await fetch(`${platform.url}/api/reviews/${key}/actions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(action),
  });
  expect(response.status).toBe(200);
}

async function listKeys(agent: string): Promise<string[]> {
  const { items } = await read(`/api/reviews?agent=${agent}`);
  return (items as JsonObject[]).map(({ key }) => String(key));
}

describe("the overview", () => {
  it("of nothing has empty buckets, and nothing is known", async () => {
    const body = await read(`/api/overview?from=${now - DAY}&to=${now}`);
    expect(body).toMatchObject({
      period: { from: now - DAY, to: now, width: HOUR },
      total: null,
      findings: { severity: [], category: [], rule: [] },
      decisions: [],
      queue: { open: 0, overdue: 0 },
      precision: null,
      rules: [],
      versions: [],
    });
    expect(body["buckets"]).toHaveLength(24);
  });

  it("counts answers and findings by the hour, and by the day in longer periods", async () => {
    await deliver(
      createAnswer({ complianceFlags: [FLAG, { ...FLAG, severity: "warning", rule: "other" }] }),
      createAnswer({ timestamp: START + 1 }),
      createAnswer({ timestamp: START - 3 * DAY, complianceFlags: [FLAG] }),
    );
    const hours = await read(`/api/overview?from=${START - HOUR}&to=${now}`);
    expect(hours["buckets"]).toMatchObject([
      { at: START - HOUR, answers: 0, alarms: 0, alarmShare: null },
      { at: START, answers: 2, alarms: 1, alarmShare: { value: 0.5, cases: 2 } },
    ]);
    expect(hours["findings"]).toEqual({
      severity: [
        { name: "violation", total: 1, counts: [0, 1] },
        { name: "warning", total: 1, counts: [0, 1] },
      ],
      category: [{ name: "consumer_protection", total: 2, counts: [0, 2] }],
      rule: [
        { name: RULE, total: 1, counts: [0, 1], category: "consumer_protection" },
        { name: "other", total: 1, counts: [0, 1], category: "consumer_protection" },
      ],
    });
    const days = await read("/api/overview");
    expect(days["period"]).toMatchObject({ width: DAY });
    expect(days["total"]).toMatchObject({ answers: 3, alarms: 2 });
    const filled = (days["buckets"] as JsonObject[]).filter(({ answers }) => answers !== 0);
    expect(filled).toMatchObject([{ answers: 1 }, { answers: 2 }]);
  });

  it("compares versions: answers, latency, cost, errors, failed calls and conversations", async () => {
    const metadata = {
      llmLatency: 100,
      tokensUsed: { input: 10, output: 5, total: 15 },
      cost: 0.1,
    };
    await deliver(
      createAnswer({ agentVersion: "1.0", sessionId: "a", metadata }),
      createAnswer({ agentVersion: "1.0", sessionId: "b", metadata, environment: "staging" }),
      createAnswer({ sessionId: "b", timestamp: START + HOUR, complianceFlags: [FLAG] }),
      createEvent("error", { sessionId: "b", agentVersion: "2.0", environment: "production" }),
      createEvent("tool_call", { sessionId: "b", agentVersion: "2.0", environment: "production" }),
      createEvent("tool_result", {
        sessionId: "b",
        agentVersion: "2.0",
        environment: "production",
        success: false,
      }),
    );
    now = START + 2 * HOUR;
    const { versions } = await read("/api/agents/agent-1/versions");
    expect(versions).toMatchObject([
      {
        agentId: "agent-1",
        version: "1.0",
        environments: ["production", "staging"],
        answers: 2,
        conversations: 2,
        inputTokens: 20,
        outputTokens: 10,
        cost: 0.2,
        alarmShare: { value: 0, cases: 2 },
        errors: 0,
        failedCallShare: null,
      },
      {
        version: "2.0",
        environments: ["production"],
        answers: 1,
        conversations: 1,
        cost: null,
        latencyP50: null,
        alarmShare: { value: 1 },
        errors: 1,
        errorShare: { value: 0.5, cases: 2 },
        toolCalls: 1,
        failedCalls: 1,
        failedCallShare: { value: 1, cases: 1 },
      },
    ]);
    const [first] = versions as JsonObject[];
    expect(first?.["latencyP50"]).toBeGreaterThan(72);
    expect(first?.["latencyP50"]).toBeLessThan(109);
    expect(
      (await read("/api/agents/agent-1/versions?environment=staging"))["versions"],
    ).toHaveLength(1);
    expect((await read("/api/versions?agent=other"))["versions"]).toEqual([]);
    expect((await read("/api/versions"))["versions"]).toHaveLength(2);
  });

  it("shows what was decided, how old the open queue is, and how right each rule was", async () => {
    const flagged = (sessionId: string, more: JsonObject = {}): JsonObject =>
      createAnswer({ sessionId, requiresReview: true, complianceFlags: [FLAG], ...more });
    await deliver(flagged("a"), flagged("b"), flagged("c"), flagged("d", { agentId: "agent-2" }));
    const keys = await listKeys("agent-1");
    now = START + 2 * DAY;
    const close = { action: "close", disposition: "violation", reasonCode: "confirmed" };
    await act(keys[0] ?? "", close);
    await act(keys[1] ?? "", {
      ...close,
      disposition: "false_positive",
      reasonCode: "definition",
    });
    // The item is decided again, and its finding with it.
    await act(keys[1] ?? "", { action: "reopen", comment: "again" });
    await act(keys[1] ?? "", close);
    const body = await read("/api/overview");
    expect(body["queue"]).toEqual({
      open: 2,
      overdue: 2,
      ages: [
        { maxDays: 1, items: 0 },
        { maxDays: 3, items: 2 },
        { maxDays: 7, items: 0 },
        { maxDays: null, items: 0 },
      ],
    });
    expect((body["decisions"] as JsonObject[]).map(({ name, total }) => [name, total])).toEqual([
      ["violation", 2],
      ["false_positive", 1],
    ]);
    expect(body["rules"]).toMatchObject([
      {
        rule: RULE,
        decided: 2,
        precision: { value: 1, cases: 2 },
        dispositions: { insufficient_evidence: 0 },
      },
    ]);
    const item = await read(`/api/reviews/${keys[1] ?? ""}`);
    const [finding] = item["findings"] as JsonObject[];
    await act(keys[1] ?? "", { action: "reopen", comment: "once more" });
    await act(keys[1] ?? "", {
      action: "decide",
      disposition: "false_positive",
      reasonCode: "definition",
      findingIds: [finding?.["id"]],
    });
    expect(await read("/api/overview")).toMatchObject({ precision: { value: 0.5, cases: 2 } });
    const narrowed = await read("/api/overview?agent=agent-2");
    expect(narrowed).toMatchObject({ queue: { open: 1 }, decisions: [], precision: null });
  });

  it.each([
    ["from=1000&to=1000", /from must be before its to/],
    ["from=0&to=99999999999999", /at most 400 days/],
    ["from=yesterday", /from must be milliseconds/],
    ["environment=moon", /environment must be/],
  ])("refuses a period that makes no sense: %s", async (query, detail) => {
    const { status, body } = await get(platform, `/api/overview?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "invalid_query" });
    expect(body["detail"]).toMatch(detail);
  });
});

describe("the counts", () => {
  interface Made {
    readonly id: number;
    readonly session: number;
    readonly kind: string;
    readonly hours: number;
    readonly version: string;
    readonly flagged: boolean;
    readonly latency: number;
    readonly cost: number;
  }
  const made = fc.record<Made>({
    id: fc.nat(30),
    session: fc.nat(4),
    kind: fc.constantFrom("agent_response", "tool_call", "tool_result", "error", "user_message"),
    hours: fc.nat(50),
    version: fc.constantFrom("1.0", "2.0", ""),
    flagged: fc.boolean(),
    latency: fc.nat(5000),
    cost: fc.nat(1000).map((millis) => millis / 1000),
  });

  function toEvent(one: Made): JsonObject {
    const { id, session, kind, hours, version, flagged, latency, cost } = one;
    const isAnswer = kind === "agent_response";
    return createEvent(kind, {
      eventId: `event-${id}`,
      sessionId: `session-${session}`,
      timestamp: START + hours * HOUR,
      environment: "production",
      ...(version !== "" && { agentVersion: version }),
      ...(isAnswer && {
        metadata: { llmLatency: latency, cost },
        content: "Good day",
        contentLength: 8,
      }),
      ...(isAnswer && flagged && { complianceFlags: [FLAG] }),
      ...(kind === "tool_result" && { success: !flagged }),
    });
  }

  /** The same event as another destination would have it. */
  function toThinner(event: JsonObject): JsonObject {
    if (event["interactionType"] !== "agent_response") return event;
    const metadata = { ...(event["metadata"] as JsonObject), captured: false };
    return { ...event, content: "", metadata, complianceFlags: undefined, agentVersion: undefined };
  }

  const COUNTED = `SELECT width, at, agent_version AS version, answers, alarms, cost_nanos AS cost, errors,
    tool_calls AS calls, tool_results AS results, failed_calls AS failed, conversations,
    latency_0 + latency_1 + latency_2 + latency_3 + latency_4 AS fast FROM activity
    WHERE answers <> 0 OR errors <> 0 OR tool_calls <> 0 OR tool_results <> 0 OR conversations <> 0
    ORDER BY width, at, agent_version`;

  /** Counts what is stored, event by event. */
  function countNaively(stored: readonly { json: string }[]): object[] {
    const events = stored.map(({ json }) => JSON.parse(json) as JsonObject);
    const rows = new Map<string, Record<string, number | string>>();
    const begun = new Map<string, { version: string; at: number }>();
    const toRows = (version: string, timestamp: number) =>
      [HOUR, DAY].map((width) => {
        const at = Math.floor(timestamp / width) * width;
        const id = `${width} ${at} ${version}`;
        const zero = { answers: 0, alarms: 0, cost: 0, errors: 0, calls: 0, results: 0, failed: 0 };
        const row = rows.get(id) ?? { width, at, version, ...zero, conversations: 0, fast: 0 };
        rows.set(id, row);
        return row as Record<string, number>;
      });
    const add = (row: Record<string, number>, name: string, amount: number): void =>
      void (row[name] = (row[name] ?? 0) + amount);
    for (const event of events) {
      const { agentVersion: version = "" } = event as { agentVersion?: string };
      const at = Number(event["timestamp"]);
      const pair = `${String(event["sessionId"])} ${version}`;
      begun.set(pair, { version, at: Math.min(at, begun.get(pair)?.at ?? Infinity) });
      const { llmLatency = 0, cost = 0 } = (event["metadata"] ?? {}) as Record<string, number>;
      const kind = String(event["interactionType"]);
      const names: Record<string, string> = {
        tool_call: "calls",
        tool_result: "results",
        error: "errors",
      };
      if (kind === "user_message") continue;
      for (const row of toRows(version, at)) {
        add(row, names[kind] ?? "answers", 1);
        if (kind === "agent_response") {
          add(row, "cost", Math.round(cost * 1e9));
          if (event["complianceFlags"] !== undefined) add(row, "alarms", 1);
          if (llmLatency <= 162) add(row, "fast", 1);
        }
        if (event["success"] === false) add(row, "failed", 1);
      }
    }
    for (const { version, at } of begun.values())
      for (const row of toRows(version, at)) add(row, "conversations", 1);
    const order = (row: Record<string, number | string>): string =>
      [String(row["width"]).padStart(9), row["at"], row["version"]].join(" ");
    return [...rows.values()].toSorted((left, right) => (order(left) < order(right) ? -1 : 1));
  }

  it("equal those of the stored events, whatever order, duplicates and copies", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(made, fc.boolean()), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        async (list, size) => {
          const database = join(directory, `${Math.random()}.db`);
          platform = await open({ database });
          const events = list.map(([one, thin]) => (thin ? toThinner(toEvent(one)) : toEvent(one)));
          for (let start = 0; start < events.length; start += size)
            await postBatch(platform, createBatch(events.slice(start, start + size)));
          await platform.close();
          opened.splice(opened.indexOf(platform), 1);
          const file = await openStored(database);
          const stored = await file.all<{ json: string }>(
            "SELECT json FROM event JOIN body ON body.seq = coalesce(body_seq, event.seq)",
          );
          const counted = await file.all<object>(COUNTED);
          const naive = countNaively(stored);
          const findings = await file.all<{ width: number; sum: number }>(
            "SELECT width, sum(findings) AS sum FROM finding_count GROUP BY width",
          );
          const [known] = await file.all<{ count: number }>(
            "SELECT count(*) AS count FROM finding",
          );
          await file.close();
          expect(counted).toEqual(naive);
          for (const { sum } of findings) expect(sum).toBe(known?.count);
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);
});
