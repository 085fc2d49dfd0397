import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readBatches } from "../../src/cli/read-batches.ts";
import { verifyBatches } from "../../src/delivery/chain/verify-chain.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createChainWriter, rehash, resum } from "../helpers/chained-batches.ts";
import {
  createBatch,
  createEvent,
  get,
  postBatch,
  START,
  type Answer,
  type JsonObject,
} from "./helpers.ts";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform({ port: 0 });
});
afterEach(() => platform.close());

const EVENT_ID = "019aa1f2-0000-7000-8000-000000000001";
const TEXT = "What is the fee for a wire transfer?";

/** A copy of one event; its length is that of the whole. */
function copyOf(content: string, metadata?: JsonObject, rest: JsonObject = {}): JsonObject {
  const length = { contentLength: TEXT.length };
  const said = { eventId: EVENT_ID, content, ...length, ...(metadata && { metadata }), ...rest };
  return createEvent("user_message", said);
}

const WHOLE = copyOf(TEXT);
const CUT = copyOf(TEXT.slice(0, 20), { truncated: true });
const SHORTER = copyOf(TEXT.slice(0, 5), { truncated: true });
const EMPTY = copyOf("", { captured: false });

async function post(...events: readonly JsonObject[]): Promise<Answer> {
  return postBatch(platform, createBatch(events));
}

async function stored(eventId = EVENT_ID): Promise<JsonObject> {
  const { body } = await get(platform, `/api/events/${eventId}`);
  return body["event"] as JsonObject;
}

async function exported(): Promise<string[]> {
  const text = await (await fetch(`${platform.url}/api/batches/export`)).text();
  return text.trim().split("\n");
}

describe("an event that comes in several copies", () => {
  it.each([
    ["the whole one", WHOLE, [CUT, SHORTER, EMPTY]],
    ["of two parts the longer one", CUT, [SHORTER, EMPTY]],
    ["a part before nothing", SHORTER, [EMPTY]],
  ])("is stored as %s, in whatever order they come", async (_, best, others) => {
    for (const thin of others) {
      for (const order of [
        [thin, best],
        [best, thin],
      ]) {
        await platform.close();
        platform = await startPlatform({ port: 0 });
        for (const copy of order) expect((await post(copy)).status).toBe(202);
        expect(await stored()).toEqual(best);
      }
    }
  });

  it("counts once, whichever is stored", async () => {
    await post(CUT, createEvent());
    const { body } = await post(WHOLE, createEvent());
    expect(body).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await platform.stats()).toMatchObject({ events: 3, duplicates: 1 });
    const { body: listed } = await get(platform, "/api/events");
    expect(listed["events"]).toHaveLength(3);
  });

  it("keeps the first of two that have the same", async () => {
    await post(WHOLE);
    await post({ ...WHOLE, content: TEXT.toUpperCase() });
    expect(await stored()).toEqual(WHOLE);
  });

  it("is found with its conversation as the fuller one has it", async () => {
    const answer = (metadata: JsonObject, rest: JsonObject): JsonObject =>
      createEvent("agent_response", {
        eventId: `${EVENT_ID}-a`,
        timestamp: START + 1,
        metadata,
        ...rest,
      });
    await post(
      EMPTY,
      answer({ captured: false }, { content: "", contentLength: 8, requiresReview: true }),
    );
    const list = async (): Promise<JsonObject | undefined> => {
      const { body } = await get(platform, "/api/conversations");
      return (body["conversations"] as JsonObject[])[0];
    };
    expect(await list()).toMatchObject({ title: "", requiresReview: true, findingCount: 0 });
    const flag = {
      rule: "own-rule",
      category: "custom",
      severity: "warning",
      description: "d",
    };
    const said = { agentVersion: "2.0", environment: "production" } as const;
    await post(
      { ...WHOLE, ...said },
      answer(
        {},
        {
          ...said,
          content: "25 euros",
          contentLength: 8,
          complianceFlags: [flag],
          riskScore: 30,
          requiresReview: false,
        },
      ),
    );
    expect(await list()).toMatchObject({
      title: TEXT,
      eventCount: 2,
      findingCount: 1,
      maxSeverity: "warning",
      maxRiskScore: 30,
      requiresReview: false,
      startedAt: START,
      lastAt: START + 1,
      appearances: [{ version: "2.0", environment: "production", eventCount: 2 }],
    });
    const { body } = await get(platform, "/api/events?environment=production&version=2.0");
    expect(body["events"]).toHaveLength(2);
  });

  it.each([
    ["of another conversation", { sessionId: "session-2" }],
    ["of another agent", { agentId: "agent-2" }],
  ])("is not replaced by an event %s under its id", async (_, rest) => {
    await post(CUT);
    await post(copyOf(TEXT, undefined, rest));
    expect(await stored()).toEqual(CUT);
  });

  it("is not replaced by one of another kind under its id, nor by one of another organization", async () => {
    await post(CUT);
    await post(createEvent("agent_response", { eventId: EVENT_ID }));
    await postBatch(platform, createBatch([WHOLE], { organizationId: "other-bank" }), {
      organizationId: "other-bank",
    });
    const { body } = await get(platform, `/api/events/${EVENT_ID}?organization=first-bank`);
    expect(body["event"]).toEqual(CUT);
  });

  it("leaves every batch as it came, and each chain verified", async () => {
    const copies = [SHORTER, CUT, WHOLE, EMPTY];
    const writers = copies.map((copy, index) => {
      const writer = createChainWriter();
      const batch = writer.plan({ sequences: [1, 2, 3] });
      Object.assign(batch.events[1]!, { ...copy, requestId: `request-${index}` });
      rehash(resum(batch));
      return writer.planned[0]!;
    });
    for (const batch of writers) await postBatch(platform, batch);
    expect(await stored()).toMatchObject({ content: TEXT });
    expect(await exported()).toEqual(writers.map((batch) => JSON.stringify(batch)));
    const source = { target: platform.url, apiKey: undefined, organizationId: undefined };
    const report = await verifyBatches(readBatches({ ...source, onUnreadable: () => undefined }));
    expect(report).toMatchObject({ status: "verified", batches: 4 });
  });

  it("ends as the fullest one with all batches whole, whatever comes in whatever order", async () => {
    const copies = [WHOLE, CUT, SHORTER, EMPTY];
    const batches = fc.array(
      fc.array(fc.record({ id: fc.nat(2), copy: fc.nat(3) }), { minLength: 1, maxLength: 4 }),
      { minLength: 1, maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (list) => {
        await platform.close();
        platform = await startPlatform({ port: 0 });
        const best = new Map<string, number>();
        const bodies = [];
        for (const picks of list) {
          const events = picks.map(({ id, copy }) => {
            const eventId = `event-${id}`;
            best.set(eventId, Math.min(best.get(eventId) ?? 3, copy));
            return { ...copies[copy], eventId };
          });
          const batch = createBatch(events);
          bodies.push(JSON.stringify(batch));
          expect((await postBatch(platform, batch)).status).toBe(202);
        }
        expect(await exported()).toEqual(bodies);
        for (const [eventId, copy] of best)
          expect(await stored(eventId)).toEqual({ ...copies[copy], eventId });
        expect((await platform.stats()).events).toBe(best.size);
      }),
      { numRuns: 40 },
    );
  });
});
