import { afterEach, describe, expect, it } from "vitest";
import { AgentMonitor } from "../../src/index.ts";
import { createFaults } from "../../src/platform/faults/faults.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createFakeClock } from "../helpers/clock.ts";
import {
  createAgent,
  createBatch,
  get,
  type JsonObject,
  KEY,
  postBatch,
  putAgent,
  START,
  toAnswer,
} from "./helpers.ts";

const USERS = [
  { name: "ada", role: "admin", key: "key-of-ada-0123456" },
  { name: "sue", role: "supervisor", key: "key-of-sue-0123456" },
] as const;

let platform: Platform;
afterEach(() => platform.close());

const set = (body: JsonObject, headers: Record<string, string> = {}) =>
  fetch(`${platform.url}/api/faults`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).then(toAnswer);

const clear = () => fetch(`${platform.url}/api/faults`, { method: "DELETE" }).then(toAnswer);

describe("faults", () => {
  it("are not there unless the platform was started so", async () => {
    platform = await startPlatform({ port: 0 });
    expect(await set({ kind: "503" })).toMatchObject({ status: 404 });
    expect((await get(platform, "/api/faults")).status).toBe(404);
    expect((await clear()).status).toBe(404);
    expect((await postBatch(platform, createBatch())).status).toBe(202);
  });

  it.each([
    ["429", "too_many_requests"],
    ["503", "unavailable"],
  ])("meet as many deliveries as was said, with Retry-After: %s", async (kind, code) => {
    platform = await startPlatform({ port: 0, faults: true });
    expect((await set({ kind, count: 2, seconds: 7 })).status).toBe(201);
    for (let index = 0; index < 2; index++) {
      const answer = await postBatch(platform, createBatch());
      expect(answer).toMatchObject({ status: Number(kind), body: { code } });
      expect(answer.headers.get("retry-after")).toBe("7");
    }
    expect((await postBatch(platform, createBatch())).status).toBe(202);
    expect((await get(platform, "/api/faults")).body).toEqual({ faults: [] });
  });

  it("meet one path alone, no page, and are taken away", async () => {
    platform = await startPlatform({ port: 0, faults: true });
    await set({ kind: "503", count: 1000, path: "/v1/batches" });
    expect((await putAgent(platform, createAgent(), "agent-1")).status).toBe(201);
    expect((await postBatch(platform, createBatch())).status).toBe(503);
    expect((await get(platform, "/api/operations")).body["faults"]).toMatchObject([
      { kind: "503", count: 1000, left: 999, path: "/v1/batches", setBy: "local" },
    ]);
    expect((await clear()).body).toEqual({ cleared: 1 });
    expect((await postBatch(platform, createBatch())).status).toBe(202);
    const { records } = (await get(platform, "/api/audit")).body as { records: JsonObject[] };
    expect(records.map(({ action }) => action)).toEqual(["fault.clear", "fault.set"]);
  });

  it("close the connection, and answer late", async () => {
    platform = await startPlatform({ port: 0, faults: true });
    await set({ kind: "reset" });
    await expect(postBatch(platform, createBatch())).rejects.toThrow();
    const clock = createFakeClock(START);
    await platform.close();
    platform = await startPlatform({ port: 0, faults: true, clock });
    await set({ kind: "slow", seconds: 30 });
    let isAnswered = false;
    const answer = postBatch(platform, createBatch()).finally(() => (isAnswered = true));
    await expect.poll(() => clock.pending).toBeGreaterThan(0);
    expect(isAnswered).toBe(false);
    await clock.advance(30_000);
    expect((await answer).status).toBe(202);
  });

  it.each([
    { kind: "418" },
    { kind: "503", count: 0 },
    { kind: "503", count: 1001 },
    { kind: "slow", seconds: 61 },
    { kind: "reset", path: "/api/stats" },
    { kind: "reset", extra: 1 },
  ])("are refused when they make no sense: %j", async (body) => {
    platform = await startPlatform({ port: 0, faults: true });
    expect(await set(body)).toMatchObject({ status: 422, body: { code: "invalid_action" } });
  });

  it("are for admins, and a refusal is written down", async () => {
    platform = await startPlatform({ port: 0, faults: true, users: USERS });
    const as = (index: 0 | 1) => ({ authorization: `Bearer ${USERS[index].key}` });
    expect((await set({ kind: "503" }, as(1))).status).toBe(403);
    expect((await set({ kind: "503" }, as(0))).status).toBe(201);
    const { records } = (await get(platform, "/api/audit", as(0))).body as {
      records: JsonObject[];
    };
    expect(records).toMatchObject([
      { action: "fault.set", actor: "ada" },
      { action: "fault.refused", actor: "sue", role: "supervisor" },
    ]);
  });

  it("end after a while, and are bounded", async () => {
    platform = await startPlatform({ port: 0 });
    const clock = createFakeClock(START);
    const faults = createFaults(clock);
    const order = { kind: "503", count: 5, seconds: 1 } as const;
    for (let index = 0; index < 20; index++) expect(faults.add(order, "ada")).toBeDefined();
    expect(faults.add(order, "ada")).toBeUndefined();
    await clock.advance(15 * 60_000);
    expect(faults.list()).toEqual([]);
    expect(faults.meet("/v1/batches")).toBeUndefined();
  });

  it("lose nothing of what the SDK delivers", async () => {
    platform = await startPlatform({ port: 0, faults: true });
    for (const kind of ["429", "503", "slow", "reset"])
      await set({ kind, count: 2, path: "/v1/batches" });
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const monitor = new AgentMonitor({
      apiKey: KEY,
      organizationId: "first-bank",
      endpoint: platform.url,
      logger,
      batchSize: 5,
      flushInterval: 100,
      retryAttempts: 10,
      retryDelay: 50,
    });
    for (let index = 0; index < 25; index++)
      monitor.trackUserMessage("agent-1", `session-${index}`, `Message ${index}`);
    await expect.poll(async () => (await platform.stats()).events, { timeout: 50_000 }).toBe(25);
    await monitor.shutdown();
    expect((await get(platform, "/api/faults")).body).toEqual({ faults: [] });
    expect((await get(platform, "/api/operations")).body).toMatchObject({
      writers: { count: 1, missingEvents: 0 },
      losses: { byReason: [] },
    });
  }, 60_000);
});
