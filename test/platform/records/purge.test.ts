import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../../src/platform/index.ts";
import { openDatabase } from "../../../src/platform/store/open-database.ts";
import { createFakeClock, type FakeClock } from "../../helpers/clock.ts";
import { runCommand } from "../../helpers/command.ts";
import { createBatch, createEvent, START, type JsonObject } from "../helpers.ts";
import {
  ask,
  createDeliveries,
  DAY,
  deliver,
  findKey,
  listSessions,
  USERS,
} from "./records-helpers.ts";
import { bytesOf, ON_POSTGRES, openStored, textOf } from "../stored-database.ts";

const RETENTION = [{ name: "all", days: 30 }] as const;

let directory: string;
let database: string;
let clock: FakeClock;
const opened: Platform[] = [];

async function open(options: PlatformOptions = {}): Promise<Platform> {
  const started = await startPlatform({
    port: 0,
    database,
    clock,
    retention: RETENTION,
    ...options,
  });
  opened.push(started);
  return started;
}

/** Ends the platform and starts it anew, a time later. */
async function openLater(days: number, options: PlatformOptions = {}): Promise<Platform> {
  await opened.splice(0)[0]?.close();
  clock = createFakeClock(START + days * DAY);
  return open(options);
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  database = join(directory, "platform.db");
  clock = createFakeClock(START);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  rmSync(directory, { recursive: true, force: true });
});

const verify = (platform: Platform, ...args: string[]) =>
  runCommand(["verify", platform.url, ...args]);

async function change(sql: string): Promise<number> {
  const file = await openStored(database);
  const changed = await file.run(sql);
  await file.close();
  return changed;
}

async function exported(platform: Platform): Promise<string[]> {
  const text = await (await fetch(`${platform.url}/api/batches/export`)).text();
  return text.split("\n").slice(0, -1);
}

/** Two batches; of conversation `old` all is to go, `new` has an event in each of them as well. */
async function fill(platform: Platform) {
  const deliveries = createDeliveries();
  const first = deliveries.plan(["old", "new", "old"]);
  await deliver(platform, first);
  await deliver(platform, deliveries.plan(["old", "old"]));
  const last = deliveries.plan(["new", "new"]);
  for (const event of last.events) event["timestamp"] = START + 20 * DAY;
  return { deliveries, first };
}

describe("a purge", () => {
  it("removes what is due with all its copies, leaves the rest, and is written down", async () => {
    const platform = await open();
    const { first } = await fill(platform);
    const later = createDeliveries().plan(["new"], { timestamp: START + 20 * DAY });
    await deliver(platform, later);
    const key = await findKey(platform, "old");
    const purging = await openLater(31);
    // The event of the first batch came 20 days before the newest one of its conversation.
    const answer = await ask(purging, undefined, "/api/purge", { reason: "quarterly" });
    expect(answer).toMatchObject({
      status: 200,
      body: { conversations: 1, events: 4, held: 0, next: null },
    });
    expect(await listSessions(purging)).toEqual(["new"]);
    const [line = "", second = "", third] = await exported(purging);
    expect(third).toBe(JSON.stringify(later));
    const parsed = JSON.parse(line) as typeof first;
    expect(parsed.events[1]).toEqual(first.events[1]);
    expect(Object.keys(parsed.events[0] ?? {})).toEqual(["purged"]);
    expect({ ...parsed, events: 0 }).toEqual({ ...first, events: 0 });
    expect(second).not.toContain("message");
    const { body } = await ask(purging, undefined, "/api/audit?action=records.purge");
    const [record] = body["records"] as JsonObject[];
    expect(record).toMatchObject({ subject: key, actor: "local" });
    const detail = JSON.parse(String(record?.["detail"])) as JsonObject;
    expect(detail).toMatchObject({
      class: RETENTION[0],
      reason: "quarterly",
      events: 4,
      firstAt: START,
      lastAt: START,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
    });
    expect((detail["batches"] as JsonObject[]).map(({ places }) => places)).toEqual([
      [
        [0, 0],
        [2, 2],
      ],
      [[0, 1]],
    ]);
    const { out, code } = await verify(purging);
    expect(out).toContain("purges: as the audit trail has it; 2 purged batches, 4 events\n");
    expect(code).toBe(0);
  });

  it.skipIf(ON_POSTGRES)("leaves nothing of the content in the file", async () => {
    const platform = await open();
    const event = createEvent("user_message", { content: "zebra-one", contentLength: 30 });
    const thin = { ...event, content: "zebra-thin", metadata: { truncated: true } };
    const fuller = { ...event, content: "zebra-fuller", metadata: { truncated: true } };
    const fullest = { ...event, content: "zebra-in-full-and-whole-to-end" };
    // The same again, thinner ones, fuller ones, one that was refused, and one that looks like what a purge leaves.
    const digest = `sha256:${"0".repeat(64)}`;
    for (const events of [
      [thin, { ...thin, content: 7, note: "zebra-refused" }],
      [fuller],
      [thin],
      [fullest, { purged: { digest, length: 5, writerId: "zebra" } }],
      [{ ...event, content: "zebra-other", metadata: { captured: false } }, fullest],
    ])
      await deliver(platform, createBatch(events));
    const purging = await openLater(31);
    expect((await ask(purging, undefined, "/api/purge", {})).body).toMatchObject({ events: 1 });
    expect(await exported(purging)).toHaveLength(5);
    await opened.splice(0)[0]?.close();
    const file = await openDatabase(database);
    file.exec("VACUUM");
    file.close();
    expect(readFileSync(database).includes("zebra")).toBe(false);
  });

  it("gives later events numbers of their own, and takes a conversation in again that comes anew", async () => {
    const platform = await open();
    const event = createEvent();
    await deliver(platform, createBatch([event]));
    const purging = await openLater(31);
    await ask(purging, undefined, "/api/purge", {});
    const next = createEvent("user_message", { timestamp: START + 31 * DAY });
    await deliver(purging, createBatch([event, next]));
    const { body } = await ask(purging, undefined, "/api/events");
    const seqs = (body["events"] as JsonObject[]).map(({ seq }) => seq);
    expect(seqs).toEqual([3, 2]);
    expect(await exported(purging)).toHaveLength(2);
  });

  it("says what it would remove, and removes nothing", async () => {
    await fill(await open());
    const later = await openLater(10);
    const { body } = await ask(later, undefined, "/api/retention");
    expect(body).toMatchObject({
      isWhole: true,
      classes: [{ name: "all", due: 0, soon: 2, held: 0 }],
    });
    const due = await openLater(31);
    const dry = await ask(due, undefined, "/api/purge", { dryRun: true });
    expect(dry.body).toMatchObject({ classes: [{ name: "all", due: 2, dueEvents: 5, soon: 0 }] });
    expect(await listSessions(due)).toEqual(["new", "old"]);
  });

  it("does nothing without a policy", async () => {
    await fill(await open());
    const later = await openLater(40_000, { retention: [] });
    const { body } = await ask(later, undefined, "/api/purge", {});
    expect(body).toMatchObject({ conversations: 0, next: null });
    expect(await listSessions(later)).toHaveLength(2);
  });

  it("is an administrator's, and what others try is written down", async () => {
    const platform = await open({ users: USERS });
    expect((await ask(platform, "cara", "/api/purge", {})).status).toBe(403);
    expect((await ask(platform, "dora", "/api/purge", { dryRun: 1 })).status).toBe(422);
    expect((await ask(platform, "dora", "/api/purge", {})).status).toBe(200);
    const { body } = await ask(platform, "vera", "/api/audit");
    expect(body["records"]).toMatchObject([{ action: "records.refused", actor: "cara" }]);
  });
});

describe("verifying what was purged", () => {
  async function purgeAll(): Promise<void> {
    await fill(await open());
    const purging = await openLater(31);
    await ask(purging, undefined, "/api/purge", {});
    await opened.splice(0)[0]?.close();
  }

  const APPEND_ONLY = ["audit_is_not_changed", "audit_is_not_removed"].map(
    (trigger) => `DROP TRIGGER ${trigger}${ON_POSTGRES ? " ON audit" : ""}`,
  );
  const FORGED = `replace(${textOf("bytes")}, '"digest":"sha256:', '"digest":"sha256:0')`;
  const tampering: [string, readonly string[], string, RegExp][] = [
    [
      "a record of the purge that is gone",
      APPEND_ONLY,
      "DELETE FROM audit WHERE action = 'records.purge'",
      /BROKEN at batch .*: .*no record of a purge/,
    ],
    [
      "a forged record",
      APPEND_ONLY,
      "UPDATE audit SET detail = replace(detail, 'sha256:', 'sha256:0')",
      /audit trail: BROKEN at record 2: hash changed/,
    ],
    [
      "a trail that is gone as a whole",
      APPEND_ONLY,
      "DELETE FROM audit",
      /BROKEN at batch .*: events of it are gone, and no record of a purge says why/,
    ],
    [
      "a mark with another digest",
      [],
      `UPDATE frame SET bytes = ${bytesOf(FORGED)} WHERE seq = 2`,
      /BROKEN/,
    ],
    [
      "an event that was edited beside a purged one",
      [],
      "UPDATE body SET json = replace(json, 'message 2', 'message 9')",
      /BROKEN at batch .*: its events, there or purged, are not those that the record of the purge has sealed/,
    ],
  ];
  it.each(tampering)("finds %s", async (_, before, sql, finding) => {
    await keepNew();
    const file = await openStored(database);
    for (const statement of before) await file.run(statement);
    expect(await file.run(sql)).toBeGreaterThan(0);
    await file.close();
    const { out, code } = await verify(await open());
    expect(out).toMatch(finding);
    expect(code).toBe(1);
  });

  /** Purges `old` alone. */
  async function keepNew(): Promise<void> {
    const platform = await open();
    await fill(platform);
    await deliver(platform, createBatch([createEvent("user_message", { sessionId: "new" })]));
    const key = await findKey(platform, "new");
    const selector = { conversation: key };
    const held = await ask(platform, undefined, "/api/holds", {
      matter: "M",
      reason: "r",
      selector,
    });
    expect(held.status).toBe(201);
    const purging = await openLater(31);
    expect((await ask(purging, undefined, "/api/purge", {})).body).toMatchObject({ events: 4 });
    await opened.splice(0)[0]?.close();
  }

  it("finds an event that somebody else has taken out of a batch with a purged one", async () => {
    await keepNew();
    const file = await openStored(database);
    const [row] = await file.all<{ json: string }>(
      "SELECT json FROM body WHERE json LIKE '%message 2\"%'",
    );
    const json = row?.json ?? "";
    const { writerId, sequence } = JSON.parse(json) as JsonObject;
    const digest = `sha256:${createHash("sha256").update(json).digest("hex")}`;
    const mark = { purged: { digest, length: Buffer.byteLength(json), writerId, sequence } };
    await file.run("UPDATE body SET json = ? WHERE json = ?", [JSON.stringify(mark), json]);
    await file.close();
    const { out, code } = await verify(await open());
    expect(out).toMatch(/1 event of it is gone that no record of a purge names/);
    expect(code).toBe(1);
  });

  it("finds that a batch had been changed before it was purged", async () => {
    await fill(await open());
    await opened.splice(0)[0]?.close();
    await change("UPDATE body SET json = replace(json, 'message 1', 'message 8')");
    clock = createFakeClock(START + 31 * DAY);
    const purging = await open();
    await ask(purging, undefined, "/api/purge", {});
    const { out, code } = await verify(purging);
    expect(out).toMatch(/its events had been changed before they were purged/);
    expect(code).toBe(1);
  });

  it("needs the audit trail where it has the batches alone", async () => {
    await purgeAll();
    const platform = await open();
    const lines = await exported(platform);
    const { out, code } = await runCommand(["verify", "-"], { input: `${lines.join("\n")}\n` });
    expect(out).toMatch(/purges: not proven: the audit trail, .* is needed; 2 purged batches/);
    expect(code).toBe(3);
    const trail = await (await fetch(`${platform.url}/api/audit/export`)).text();
    const input = `${lines.join("\n")}\n${trail}`;
    expect((await runCommand(["verify", "-"], { input })).code).toBe(0);
    const part = await runCommand(["verify", "-"], { input: trail });
    expect(part.out).toMatch(/2 batches of which events were purged are not there, or whole/);
  });
});
