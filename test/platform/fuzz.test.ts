import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentInfoSchema } from "../../src/events/agent.ts";
import { batchAckSchema, problemSchema } from "../../src/events/wire.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import {
  badAgent,
  badBatch,
  badBytes,
  badEvents,
  type Delivery,
  EVENT_COUNT,
  MAX_BODY_BYTES,
  sendDelivery,
} from "./bad-deliveries.ts";
import { get } from "./helpers.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, maxBodyBytes: MAX_BODY_BYTES });
});
afterAll(() => platform.close());

const BATCH_STATUSES = [200, 202, 400, 401, 403, 409, 413, 415, 422];
const AGENT_STATUSES = [200, 201, 400, 401, 403, 413, 415, 422];

/** Sends a delivery; returns its answer, and for a success what it says. */
async function send(delivery: Delivery, statuses: readonly number[]) {
  const { status, body } = await sendDelivery(platform.url, delivery);
  expect(statuses).toContain(status);
  const answer: unknown = JSON.parse(body.toString());
  if (status < 300) return answer;
  expect(problemSchema.parse(answer).status).toBe(status);
  return undefined;
}

it("answers any damaged batch in a documented way", async () => {
  const property = fc.asyncProperty(badBatch, async (delivery) => {
    const answer = await send(delivery, BATCH_STATUSES);
    if (answer !== undefined) batchAckSchema.parse(answer);
  });
  await fc.assert(property, { numRuns: 150 });
}, 60_000);

it("answers any damaged events in a batch whose sums are right, and accounts for every one", async () => {
  const property = fc.asyncProperty(badEvents, async (delivery) => {
    const answer = await send(delivery, [202]);
    const { accepted, duplicates, rejected } = batchAckSchema.parse(answer);
    expect(accepted + duplicates + rejected.length).toBe(EVENT_COUNT);
  });
  await fc.assert(property, { numRuns: 100 });
  expect((await get(platform, "/api/conversations?limit=200")).status).toBe(200);
}, 60_000);

it("answers any bytes in a documented way", async () => {
  const property = fc.asyncProperty(badBytes, async (delivery) => {
    await send(delivery, BATCH_STATUSES);
  });
  await fc.assert(property, { numRuns: 200 });
}, 60_000);

it("answers any damaged agent in a documented way", async () => {
  const property = fc.asyncProperty(badAgent, async (delivery) => {
    const answer = await send(delivery, AGENT_STATUSES);
    if (answer !== undefined) agentInfoSchema.parse(answer);
  });
  await fc.assert(property, { numRuns: 150 });
}, 60_000);
