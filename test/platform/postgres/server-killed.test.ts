import { expect, it, onTestFinished } from "vitest";
import { startPlatform } from "../../../src/platform/index.ts";
import { startPostgres } from "../../cluster/support/postgres-server.ts";
import { readStored } from "../../cluster/support/stored.ts";
import { pause, until } from "../../faults/support/until.ts";
import { createConversation, createToolTurn, sendTelemetry } from "../conversation-telemetry.ts";
import { createBatch, createEvent, get, postBatch, START } from "../helpers.ts";

const KILLS = 3;

it("is answered with 503 while the server is gone; what was acknowledged is there, once, when it is back", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const platform = await startPlatform({ port: 0, database: await server.createDatabase("bank") });
  const acknowledged = new Set<string>();
  const ending = new AbortController();
  let refusals = 0;

  /** Sends batches one after the other, each until it is taken. */
  const work = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const events = [createEvent(), createEvent("agent_response")];
      const batch = createBatch(events);
      for (;;) {
        const { status, headers } = await postBatch(platform, batch);
        if (status === 202 || status === 200) break;
        expect(status).toBe(503);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        refusals++;
      }
      for (const { eventId } of events) acknowledged.add(String(eventId));
    }
  };
  const workers = Array.from({ length: 4 }, work);
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = acknowledged.size;
    await until("batches are stored", () => acknowledged.size > before + 20);
    const refused = refusals;
    await server.kill();
    await until("batches are refused", () => refusals > refused + 4);
    expect((await get(platform, "/readyz")).status).toBe(503);
    expect((await get(platform, "/healthz")).status).toBe(200);
    expect((await get(platform, "/api/conversations")).status).toBe(503);
    await server.start();
  }
  const last = acknowledged.size;
  await until("batches are stored again", () => acknowledged.size > last + 20);
  ending.abort();
  await Promise.all(workers);
  const { eventIds } = await readStored(platform.url);
  expect(eventIds.toSorted()).toEqual([...acknowledged].toSorted());
  expect((await platform.stats()).events).toBe(acknowledged.size);
  await expect.poll(async () => (await get(platform, "/readyz")).status).toBe(200);
  await platform.close();
}, 300_000);

it("makes each event of telemetry that was acknowledged once, whenever the server is gone", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const platform = await startPlatform({ port: 0, database: await server.createDatabase("bank") });
  const ending = new AbortController();
  let [sent, refusals, expected] = [0, 0, 0];

  /** Sends conversations one after the other, each request until it is taken. */
  const work = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const number = ++sent;
      const { requests, eventCount } =
        number % 3 === 0 ? createToolTurn(number, START) : createConversation(number, 3, START);
      for (const request of requests)
        while ((await sendTelemetry(platform, request)) !== 200) {
          refusals++;
          await pause(100);
        }
      expected += eventCount;
    }
  };
  const readEvents = async (): Promise<number> => (await platform.stats()).events;
  const workers = Array.from({ length: 3 }, work);
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = await readEvents();
    await until("events are made", async () => (await readEvents()) > before);
    const refused = refusals;
    await server.kill();
    await until("telemetry is refused", () => refusals > refused + 4);
    await server.start();
  }
  ending.abort();
  await Promise.all(workers);
  await until("all events are made", async () => (await readEvents()) >= expected, 120_000);
  expect(await platform.stats()).toMatchObject({ events: expected, duplicates: 0 });
  await platform.close();
}, 300_000);
