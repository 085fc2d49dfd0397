import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AUDIT_EXPORT_PATH } from "../../src/events/wire.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createAuditVerifier } from "../../src/platform/review/audit-trail.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { act } from "../../src/platform/store/review-desk.ts";
import { findItem } from "../../src/platform/store/review-store.ts";
import { openStore, type Store } from "../../src/platform/store/store.ts";
import { createTurns, runSteps } from "../../src/platform/turns.ts";
import { systemClock } from "../../src/util/clock.ts";
import {
  createBatch,
  createEvent,
  postBatch,
  START,
  toAnswer,
  type JsonObject,
} from "./helpers.ts";
import { ON_POSTGRES } from "./stored-database.ts";

const DAY = 86_400_000;
const USERS = [
  { name: "anna", role: "reviewer", key: "reviewer-key-anna-01" },
  { name: "ben", role: "reviewer", key: "reviewer-key-ben-012" },
] as const;

let directory: string;
let now: number;
let platform: Platform;

async function open(): Promise<Platform> {
  const clock = { ...systemClock, now: () => now };
  return startPlatform({ port: 0, users: USERS, clock, database: join(directory, "review.db") });
}

async function ask(user: number, path: string, body?: object) {
  const response = await fetch(platform.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${USERS[user]?.key ?? ""}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return toAnswer(response);
}

/** Verifies the audit trail, and returns how many records it has. */
async function verifyTrail(): Promise<number> {
  const headers = { authorization: `Bearer ${USERS[0].key}` };
  const lines = (await (await fetch(platform.url + AUDIT_EXPORT_PATH, { headers })).text())
    .trim()
    .split("\n");
  const verifier = createAuditVerifier();
  for (const line of lines) verifier.add(JSON.parse(line));
  expect(verifier.finish()).toMatchObject({ status: "verified", breaks: [] });
  return lines.length;
}

let key: string;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  now = START;
  platform = await open();
  const answer = createEvent("agent_response", { riskScore: 80, requiresReview: true });
  expect((await postBatch(platform, createBatch([answer]))).status).toBe(202);
  const { items } = (await ask(0, "/api/reviews")).body as { items: JsonObject[] };
  key = String(items[0]?.["key"]);
});
afterEach(async () => {
  await platform.close();
  rmSync(directory, { recursive: true, force: true });
});

// That of PostgreSQL is its server's.
describe.skipIf(ON_POSTGRES)("a disk that is full", () => {
  /** Writes a long comment; each takes pages. */
  const comment = (store: Store) =>
    store.write((transaction) => {
      const action = { action: "comment", comment: "x".repeat(3900) } as const;
      const actor = { name: "anna", role: "reviewer" } as const;
      return act(transaction, { key, action, actor, version: undefined, now }, store.review);
    });

  it("takes a decision as a whole or not at all, and takes it again once there is room", async () => {
    await platform.close();
    const database = await openDatabase(join(directory, "review.db"));
    const store = await openStore(database, createTurns(), systemClock);
    database.exec("PRAGMA max_page_count = 1");
    let written = 0;
    const fill = async (): Promise<void> => {
      for (;;) {
        await comment(store);
        written++;
      }
    };
    await expect(fill()).rejects.toMatchObject({ name: "StoreError" });
    expect(runSteps(findItem(database, key))?.version).toBe(1 + written);
    database.exec("PRAGMA max_page_count = 1000000");
    expect(await comment(store)).toMatchObject({ status: "done" });
    expect(runSteps(findItem(database, key))?.version).toBe(2 + written);
    await store.close();
    platform = await open();
    expect(await verifyTrail()).toBe(1 + written);
  });
});

describe("a clock that jumps", () => {
  const CLOSE = { action: "close", disposition: "acceptable", reasonCode: "approved_wording" };
  const doIt = (user: number, action: object) => ask(user, `/api/reviews/${key}/actions`, action);

  it("ends a claim when it goes far ahead, and holds nothing up when it comes back", async () => {
    expect(await doIt(0, { action: "claim" })).toMatchObject({ status: 200 });
    expect(await doIt(1, { action: "claim" })).toMatchObject({ status: 409 });
    now += 400 * DAY;
    expect(await doIt(1, { action: "claim" })).toMatchObject({ status: 200 });
    now = START - 30 * DAY;
    const { items } = (await ask(0, "/api/reviews")).body as { items: JsonObject[] };
    expect(items).toMatchObject([{ key, assignee: "ben", state: "claimed", isOverdue: false }]);
    expect(await doIt(1, CLOSE)).toMatchObject({ status: 200 });
    const { item, history } = (await ask(0, `/api/reviews/${key}`)).body as {
      item: JsonObject;
      history: JsonObject[];
    };
    expect(item).toMatchObject({ state: "closed", outcome: { disposition: "acceptable" } });
    // In the order in which it was done, whatever the clock said.
    expect(history.map(({ action }) => action)).toEqual([
      "review.close",
      "review.claim",
      "review.claim",
    ]);
    expect(await verifyTrail()).toBe(history.length);
  });
});
