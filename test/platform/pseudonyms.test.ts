import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { createBatch, createEvent, type JsonObject, KEY, postBatch } from "./helpers.ts";

const ROLES = ["viewer", "reviewer", "supervisor", "admin"] as const;
type Role = (typeof ROLES)[number];
const USERS = ROLES.map((role) => ({ name: `the ${role}`, role, key: `${role}-key-0123456789` }));
const PSEUDONYM_KEY = "a shared secret of pseudonyms, long enough";
/** One with digits, one that is an address, one that no word shows. */
const IDS = ["K0815-anna", "ben.meyer@bank.example", "carla"] as const;
const [ANNA, BEN] = IDS;
const RULE = "consumer-protection-guaranteed-returns";
const TRACE = "0af7651916cd43dd8448eb211c80319c";

let platform: Platform;
let directory: string;

const start = (options: PlatformOptions = {}): Promise<Platform> =>
  startPlatform({
    port: 0,
    users: USERS,
    apiKey: KEY,
    database: join(directory, "platform.db"),
    pseudonymKey: PSEUDONYM_KEY,
    ...options,
  });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "pseudonyms-"));
  platform = await start();
  await deliver();
});
afterEach(async () => {
  await platform.close();
  rmSync(directory, { recursive: true });
});

/** Delivers a conversation of a customer, who names himself, with a finding that quotes him. */
function toEvents(userId: string): JsonObject[] {
  const own = { userId, sessionId: `session of ${IDS.indexOf(userId as typeof ANNA)}` };
  const content = `I am ${userId}.`;
  const answer = `Dear ${userId}, the return is guaranteed.`;
  const flag = {
    rule: RULE,
    category: "consumer_protection",
    severity: "violation",
    description: `A return is promised to ${userId}.`,
    confidence: 0.97,
    context: { detectedContent: answer, detectedPattern: "promised" },
  };
  return [
    createEvent("user_message", { ...own, content, contentLength: content.length }),
    createEvent("tool_call", { ...own, toolParameters: { customer_id: userId, note: content } }),
    createEvent("agent_response", {
      ...own,
      content: answer,
      contentLength: answer.length,
      requiresReview: true,
      riskScore: 80,
      metadata: { customerProfile: { customerId: userId }, json: JSON.stringify({ userId }) },
      complianceFlags: [flag],
    }),
  ];
}

async function deliver(): Promise<void> {
  for (const id of IDS) await postBatch(platform, createBatch(toEvents(id)));
  const attributes = [{ key: "user.id", value: { stringValue: ANNA } }];
  const span = {
    traceId: TRACE,
    spanId: "b7ad6b7169203331",
    name: "turn",
    kind: 1,
    startTimeUnixNano: "1",
    endTimeUnixNano: "2",
    attributes,
  };
  await ask("admin", "POST", "/v1/traces", {
    resourceSpans: [{ scopeSpans: [{ spans: [span] }] }],
  });
}

async function ask(role: Role, method: string, path: string, body?: unknown) {
  const isDelivery = path.startsWith("/v1/");
  const response = await fetch(platform.url + path, {
    method,
    headers: {
      authorization: `Bearer ${isDelivery ? KEY : `${role}-key-0123456789`}`,
      "x-organization-id": "first-bank",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
  const isJson = /[/+]json$/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, text, body: isJson ? (JSON.parse(text) as JsonObject) : {} };
}

const read = async (path: string, role: Role = "viewer") => (await ask(role, "GET", path)).body;

async function list(query = ""): Promise<JsonObject[]> {
  return (await read(`/api/conversations${query}`))["conversations"] as JsonObject[];
}

/** Returns the key of the conversation of a customer, by the number in its session. */
async function keyOf(id: string): Promise<string> {
  const wanted = `session of ${IDS.indexOf(id as typeof ANNA)}`;
  return String((await list()).find((row) => row["conversationId"] === wanted)?.["key"]);
}

async function eventsOf(id: string, query = "", role: Role = "viewer"): Promise<JsonObject[]> {
  const path = `/api/conversations/${await keyOf(id)}${query}`;
  return (await read(path, role))["events"] as JsonObject[];
}

async function pseudonymOf(id: string): Promise<string> {
  return String((await eventsOf(id))[0]?.["userId"]);
}

describe("customers under pseudonyms", () => {
  it("appear so in every answer below /api/, whoever reads it", async () => {
    const key = await keyOf(ANNA);
    await ask("supervisor", "POST", "/api/holds", {
      matter: "Smith",
      reason: `letter of ${ANNA}`,
      selector: { customer: ANNA },
    });
    const close = { action: "close", disposition: "false_positive", reasonCode: "definition" };
    await ask("reviewer", "POST", `/api/reviews/${key}/actions`, {
      ...close,
      comment: `${ANNA} has said so`,
    });
    const paths = [
      "/api/conversations",
      "/api/conversations?q=dear",
      "/api/conversations/counts",
      `/api/conversations/${key}`,
      `/api/conversations/${key}/findings`,
      "/api/events",
      "/api/batches",
      "/api/agents",
      "/api/traces",
      `/api/traces/${TRACE}`,
      "/api/logs",
      "/api/reviews?state=any",
      `/api/reviews/${key}`,
      "/api/audit",
      "/api/cases?from=2026-11-01&to=2026-12-01",
      "/api/report",
      "/api/report?format=html",
      "/api/holds",
      "/api/retention",
      "/api/suppressions",
      "/api/quality",
      "/api/operations",
      "/api/overview",
      "/metrics",
      ...["jsonl", "csv"].map((format) => `/api/exports/conversations?format=${format}`),
    ];
    for (const path of paths)
      for (const role of ["viewer", "admin"] as const) {
        const { status, text } = await ask(role, "GET", path);
        expect([path, status]).toEqual([path, 200]);
        for (const id of [ANNA, BEN]) expect(text, path).not.toContain(id);
        // No word shows what she is: only where a member says so.
        expect(text, path).not.toMatch(/"(?:userId|customerId|customer_id)":"carla"/);
      }
  });

  it("have one each, letters alone, that stays", async () => {
    const [anna, ben] = [await pseudonymOf(ANNA), await pseudonymOf(BEN)];
    expect(anna).toMatch(/^customer-[b-v]{12}$/);
    expect(ben).not.toBe(anna);
    const [message, call, answer] = await eventsOf(ANNA);
    expect(message).toMatchObject({ userId: anna, content: "I am **********." });
    expect(call?.["toolParameters"]).toEqual({ customer_id: anna, note: "I am **********." });
    expect(answer?.["metadata"]).toMatchObject({ customerProfile: { customerId: anna } });
    await platform.close();
    platform = await start();
    expect(await pseudonymOf(ANNA)).toBe(anna);
  });

  it("are filtered by, and nobody learns whose one is by asking for an id", async () => {
    const anna = await pseudonymOf(ANNA);
    const key = await keyOf(ANNA);
    expect((await list(`?customer=${anna}`)).map((row) => row["key"])).toEqual([key]);
    expect(await list(`?customer=${ANNA}`)).toEqual([]);
    expect(await read(`/api/conversations/counts?customer=${anna}`)).toMatchObject({ total: 1 });
    const { items } = (await read(`/api/reviews?customer=${anna}`)) as { items: JsonObject[] };
    expect(items.map((item) => item["key"])).toEqual([key]);
    const csv = `/api/exports/conversations?format=csv&customer=${anna}`;
    const { text } = await ask("viewer", "GET", csv);
    expect(text.split("\r\n").filter((line) => line.includes("user_message"))).toHaveLength(1);
    expect(text).toContain(`,${anna},`);
  });

  it("are known by their ids where a conversation is unmasked, with a reason, and in exports that are", async () => {
    const key = await keyOf(ANNA);
    expect((await ask("reviewer", "GET", `/api/conversations/${key}?unmasked=true`)).status).toBe(
      403,
    );
    const reason = "to call the customer";
    await ask("reviewer", "POST", `/api/conversations/${key}/unmask`, { reason });
    const [shown] = await eventsOf(ANNA, "?unmasked=true", "reviewer");
    expect(shown).toMatchObject({ userId: ANNA, content: `I am ${ANNA}.` });
    const anna = await pseudonymOf(ANNA);
    const whole = `/api/exports/conversations?customer=${anna}&unmasked=true&reason=court`;
    expect((await ask("reviewer", "GET", whole)).status).toBe(403);
    const { text } = await ask("supervisor", "GET", whole);
    expect(text).toContain(`"userId":"${ANNA}"`);
    const records = (await read("/api/audit"))["records"] as JsonObject[];
    expect(JSON.stringify(records)).toContain(anna);
    const trail = await ask("supervisor", "GET", "/api/audit/export");
    expect(trail.text).not.toContain(ANNA);
    expect((await ask("reviewer", "GET", "/api/audit/export")).status).toBe(403);
  });

  it("are held by either name, and the hold outlasts the key", async () => {
    const anna = await pseudonymOf(ANNA);
    for (const customer of [anna, BEN]) {
      const body = { matter: "Smith", reason: "letter", selector: { customer } };
      const { status, text } = await ask("supervisor", "POST", "/api/holds", body);
      expect(status).toBe(201);
      expect(text).not.toContain(BEN);
    }
    await platform.close();
    platform = await start({ pseudonymKey: `another, ${PSEUDONYM_KEY}` });
    const { holds } = (await read("/api/holds")) as { holds: { id: number }[] };
    const sizes = holds.map(async ({ id }) => {
      const { text } = await ask("viewer", "GET", `/api/exports/conversations?hold=${id}`);
      return text.match(/"kind":"conversation"/g)?.length;
    });
    expect(await Promise.all(sizes)).toEqual([1, 1]);
  });

  it("are made anew for what is stored where there is a key for the first time, or another one", async () => {
    await platform.close();
    platform = await startPlatform({ port: 0, users: USERS, database: `${directory}/platform.db` });
    expect(await pseudonymOf(ANNA)).toBe(ANNA);
    expect(await list(`?customer=${ANNA}`)).toHaveLength(1);
    await postBatch(platform, createBatch([createEvent("user_message", { userId: "D-77" })]));
    await platform.close();
    platform = await start();
    for (const row of await list()) {
      const { events } = (await read(`/api/conversations/${String(row["key"])}`)) as {
        events: JsonObject[];
      };
      const found = await list(`?customer=${String(events[0]?.["userId"])}`);
      expect(found.map(({ key }) => key)).toEqual([row["key"]]);
    }
  });

  it("needs a key of 32 bytes", async () => {
    await expect(startPlatform({ port: 0, pseudonymKey: "short" })).rejects.toThrow(
      /platform: pseudonymKey: expected at least 32 bytes/,
    );
  });

  it("stays with what was received in the bytes of batches, for supervisors", async () => {
    expect((await ask("reviewer", "GET", "/api/batches/export")).status).toBe(403);
    const { text } = await ask("supervisor", "GET", "/api/batches/export");
    expect(text).toContain(ANNA);
  });
});
