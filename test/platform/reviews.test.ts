import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { runCommand } from "../helpers/command.ts";
import { systemClock } from "../../src/util/clock.ts";
import {
  createBatch,
  createEvent,
  type JsonObject,
  postBatch,
  START,
  toAnswer,
} from "./helpers.ts";
import { openStored } from "./stored-database.ts";

const RULE = "consumer-protection-guaranteed-returns";
const USERS = [
  { name: "vera", role: "viewer", key: "viewer-key-0123456789" },
  { name: "anna", role: "reviewer", key: "reviewer-key-anna-01" },
  { name: "ben", role: "reviewer", key: "reviewer-key-ben-012" },
  { name: "cara", role: "supervisor", key: "supervisor-key-cara" },
] as const;
type UserName = (typeof USERS)[number]["name"];
const KEYS = Object.fromEntries(USERS.map(({ name, key }) => [name, key])) as Record<
  UserName,
  string
>;

const CLOSE = { action: "close", disposition: "false_positive", reasonCode: "definition" };

let platform: Platform;
let now: number;
const opened: Platform[] = [];
let directory: string;

async function open(options: PlatformOptions = {}): Promise<Platform> {
  const clock = { ...systemClock, now: () => now };
  const started = await startPlatform({ port: 0, users: USERS, clock, ...options });
  opened.push(started);
  return started;
}

beforeEach(async () => {
  now = START;
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  platform = await open();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  rmSync(directory, { recursive: true, force: true });
});

/** An answer with findings. */
function createAnswer(
  sessionId: string,
  quotes: readonly string[],
  more: JsonObject = {},
): JsonObject {
  const content = `Yes: ${quotes.join(", ")}.`;
  return createEvent("agent_response", {
    sessionId,
    content,
    contentLength: content.length,
    riskScore: 70,
    requiresReview: true,
    complianceFlags: quotes.map((quote, index) => ({
      rule: RULE,
      category: "consumer_protection",
      severity: "violation",
      description: "A return is promised.",
      confidence: 0.97,
      context: { detectedContent: quote, detectedPattern: "promised", spans: [[index, index + 1]] },
    })),
    ...more,
  });
}

async function deliver(...events: readonly JsonObject[]): Promise<void> {
  const { status } = await postBatch(platform, createBatch(events));
  expect(status).toBe(202);
}

async function ask(
  user: UserName | undefined,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${platform.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(user !== undefined && { authorization: `Bearer ${KEYS[user]}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return toAnswer(response);
}

async function list(query = ""): Promise<JsonObject[]> {
  const { status, body } = await ask("vera", `/api/reviews${query}`);
  expect(status).toBe(200);
  return body["items"] as JsonObject[];
}

async function findKey(conversationId = "session-1"): Promise<string> {
  const items = await list();
  return String(items.find((item) => item["conversationId"] === conversationId)?.["key"]);
}

const actOn = (user: UserName, key: string, action: object, headers?: Record<string, string>) =>
  ask(user, `/api/reviews/${key}/actions`, action, headers);

const listTrail = async (): Promise<JsonObject[]> =>
  (await ask("vera", "/api/audit")).body["records"] as JsonObject[];

describe("the queue", () => {
  it("has a conversation once, with all its findings and the one that counts most", async () => {
    await deliver(
      createEvent("user_message", { content: "Is it safe?", contentLength: 11 }),
      createAnswer("session-1", [
        "guaranteed 5 % return",
        "guaranteed 5 % return!",
        "no risk at all",
      ]),
    );
    await deliver(createAnswer("session-1", ["again no risk"], { eventId: "second" }));
    await deliver(createEvent("agent_response", { sessionId: "clean" }));
    expect(await list()).toMatchObject([
      {
        state: "open",
        conversationId: "session-1",
        title: "Is it safe?",
        origin: "rule",
        severity: "violation",
        riskScore: 70,
        findingCount: 4,
        offenceCount: 3,
        isOverdue: false,
        dueAt: START + 24 * 3_600_000,
        finding: { rule: RULE, quote: "guaranteed 5 % return", severity: "violation" },
      },
    ]);
  });

  it("ranks by what the judge says, then by risk, then by age", async () => {
    const opinion = (sessionId: string, about: JsonObject, tier: string): JsonObject =>
      createEvent("compliance_violation", {
        sessionId,
        violationType: "consumer_protection",
        ruleId: RULE,
        metadata: {
          eventId: about["eventId"],
          tier,
          evaluator: { id: "judge" },
          finding: (about["complianceFlags"] as JsonObject[])[0],
          opinion: { confidence: 0.9 },
        },
      });
    const answers = ["a", "b", "c", "d"].map((id) => createAnswer(id, ["guaranteed"]));
    const [first = {}, second = {}, third = {}, fourth = {}] = answers;
    await deliver({ ...first, riskScore: 99 });
    now += 1000;
    await deliver(second, third, { ...fourth, riskScore: 90 });
    await deliver(opinion("c", third, "confirmed"), opinion("a", first, "contradicted"));
    const order = async (query: string) =>
      (await list(query)).map(({ conversationId }) => conversationId);
    expect(await order("")).toEqual(["c", "d", "b", "a"]);
    expect(await order("?order=risk")).toEqual(["a", "d", expect.any(String), expect.any(String)]);
    expect((await order("?order=age"))[0]).toBe("a");
    expect(await order("?tier=confirmed")).toEqual(["c"]);
    expect(await order("?risk=90")).toEqual(["d", "a"]);
  });

  it("is read in pages, each item once", async () => {
    await deliver(...Array.from({ length: 7 }, (_, index) => createAnswer(`s-${index}`, ["sure"])));
    const seen: unknown[] = [];
    for (const order of ["rank", "risk", "age", "due"]) {
      let next: unknown = "";
      while (next !== null) {
        const after = next === "" ? "" : `&after=${next as string}`;
        const { body } = await ask("vera", `/api/reviews?limit=3&order=${order}${after}`);
        seen.push(...(body["items"] as JsonObject[]).map(({ key }) => `${order} ${String(key)}`));
        next = body["next"];
      }
    }
    expect(seen).toHaveLength(28);
    expect(new Set(seen).size).toBe(28);
  });

  it("is filtered by what a finding says, and by who works on it", async () => {
    await deliver(
      createAnswer("s-1", ["sure"]),
      createAnswer("s-2", ["sure"], { agentVersion: "2.4.0" }),
    );
    expect(await list("?version=2.4.0&rule=" + RULE)).toMatchObject([{ conversationId: "s-2" }]);
    expect(await list("?category=privacy")).toEqual([]);
    expect(await list("?agent=agent-1&environment=development")).toHaveLength(2);
    await actOn("anna", await findKey("s-1"), { action: "claim" });
    expect(await list("?state=claimed")).toMatchObject([
      { conversationId: "s-1", assignee: "anna" },
    ]);
    expect(await list("?assignee=anna")).toHaveLength(1);
    expect(await list("?state=open")).toMatchObject([{ conversationId: "s-2" }]);
    now += 31 * 60_000;
    expect(await list("?state=open")).toHaveLength(2);
    expect(await list("?assignee=anna")).toEqual([]);
    now += 24 * 3_600_000;
    expect(await list("?overdue=true")).toHaveLength(2);
  });

  it("gets a closed conversation back when something new is found in it, and writes it down", async () => {
    await deliver(createAnswer("session-1", ["sure"]));
    const key = await findKey();
    await actOn("anna", key, CLOSE);
    expect(await list("?state=closed")).toMatchObject([
      { outcome: { disposition: "false_positive" } },
    ]);
    await deliver(createAnswer("session-1", ["certain"], { eventId: "later" }));
    expect(await list()).toMatchObject([{ state: "reopened", outcome: null, findingCount: 2 }]);
    expect((await listTrail())[0]).toMatchObject({
      actor: "system",
      action: "review.reopen",
      subject: key,
    });
  });
});

describe("a decision", () => {
  it("is made anew where the item was reopened, but for what was decided since", async () => {
    await deliver(createAnswer("session-1", ["sure", "certain"]));
    const key = await findKey();
    await actOn("anna", key, CLOSE);
    await actOn("cara", key, { action: "reopen", comment: "The customer has complained." });
    const read = async () =>
      (await ask("vera", `/api/reviews/${key}`)).body as { findings: JsonObject[] };
    const [first, second] = (await read()).findings.map(({ id }) => id);
    const acceptable = { disposition: "acceptable", reasonCode: "approved_wording" };
    await actOn("cara", key, { action: "decide", findingIds: [first], ...acceptable });
    const violation = { disposition: "violation", reasonCode: "confirmed" };
    expect(await actOn("cara", key, { action: "close", ...violation })).toMatchObject({
      status: 200,
    });
    expect((await read()).findings).toMatchObject([
      { id: first, decision: { ...acceptable, actor: "cara" } },
      { id: second, decision: { ...violation, actor: "cara" } },
    ]);
    await deliver(createAnswer("session-1", ["for ever"], { eventId: "later" }));
    await actOn("ben", key, { action: "close", ...violation });
    expect((await read()).findings.map(({ decision }) => decision)).toMatchObject([
      { ...acceptable, actor: "cara" },
      { ...violation, actor: "cara" },
      { ...violation, actor: "ben" },
    ]);
  });

  it("is made for findings or for the item, and shown with who made it and why", async () => {
    await deliver(createAnswer("session-1", ["sure", "certain"]));
    const key = await findKey();
    const { body } = await ask("vera", `/api/reviews/${key}`);
    const [first, second] = (body["findings"] as JsonObject[]).map(({ id }) => id);
    const decide = {
      action: "decide",
      findingIds: [first],
      disposition: "violation",
      reasonCode: "confirmed",
    };
    expect(await actOn("anna", key, { ...decide, comment: "promised twice" })).toMatchObject({
      status: 200,
    });
    await actOn("anna", key, CLOSE);
    const after = await ask("vera", `/api/reviews/${key}`);
    expect(after.body).toMatchObject({
      item: {
        state: "closed",
        outcome: { disposition: "false_positive", reasonCode: "definition" },
      },
      findings: [
        {
          id: first,
          decision: { disposition: "violation", comment: "promised twice", actor: "anna" },
        },
        { id: second, decision: { disposition: "false_positive", actor: "anna" } },
      ],
      history: [
        { action: "review.close" },
        { action: "review.decide", actor: "anna", role: "reviewer" },
      ],
    });
  });

  it("about what is no finding of the conversation is refused", async () => {
    await deliver(createAnswer("session-1", ["sure"]));
    const key = await findKey();
    const action = {
      action: "decide",
      findingIds: ["other"],
      disposition: "violation",
      reasonCode: "confirmed",
    };
    expect(await actOn("anna", key, action)).toMatchObject({
      status: 422,
      body: { code: "invalid_action" },
    });
    expect(await listTrail()).toEqual([]);
  });

  it("that a role may not make gets 403, and a line in the trail", async () => {
    await deliver(createAnswer("session-1", ["sure"]));
    const key = await findKey();
    expect(await actOn("vera", key, CLOSE)).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    expect(await listTrail()).toMatchObject([
      { actor: "vera", role: "viewer", action: "review.refused", detail: '{"action":"close"}' },
    ]);
    expect(await list()).toMatchObject([{ state: "open" }]);
  });

  it("of two reviewers at once is made by one, and the other is told", async () => {
    await deliver(createAnswer("session-1", ["sure"]));
    const key = await findKey();
    const before = await ask("vera", `/api/reviews/${key}`);
    const tag = before.headers.get("etag") ?? "";
    const findings = await ask("anna", `/api/conversations/${key}/findings`);
    expect(findings.headers.get("etag")).toBe(tag);
    const answers = await Promise.all(
      (["anna", "ben"] as const).map((user) => actOn(user, key, CLOSE, { "if-match": tag })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    expect(await listTrail()).toHaveLength(1);
  });

  it("that is sent again under its key is made once", async () => {
    await deliver(createAnswer("session-1", ["sure"]));
    const key = await findKey();
    const headers = { "idempotency-key": '"abc"' };
    const action = { action: "comment", comment: "seen" };
    for (let sent = 0; sent < 3; sent++)
      expect(await actOn("anna", key, action, headers)).toMatchObject({ status: 200 });
    expect(await listTrail()).toHaveLength(1);
    await actOn("ben", key, action, headers);
    expect(await listTrail()).toHaveLength(2);
  });

  it("is made for many items at once, each by itself", async () => {
    await deliver(...["a", "b", "c"].map((id) => createAnswer(id, ["sure"])));
    const keys = (await list()).map(({ key }) => String(key));
    await actOn("ben", keys[0] ?? "", { action: "claim" });
    const { body } = await ask("anna", "/api/reviews/actions", {
      keys: [...keys, "none"],
      action: CLOSE,
    });
    expect(body["results"]).toMatchObject([
      { key: keys[0], status: "refused", code: "review_conflict" },
      { key: keys[1], status: "done" },
      { key: keys[2], status: "done" },
      { key: "none", status: "missing" },
    ]);
    expect(await list("?state=closed")).toHaveLength(2);
  });

  it.each([
    ["no JSON", "{", 400],
    ["an unknown action", { action: "delete" }, 422],
    ["an unknown member", { action: "claim", force: true }, 422],
    ["an unknown reason", { ...CLOSE, reasonCode: "because" }, 422],
    ["a comment with NUL", { action: "comment", comment: "a\0b" }, 422],
    ["a comment of 5,000 characters", { action: "comment", comment: "x".repeat(5000) }, 422],
  ])("of %s is refused", async (_, action, status) => {
    await deliver(createAnswer("session-1", ["sure"]));
    const key = await findKey();
    const response = await fetch(`${platform.url}/api/reviews/${key}/actions`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEYS.anna}`, "content-type": "application/json" },
      body: typeof action === "string" ? action : JSON.stringify(action),
    });
    expect(response.status).toBe(status);
    expect(await listTrail()).toEqual([]);
  });
});

describe("users", () => {
  it("are known by their keys, and nobody else reads", async () => {
    expect(await ask("anna", "/api/me")).toMatchObject({
      body: { name: "anna", role: "reviewer" },
    });
    expect(await ask(undefined, "/api/me")).toMatchObject({ status: 401 });
    const wrong = await ask(undefined, "/api/me", undefined, { authorization: "Bearer wrong-key" });
    expect(wrong.status).toBe(401);
  });

  it("are one that may do everything where none are configured", async () => {
    platform = await open({ users: [] });
    const { body } = await ask(undefined, "/api/me");
    expect(body).toMatchObject({ name: "local", role: "admin" });
  });

  it.each([
    [
      "a short key",
      [{ name: "a", role: "admin", key: "short" }],
      /users: 0.key: expected at least 16/,
    ],
    ["an unknown role", [{ name: "a", role: "root", key: "0123456789abcdef" }], /users: 0.role/],
    [
      "one name twice",
      [
        { name: "a", role: "admin", key: "0123456789abcdef" },
        { name: "a", role: "admin", key: "0123456789abcdeg" },
      ],
      /same name/,
    ],
  ])("with %s are refused without showing a key", async (_, users, message) => {
    const failure = await startPlatform({ port: 0, users: users as never }).catch(String);
    expect(failure).toMatch(message);
    expect(failure).not.toContain("0123456789");
  });
});

describe("the audit trail", () => {
  async function exportTrail(): Promise<string> {
    const headers = { authorization: `Bearer ${KEYS.vera}` };
    return (await fetch(`${platform.url}/api/audit/export`, { headers })).text();
  }

  it("is verified by the command, from the platform and from its export", async () => {
    await deliver(createAnswer("session-1", ["sure"]));
    const key = await findKey();
    for (const comment of ["one", "two", "three"])
      await actOn("anna", key, { action: "comment", comment });
    const text = await exportTrail();
    const file = join(directory, "trail.jsonl");
    writeFileSync(file, text);
    const fromFile = await runCommand(["verify", file]);
    expect(fromFile.out).toMatch(
      /audit trail: verified; 3 records; last record 3 sha256:[0-9a-f]{64}/,
    );
    const fromPlatform = await runCommand(["verify", platform.url, "--api-key", KEYS.cara]);
    expect(fromPlatform.out).toContain("audit trail: verified; 3 records");

    const lines = text.trim().split("\n");
    const damages: [string, string[]][] = [
      ["hash changed", lines.map((line) => line.replace('\\"two\\"', '\\"TWO\\"'))],
      ["missing", lines.filter((_line, index) => index !== 1)],
      ["missing", [lines[1] ?? "", lines[0] ?? "", lines[2] ?? ""]],
    ];
    for (const [kind, changed] of damages) {
      writeFileSync(file, changed.join("\n"));
      const { code, out } = await runCommand(["verify", file]);
      expect(out).toContain(`BROKEN at record`);
      expect(out).toContain(kind);
      expect(code).toBe(1);
    }
  });

  it("with a key proves nothing to who has another one, or none where one is expected", async () => {
    const secret = "0123456789abcdef0123456789abcdef";
    platform = await open({ auditKey: secret });
    await deliver(createAnswer("session-1", ["sure"]));
    await actOn("anna", await findKey(), { action: "claim" });
    const text = await exportTrail();
    expect(text).toContain('"hash":"hmac-sha256:');
    const file = join(directory, "trail.jsonl");
    writeFileSync(file, text);
    const verify = async (key: string | undefined): Promise<number | null> => {
      const keyFile = join(directory, "key");
      if (key !== undefined) writeFileSync(keyFile, key);
      const more = key === undefined ? [] : ["--audit-key", keyFile];
      return (await runCommand(["verify", file, ...more])).code;
    };
    expect(await verify(secret)).not.toBe(1);
    expect(await verify(secret.toUpperCase())).toBe(1);
    expect(await verify(undefined)).toBe(1);
  });

  it("can't be changed or shortened in the database", async () => {
    const database = join(directory, "platform.db");
    platform = await open({ database });
    await deliver(createAnswer("session-1", ["sure"]));
    await actOn("anna", await findKey(), CLOSE);
    await platform.close();
    opened.pop();
    const file = await openStored(database);
    for (const table of ["audit", "disposition"]) {
      await expect(file.run(`DELETE FROM ${table}`)).rejects.toThrow(/append-only/);
      await expect(file.run(`UPDATE ${table} SET actor = 'x'`)).rejects.toThrow(/append-only/);
    }
    await file.close();
    platform = await open({ database });
    expect(await list()).toEqual([]);
    expect(await list("?state=any")).toMatchObject([{ state: "closed" }]);
    expect(await listTrail()).toMatchObject([{ action: "review.close", actor: "anna" }]);
  });
});
