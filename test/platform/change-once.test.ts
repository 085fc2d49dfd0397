import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createBatch, type JsonObject, postBatch, START } from "./helpers.ts";
import { createAnswer, RULE } from "./quality/desk.ts";

const PACK = join(import.meta.dirname, "../../examples/policy/policy.yaml");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const USERS = [
  { name: "ada", role: "admin", key: "admin-key-of-ada-0123" },
  { name: "eve", role: "admin", key: "admin-key-of-eve-0123" },
  { name: "rob", role: "reviewer", key: "reviewer-key-of-rob-1" },
] as const;
type Name = (typeof USERS)[number]["name"];

let directory = "";
let platform: Platform;
let now = START;
let key = "";
let findingId = "";

async function start(): Promise<void> {
  platform = await startPlatform({
    port: 0,
    database: join(directory, "platform.db"),
    users: USERS,
    faults: true,
    retention: [{ name: "short", days: 10 }],
    clock: { ...systemClock, now: () => now },
  });
}

async function restartAfter(millis: number): Promise<void> {
  await platform.close();
  now += millis;
  await start();
}

beforeEach(async () => {
  now = START;
  directory = await mkdtemp(join(tmpdir(), "change-once-"));
  await start();
  const answers = [createAnswer("one", ["No guaranteed return!"]), createAnswer("two", ["sure"])];
  expect((await postBatch(platform, createBatch(answers))).status).toBe(202);
  const items = (await read("/api/reviews"))["items"] as JsonObject[];
  key = String(items.find(({ conversationId }) => conversationId === "one")?.["key"]);
  const findings = (await read(`/api/reviews/${key}`))["findings"] as JsonObject[];
  findingId = String(findings[0]?.["id"]);
});
afterEach(async () => {
  await platform.close();
  await rm(directory, { recursive: true });
});

interface Sent {
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
}

async function send(
  path: string,
  body: object,
  { as = "ada", once = "a-key" }: { readonly as?: Name; readonly once?: string } = {},
): Promise<Sent> {
  const response = await fetch(platform.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${USERS.find(({ name }) => name === as)?.key ?? ""}`,
      "content-type": "application/json",
      "idempotency-key": once,
    },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, etag: headers.get("etag"), text: await response.text() };
}

async function read(path: string): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${USERS[0].key}` };
  const response = await fetch(platform.url + path, { headers });
  expect(response.status).toBe(200);
  return (await response.json()) as JsonObject;
}

const count = async (action: string): Promise<number> =>
  ((await read(`/api/audit?action=${action}&limit=200`))["records"] as unknown[]).length;

const codeOf = ({ text }: Sent): unknown => (JSON.parse(text) as JsonObject)["code"];

const comment = (text = "seen") => ({ action: "comment", comment: text });

/** What is sent, what else could be sent to the same path, and what the trail says of it. */
interface Change {
  readonly path: () => string;
  readonly body: () => Promise<object> | object;
  readonly other: object;
  readonly action: string;
  readonly before?: () => Promise<void>;
}

async function decideFalse(): Promise<void> {
  const decision = { action: "close", disposition: "false_positive", reasonCode: "definition" };
  await send(`/api/reviews/${key}/actions`, decision, { once: "decision" });
}

const SUPPRESSION = {
  rule: RULE,
  phrase: "no guaranteed return",
  until: START + 30 * DAY,
  reason: "A refusal, not a promise.",
};
const HOLD = { matter: "Smith v. Bank", reason: "a letter", selector: { agent: "agent-1" } };

const lastId = async (list: string): Promise<string> => {
  const rows = (await read(`/api/${list}`))[list] as JsonObject[];
  return String(rows[0]?.["id"]);
};
let id = "";

const CHANGES: Readonly<Record<string, Change>> = {
  "an action": {
    path: () => `/api/reviews/${key}/actions`,
    body: () => comment(),
    other: comment("something else"),
    action: "review.comment",
  },
  "an action on many items": {
    path: () => "/api/reviews/actions",
    body: () => ({ keys: [key], action: comment() }),
    other: { keys: ["none"], action: comment() },
    action: "review.comment",
  },
  "an unmasking": {
    path: () => `/api/conversations/${key}/unmask`,
    body: () => ({ reason: "to call the customer" }),
    other: { reason: "to write to the customer" },
    action: "conversation.unmask",
  },
  "a suppression": {
    before: decideFalse,
    path: () => "/api/suppressions",
    body: () => ({ ...SUPPRESSION, findingId }),
    other: { ...SUPPRESSION, findingId: "another" },
    action: "suppression.create",
  },
  "the end of a suppression": {
    async before() {
      await decideFalse();
      await send("/api/suppressions", { ...SUPPRESSION, findingId }, { once: "suppression" });
      id = await lastId("suppressions");
    },
    path: () => `/api/suppressions/${id}/revoke`,
    body: () => ({ reason: "over" }),
    other: { reason: "another" },
    action: "suppression.revoke",
  },
  "a hold": {
    path: () => "/api/holds",
    body: () => HOLD,
    other: { ...HOLD, matter: "another" },
    action: "hold.place",
  },
  "the release of a hold": {
    async before() {
      await send("/api/holds", HOLD, { once: "hold" });
      id = await lastId("holds");
    },
    path: () => `/api/holds/${id}/release`,
    body: () => ({ reason: "over" }),
    other: { reason: "another" },
    action: "hold.release",
  },
  "a fault": {
    path: () => "/api/faults",
    body: () => ({ kind: "503", path: "/v1/traces" }),
    other: { kind: "429" },
    action: "fault.set",
  },
  "a back-test": {
    path: () => "/api/policies/backtests",
    body: async () => ({ pack: await readFile(PACK, "utf8"), to: START }),
    other: { pack: "another" },
    action: "policy.backtest",
  },
};

describe("of several requests with one key", () => {
  it.each(Object.keys(CHANGES))("%s is done once, and all get its answer", async (name) => {
    const { path, body, other, action, before } = CHANGES[name] as Change;
    await before?.();
    const given = await body();
    const first = await send(path(), given);
    expect(first.status, first.text).toBeLessThan(300);
    expect(await send(path(), given)).toEqual(first);
    expect(await count(action)).toBe(1);
    const conflict = await send(path(), other);
    expect(conflict.status).toBe(422);
    // A pack is read before anything is done.
    if (name !== "a back-test") expect(codeOf(conflict)).toBe("idempotency_conflict");
    expect(await count(action)).toBe(1);
  });

  it("sent at once, one is done", async () => {
    const requests = Array.from({ length: 8 }, () => send("/api/holds", HOLD));
    const answers = new Set((await Promise.all(requests)).map(({ text }) => text));
    expect(answers.size).toBe(1);
    expect(await count("hold.place")).toBe(1);
  });

  it("those of another person are others", async () => {
    await send("/api/holds", HOLD);
    expect((await send("/api/holds", HOLD, { as: "eve" })).status).toBe(201);
    expect(await count("hold.place")).toBe(2);
  });

  it("a purge is answered once", async () => {
    await decideFalse();
    await restartAfter(20 * DAY);
    const first = await send("/api/purge", { reason: "over" });
    expect(JSON.parse(first.text)).toMatchObject({ conversations: 1 });
    expect(await send("/api/purge", { reason: "over" })).toEqual(first);
    expect(codeOf(await send("/api/purge", { reason: "another" }))).toBe("idempotency_conflict");
  });
});

describe("an answer", () => {
  it("is known after a restart", async () => {
    const path = `/api/reviews/${key}/actions`;
    const first = await send(path, comment());
    expect(first.etag).toBe('"2"');
    await send(path, comment(), { once: "another" });
    await restartAfter(0);
    expect(await send(path, comment())).toEqual(first);
    expect(await count("review.comment")).toBe(2);
  });

  it("is forgotten after 24 hours", async () => {
    await send("/api/holds", HOLD);
    now += DAY - 1;
    await send("/api/holds", HOLD);
    expect(await count("hold.place")).toBe(1);
    now += 1;
    await send("/api/holds", HOLD);
    expect(await count("hold.place")).toBe(2);
  });

  it("is kept of what was done only", async () => {
    const path = `/api/reviews/${key}/actions`;
    await send(path, { action: "claim" }, { once: "claim" });
    expect((await send(path, { action: "claim" }, { as: "rob" })).status).toBe(409);
    await send(path, { action: "release" }, { once: "release" });
    expect((await send(path, { action: "claim" }, { as: "rob" })).status).toBe(200);
  });

  it("goes with the conversation that it is about", async () => {
    const path = `/api/reviews/${key}/actions`;
    const decision = { action: "close", disposition: "violation", reasonCode: "confirmed" };
    now += 10 * DAY - HOUR;
    expect((await send(path, decision)).status).toBe(200);
    await restartAfter(2 * HOUR);
    await send("/api/purge", {}, { once: "purge" });
    expect((await send(path, decision)).status).toBe(404);
  });
});

it.each(["", "a b", "x".repeat(129), 'a"b'])("takes no such key: %j", async (once) => {
  const { status, text } = await send("/api/holds", HOLD, { once });
  expect({ status, code: codeOf({ status, etag: null, text }) }).toEqual({
    status: 422,
    code: "invalid_action",
  });
  expect(await count("hold.place")).toBe(0);
});
