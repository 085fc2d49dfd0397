import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../../src/platform/index.ts";
import { createFakeClock, type FakeClock } from "../../helpers/clock.ts";
import { createBatch, createEvent, START, type JsonObject } from "../helpers.ts";
import { ask, DAY, deliver, findKey, listSessions, USERS } from "./records-helpers.ts";
import { openStored } from "../stored-database.ts";

const RETENTION = [{ name: "all", days: 30 }] as const;

let directory: string;
let database: string;
let clock: FakeClock;
let platform: Platform;

async function open(options: PlatformOptions = {}): Promise<void> {
  platform = await startPlatform({
    port: 0,
    database,
    clock,
    retention: RETENTION,
    users: USERS,
    ...options,
  });
}

async function openLater(days: number, options: PlatformOptions = {}): Promise<void> {
  await platform.close();
  clock = createFakeClock(START + days * DAY);
  await open(options);
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  database = join(directory, "platform.db");
  clock = createFakeClock(START);
  await open();
});
afterEach(async () => {
  await platform.close();
  rmSync(directory, { recursive: true, force: true });
});

const say = (sessionId: string, more: JsonObject = {}) =>
  deliver(platform, createBatch([createEvent("user_message", { sessionId, ...more })]));

async function hold(selector: JsonObject): Promise<number> {
  const request = { matter: "Doe v. Bank", reason: "complaint of 12 March", selector };
  const { status, body } = await ask(platform, "cara", "/api/holds", request);
  expect(status).toBe(201);
  return (body["hold"] as { id: number }).id;
}

const purge = async () => (await ask(platform, "dora", "/api/purge", {})).body;

describe("a legal hold", () => {
  it.each<[string, JsonObject]>([
    ["customer", { customer: "customer-1" }],
    ["agent and time", { agent: "agent-1", from: START - 5, to: START }],
    ["version", { version: "2.0", environment: "development" }],
  ])("outlasts retention, by its %s", async (_, selector) => {
    await say("held", { userId: "customer-1", agentVersion: "2.0" });
    await say("free", { agentId: "agent-2" });
    const id = await hold(selector);
    await openLater(400);
    expect((await ask(platform, "vera", "/api/retention")).body).toMatchObject({
      classes: [{ due: 1, held: 1 }],
    });
    expect(await purge()).toMatchObject({ conversations: 1, held: 1 });
    expect(await listSessions(platform, "vera")).toEqual(["held"]);
    await ask(platform, "cara", `/api/holds/${id}/release`, { reason: "settled" });
    expect(await purge()).toMatchObject({ conversations: 1, held: 0 });
    expect(await listSessions(platform, "vera")).toEqual([]);
  });

  it("holds what comes after it was placed", async () => {
    await hold({ customer: "customer-1" });
    await say("later", { userId: "customer-1" });
    await say("other", { userId: "customer-2" });
    await openLater(31);
    expect(await purge()).toMatchObject({ conversations: 1, held: 1 });
    expect(await listSessions(platform, "vera")).toEqual(["later"]);
  });

  it("is placed and released by a supervisor, once, and all of it is in the trail", async () => {
    const selector = { agent: "agent-1" };
    const request = { matter: "M", reason: "r", selector };
    expect((await ask(platform, "anna", "/api/holds", request)).status).toBe(403);
    const id = await hold(selector);
    expect((await ask(platform, "anna", `/api/holds/${id}/release`, { reason: "r" })).status).toBe(
      403,
    );
    const released = await ask(platform, "dora", `/api/holds/${id}/release`, { reason: "settled" });
    expect(released.body["hold"]).toMatchObject({
      placedBy: "cara",
      release: { by: "dora", reason: "settled", at: START },
    });
    const again = await ask(platform, "dora", `/api/holds/${id}/release`, { reason: "r" });
    expect(again).toMatchObject({ status: 409, body: { code: "hold_conflict" } });
    expect((await ask(platform, "dora", "/api/holds/99/release", { reason: "r" })).status).toBe(
      404,
    );
    const { body } = await ask(platform, "vera", "/api/audit");
    expect((body["records"] as JsonObject[]).map(({ action, actor }) => [action, actor])).toEqual([
      ["hold.release", "dora"],
      ["hold.refused", "anna"],
      ["hold.place", "cara"],
      ["hold.refused", "anna"],
    ]);
    const list = async (query: string) =>
      (await ask(platform, "vera", `/api/holds?${query}`)).body["holds"];
    expect(await list("active=true")).toEqual([]);
    expect(await list("active=false")).toMatchObject([{ id, selector }]);
  });

  it.each([
    { matter: "M", reason: "r", selector: {} },
    { matter: " ", reason: "r", selector: { agent: "a" } },
    { matter: "M", selector: { agent: "a" } },
    { matter: "M", reason: "r", selector: { agents: "a" } },
    { matter: "M", reason: "r", selector: { from: 2, to: 1 } },
    { matter: "M", reason: "r", selector: { environment: "moon" } },
  ])("is refused where it can't be understood: %j", async (request) => {
    const { status, body } = await ask(platform, "cara", "/api/holds", request);
    expect([status, body["code"]]).toEqual([422, "invalid_action"]);
  });

  it("is changed by nobody, not in the database either", async () => {
    const id = await hold({ agent: "agent-1" });
    await ask(platform, "cara", `/api/holds/${id}/release`, { reason: "r" });
    await platform.close();
    const file = await openStored(database);
    for (const sql of [
      "DELETE FROM hold",
      "DELETE FROM hold_release",
      "UPDATE hold SET matter = 'x'",
    ])
      await expect(file.run(sql)).rejects.toThrow(/append-only/);
    await file.close();
    await open();
  });
});

describe("what retention leaves", () => {
  const flag = { rule: "r", category: "custom", severity: "violation", description: "d" };
  const answer = (sessionId: string) =>
    deliver(
      platform,
      createBatch([
        createEvent("agent_response", {
          sessionId,
          requiresReview: true,
          riskScore: 50,
          complianceFlags: [flag],
        }),
      ]),
    );

  it("is under review, and goes by what was decided", async () => {
    for (const name of ["open", "clear", "bad"]) await answer(name);
    const decide = async (name: string, disposition: string) => {
      const key = await findKey(platform, name, "vera");
      const action = { action: "close", disposition, reasonCode: "other" };
      const given = disposition === "violation" ? { ...action, reasonCode: "confirmed" } : action;
      const { status } = await ask(platform, "anna", `/api/reviews/${key}/actions`, given);
      expect(status).toBe(200);
      return key;
    };
    await decide("clear", "false_positive");
    const bad = await decide("bad", "violation");
    const retention = [
      { name: "cleared", days: 30, outcome: "cleared" },
      { name: "violations", days: 365, outcome: "violation" },
    ] as const;
    await openLater(31, { retention });
    expect(await purge()).toMatchObject({ conversations: 1 });
    expect(await listSessions(platform, "vera")).toEqual(["bad", "open"]);
    await openLater(400, { retention });
    expect(await purge()).toMatchObject({ conversations: 1 });
    expect(await listSessions(platform, "vera")).toEqual(["open"]);
    const { body } = await ask(platform, "vera", `/api/audit?subject=${bad}`);
    expect((body["records"] as JsonObject[]).map(({ action }) => action)).toEqual([
      "records.purge",
      "review.close",
    ]);
    expect((await ask(platform, "vera", `/api/reviews/${bad}`)).status).toBe(404);
  });
});

describe("the clock", () => {
  it("purges once a day while the platform runs", async () => {
    await say("old");
    await openLater(29);
    await say("new", { timestamp: START + 29 * DAY });
    await clock.advance(30 * 60_000);
    expect(await listSessions(platform, "vera")).toEqual(["new", "old"]);
    await clock.advance(DAY + 3_600_000);
    await expect.poll(() => listSessions(platform, "vera")).toEqual(["new"]);
    const { body } = await ask(platform, "vera", "/api/audit?action=records.purge");
    expect(body["records"]).toMatchObject([{ actor: "system" }]);
  });

  it("purges nothing early when it jumps, by itself or by hand", async () => {
    await say("old");
    await clock.advance(3_600_000);
    clock.jump(400 * DAY);
    await clock.advance(20 * 3_600_000);
    expect(await purge()).toMatchObject({ conversations: 0 });
    clock.jump(-800 * DAY);
    await clock.advance(2 * DAY);
    expect(await purge()).toMatchObject({ conversations: 0 });
    expect(await listSessions(platform, "vera")).toEqual(["old"]);
  });

  it("ages nothing that came late: an agent's clock may be years behind", async () => {
    await say("old", { timestamp: 1 });
    expect(await purge()).toMatchObject({ conversations: 0 });
    await openLater(31);
    expect(await purge()).toMatchObject({ conversations: 1 });
  });
});

it("is configured with classes that make sense", async () => {
  const retention = [{ name: "a", days: 0 }];
  await expect(startPlatform({ port: 0, retention })).rejects.toThrow(
    /platform: retention\.0\.days: /,
  );
});
