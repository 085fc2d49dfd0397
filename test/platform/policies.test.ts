import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { loadPacks } from "../../src/platform/policies/rule-engine.ts";
import type { BackTest } from "../../src/platform/policies/back-tests.ts";
import type { TriedResult } from "../../src/platform/policies/evaluate-text.ts";
import { toLawAddress } from "../../src/platform/ui/policies/law-address.ts";
import { toSegments } from "../../src/platform/ui/policies/marked-text.ts";
import {
  createBatch,
  createEvent,
  get,
  type JsonObject,
  postBatch,
  START,
  toAnswer,
} from "./helpers.ts";

const PACK = readFileSync(join(import.meta.dirname, "../../examples/policy/policy.yaml"), "utf8");
const PROMISE = "Sure, we will waive the fee for you. Card 4111 1111 1111 1111.";
const USERS = [
  { name: "sue", role: "supervisor", key: "key-of-sue-0123456" },
  { name: "rob", role: "reviewer", key: "key-of-rob-0123456" },
  { name: "vic", role: "viewer", key: "key-of-vic-0123456" },
] as const;

type As = Record<string, string>;
const as = (name: (typeof USERS)[number]["name"]): As => ({
  authorization: `Bearer ${USERS.find((user) => user.name === name)?.key ?? ""}`,
});

const lines: string[] = [];
let platform: Platform;
afterEach(() => platform.close());

async function start(options: Partial<PlatformOptions> = {}): Promise<void> {
  lines.length = 0;
  const write = (message: string): void => void lines.push(message);
  const logger = { debug: write, info: write, warn: write, error: write };
  platform = await startPlatform({ port: 0, logger, ...options });
}

const post = (path: string, body: JsonObject, headers: As = {}) =>
  fetch(platform.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).then(toAnswer);

async function findAudit(headers: As = {}): Promise<JsonObject[]> {
  return (await get(platform, "/api/audit", headers)).body["records"] as JsonObject[];
}

/** Starts a back-test and waits for its end. */
async function test(body: JsonObject, headers: As = {}): Promise<BackTest> {
  const started = await post("/api/policies/backtests", body, headers);
  expect(started.status).toBe(202);
  const { id } = started.body["backTest"] as BackTest;
  let found: BackTest | undefined;
  await expect
    .poll(
      async () => {
        const { body: shown } = await get(platform, `/api/policies/backtests/${id}`, headers);
        found = shown["backTest"] as BackTest;
        return found.state;
      },
      { timeout: 50_000 },
    )
    .not.toBe("running");
  if (!found) throw new Error("there is no test");
  return found;
}

function createAnswer(content: string, overrides: JsonObject = {}): JsonObject {
  return createEvent("agent_response", { content, contentLength: content.length, ...overrides });
}

const TIMEOUT = { timeout: 60_000 };

describe("the rules", TIMEOUT, () => {
  it("are those of the engine, with their law, and the versions that findings name", async () => {
    await start();
    const flag = (ruleVersion: string, packVersion: string) => ({
      rule: "privacy-iban",
      category: "privacy",
      severity: "violation",
      description: "d",
      context: { detectedPattern: ruleVersion, ruleVersion, packVersion },
    });
    const answer = (timestamp: number, ...flags: JsonObject[]) =>
      createAnswer("x", { timestamp, complianceFlags: flags });
    await postBatch(
      platform,
      createBatch([
        answer(START, flag("1.0.0", "1.0.0")),
        answer(START + 5, flag("1.1.0", "1.1.0")),
        answer(START + 9, flag("1.1.0", "1.1.0")),
      ]),
    );
    const { body } = await get(platform, "/api/policies");
    expect(body["pack"]).toMatchObject({
      id: "agent-monitor",
      sha256: expect.any(String) as string,
    });
    const rules = body["rules"] as JsonObject[];
    expect(rules.length).toBeGreaterThan(40);
    expect(rules.find(({ id }) => id === "privacy-iban")).toMatchObject({
      severity: "violation",
      threshold: 0.6,
      law: { citation: expect.stringMatching(/GLBA/) as string },
    });
    expect(body["seen"]).toEqual([
      {
        rule: "privacy-iban",
        ruleVersion: "1.0.0",
        packVersion: "1.0.0",
        count: 1,
        firstAt: START,
        lastAt: START,
      },
      {
        rule: "privacy-iban",
        ruleVersion: "1.1.0",
        packVersion: "1.1.0",
        count: 2,
        firstAt: START + 5,
        lastAt: START + 9,
      },
    ]);
    expect(body["changes"]).toEqual([
      { kind: "pack", at: START + 5, packVersion: "1.1.0" },
      {
        kind: "rule",
        at: START + 5,
        rule: "privacy-iban",
        ruleVersion: "1.1.0",
        packVersion: "1.1.0",
      },
      { kind: "pack", at: START, packVersion: "1.0.0" },
    ]);
    const { rule } = (await get(platform, "/api/policies/rules/consumer-protection-fees")).body as {
      rule: { patterns: { lines: string[] }[]; cases: { violating: string[] } };
    };
    expect(rule.patterns.some(({ lines: phrases }) => phrases.length > 0)).toBe(true);
    expect(rule.cases.violating.length).toBeGreaterThan(0);
    expect((await get(platform, "/api/policies/rules/none")).status).toBe(404);
  });
});

describe("the playground", TIMEOUT, () => {
  it("says what the engine finds, where, and what is below the threshold; a viewer may ask", async () => {
    await start({ users: USERS });
    const content =
      "Your IBAN is DE30500105170648920731. The returns are pretty much certain to go up.";
    const answer = await post("/api/policies/evaluate", { content }, as("vic"));
    const { findings } = answer.body as unknown as TriedResult;
    expect(answer.status).toBe(200);
    const iban = findings.find(({ rule }) => rule === "privacy-iban");
    const [span] = iban?.spans ?? [];
    expect(iban).toMatchObject({ isCandidate: false, severity: "violation", threshold: 0.6 });
    expect(content.slice(span?.start, span?.end)).toBe("DE30500105170648920731");
    for (const { isCandidate, confidence, threshold } of findings)
      expect(isCandidate).toBe((confidence ?? 0) < (threshold ?? 0));
  });

  it("keeps nothing of a text, in the database or the log", async () => {
    await start();
    const before = (await get(platform, "/api/operations")).body["totals"];
    const content = "hunter2: I guarantee your approval.";
    expect((await post("/api/policies/evaluate", { content })).status).toBe(200);
    expect((await post("/api/policies/evaluate", { content, hunter2: 1 })).status).toBe(422);
    expect((await get(platform, "/api/operations")).body["totals"]).toEqual(before);
    expect(await findAudit()).toEqual([]);
    expect(lines.join("\n")).not.toMatch(/hunter2|guarantee/);
  });

  it.each([
    [{}, 422],
    [{ content: "" }, 422],
    [{ content: "x".repeat(32_769) }, 422],
    [{ content: "x", agentCategory: "robot" }, 422],
    [{ content: "x".repeat(300_000) }, 413],
  ])("refuses what is no text: %#", async (body, status) => {
    await start();
    expect((await post("/api/policies/evaluate", body)).status).toBe(status);
  });
});

describe("a back-test", TIMEOUT, () => {
  it("says what a pack would find, what people have decided, and writes itself down", async () => {
    await start();
    const flagged = {
      requiresReview: true,
      complianceFlags: [
        {
          rule: "consumer-protection-fees",
          category: "consumer_protection",
          severity: "violation",
          description: "d",
        },
      ],
    };
    const events = [
      createAnswer(PROMISE, { sessionId: "a" }),
      createAnswer("There is no maintenance fee. We deduct $7 every month.", {
        sessionId: "b",
        ...flagged,
      }),
      createAnswer("Good day.", { sessionId: "c", ...flagged }),
      createAnswer("", { sessionId: "d" }),
      createAnswer(PROMISE, { sessionId: "e", timestamp: START - 1000 }),
    ];
    await postBatch(platform, createBatch(events));
    const { items } = (await get(platform, "/api/reviews")).body as {
      items: { key: string; conversationId: string }[];
    };
    for (const { key } of items) {
      const { events: own } = (await get(platform, `/api/conversations/${key}`)).body as {
        events: { sessionId: string }[];
      };
      const disposition = own[0]?.sessionId === "b" ? "violation" : "false_positive";
      const { findings } = (await get(platform, `/api/reviews/${key}`)).body as {
        findings: { id: string }[];
      };
      const findingIds = findings.map(({ id }) => id);
      const reasonCode = disposition === "violation" ? "confirmed" : "other";
      const decision = { action: "decide", findingIds, disposition, reasonCode };
      expect((await post(`/api/reviews/${key}/actions`, decision)).status).toBe(200);
    }
    const { state, result, progress, pack } = await test({ pack: PACK, from: START, limit: 100 });
    expect(state).toBe("done");
    expect(progress).toEqual({ total: 4, done: 4 });
    expect(result).toMatchObject({ answers: 3, skipped: 1 });
    const outcomes = new Map(result?.rules.map((one) => [one.rule, one]));
    expect(outcomes.get("bank-fee-waiver")).toMatchObject({
      change: "added",
      hits: 1,
      hitsBefore: null,
    });
    expect(outcomes.get("consumer-protection-escalation")).toMatchObject({
      change: "switched_off",
    });
    expect(outcomes.get("consumer-protection-fees")).toMatchObject({
      change: "changed",
      falsePositivesRepeated: 0,
    });
    expect(result?.hits.find(({ rule }) => rule === "bank-fee-waiver")?.quote).not.toContain(
      "4111 1111",
    );
    const readRecords = async () =>
      (await findAudit()).filter(({ action }) => String(action).startsWith("policy"));
    // The last one is written when the result is there.
    await expect
      .poll(async () => (await readRecords()).map(({ action }) => action), { timeout: 30_000 })
      .toEqual(["policy.backtested", "policy.backtest"]);
    const records = await readRecords();
    expect(JSON.parse(String(records[0]?.["detail"]))).toMatchObject({
      sha256: pack.sha256,
      from: START,
      answers: 3,
    });
    expect(JSON.stringify(records)).not.toContain("waive the");
    expect((await get(platform, "/api/policies")).body["changes"]).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ kind: "record" })]) as object,
    );
  });

  it("takes a supervisor, and writes down who may not", async () => {
    await start({ users: USERS });
    const refused = await post("/api/policies/backtests", { pack: PACK }, as("rob"));
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await findAudit(as("sue"))).toMatchObject([{ action: "policy.refused", actor: "rob" }]);
    expect((await test({ pack: PACK }, as("sue"))).result).toMatchObject({
      answers: 0,
      alarms: 0,
      alarmsPer1000: 0,
    });
  });

  it("names each problem of a pack with its line", async () => {
    await start();
    const pack = PACK.replace("overrides:", "overrydes:");
    const answer = await post("/api/policies/backtests", { pack });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_action" } });
    const line = pack.split("\n").findIndex((text) => text.startsWith("overrydes:")) + 1;
    expect(answer.body["errors"]).toMatchObject([
      { pointer: "/pack", detail: `line ${line}, column 1: overrydes: is no known member` },
    ]);
    expect((await post("/api/policies/backtests", { pack: "{" })).status).toBe(422);
    expect((await post("/api/policies/backtests", { pack: PACK, from: 5, to: 5 })).status).toBe(
      422,
    );
    expect((await post("/api/policies/backtests", { pack: PACK, limit: 5001 })).status).toBe(422);
    expect(await findAudit()).toEqual([]);
  });

  it("runs alone, is cancelled, and ends with the platform", async () => {
    await start();
    const answers = Array.from({ length: 2000 }, () => createAnswer(PROMISE.repeat(4)));
    for (let at = 0; at < answers.length; at += 500)
      await postBatch(platform, createBatch(answers.slice(at, at + 500)));
    const request = { pack: PACK, limit: 5000 };
    const first = await post("/api/policies/backtests", request);
    expect(await post("/api/policies/backtests", request)).toMatchObject({ status: 409 });
    // What is delivered meanwhile is taken.
    expect((await postBatch(platform, createBatch())).status).toBe(202);
    const { id } = first.body["backTest"] as BackTest;
    const path = `/api/policies/backtests/${id}`;
    const cancel = () => fetch(platform.url + path, { method: "DELETE" }).then(toAnswer);
    expect((await cancel()).body).toEqual({ cancelled: true });
    await expect
      .poll(async () => ((await get(platform, path)).body["backTest"] as BackTest).state, {
        timeout: 20_000,
      })
      .toBe("cancelled");
    expect((await cancel()).body).toEqual({ cancelled: false });
    expect((await get(platform, "/api/policies/backtests/none")).status).toBe(404);
    expect((await post("/api/policies/backtests", request)).status).toBe(202);
  });

  it("reads packs as the package does", async () => {
    await start();
    const { readRulePack } = await loadPacks();
    expect((await test({ pack: PACK })).pack.sha256).toBe(
      readRulePack({ path: "p", text: PACK }).sha256,
    );
  });
});

describe("the page's functions", () => {
  it("cut a text where findings begin and end", async () => {
    await start();
    const passages = [
      { start: 2, end: 6, index: 0 },
      { start: 4, end: 99, index: 1 },
      { start: 7, end: 7, index: 2 },
    ];
    expect(toSegments("0123456789", passages)).toEqual([
      { text: "01", found: [] },
      { text: "23", found: [0] },
      { text: "45", found: [0, 1] },
      { text: "6789", found: [1] },
    ]);
    expect(toSegments("", passages)).toEqual([]);
  });

  it.each([
    ["12 CFR § 1002.4(a)", "https://www.ecfr.gov/current/title-12/section-1002.4"],
    [
      "15 U.S.C. § 6801(b) (GLBA); 12 CFR part 30, appendix B",
      "https://www.law.cornell.edu/uscode/text/15/6801",
    ],
    ["12 CFR part 30, appendix B", "https://www.ecfr.gov/current/title-12/part-30"],
    [
      "FINRA Rule 2111; Regulation Best Interest, 17 CFR § 240.15l-1",
      "https://www.ecfr.gov/current/title-17/section-240.15l-1",
    ],
    ["Fee policy FP-12, section 3", undefined],
  ])("find where a law is read: %s", async (citation, address) => {
    await start();
    expect(toLawAddress(citation)).toBe(address);
  });
});
