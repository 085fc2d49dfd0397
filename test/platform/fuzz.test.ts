import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { agentInfoSchema } from "../../src/events/agent.ts";
import { batchAckSchema, problemSchema } from "../../src/events/wire.ts";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createConversations } from "./banking-conversations.ts";
import {
  createAgent,
  createBatch,
  get,
  postBatch,
  putAgent,
  START,
  type Answer,
  type JsonObject,
} from "./helpers.ts";
import { applyAll, type Mutation, mutation } from "./mutations.ts";

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, maxBodyBytes: 100_000 });
});
afterAll(() => platform.close());

const BATCH_STATUSES = [200, 202, 400, 401, 403, 409, 413, 415, 422];
const AGENT_STATUSES = [200, 201, 400, 401, 403, 413, 415, 422];

function expectDocumented(answer: Answer, statuses: readonly number[]): void {
  expect(statuses).toContain(answer.status);
  if (answer.status < 300) return;
  expect(problemSchema.parse(answer.body).status).toBe(answer.status);
}

function resum(batch: JsonObject, changes: readonly Mutation[]): JsonObject {
  const events = createConversations(START).map((event, index) =>
    index % 3 === 0 ? applyAll(event, changes) : event,
  );
  return createBatch(events, { batchId: batch["batchId"] });
}

it("answers any damaged batch in a documented way", async () => {
  const property = fc.asyncProperty(
    fc.array(mutation, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    async (mutations, gzip) => {
      const batch = applyAll(createBatch(createConversations(START)), mutations);
      const answer = await postBatch(platform, batch, { gzip });
      expectDocumented(answer, BATCH_STATUSES);
      if (answer.status < 300) batchAckSchema.parse(answer.body);
    },
  );
  await fc.assert(property, { numRuns: 150 });
}, 60_000);

it("answers any damaged events in a batch whose sums are right, and accounts for every one", async () => {
  const property = fc.asyncProperty(
    fc.array(mutation, { minLength: 1, maxLength: 4 }),
    async (mutations) => {
      const batch = resum(createBatch(), mutations);
      const answer = await postBatch(platform, batch);
      expectDocumented(answer, [202]);
      const { accepted, duplicates, rejected } = batchAckSchema.parse(answer.body);
      expect(accepted + duplicates + rejected.length).toBe(batch["eventCount"]);
    },
  );
  await fc.assert(property, { numRuns: 100 });
  expect((await get(platform, "/api/conversations?limit=200")).status).toBe(200);
}, 60_000);

it("answers any bytes in a documented way", async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array)),
    fc.json().map((text) => Buffer.from(text)),
    fc.tuple(fc.nat(400), fc.nat(255)).map(([at, byte]) => {
      const text = Buffer.from(JSON.stringify(createBatch()));
      text[at % text.length] = byte;
      return text;
    }),
  );
  const header = fc.option(
    fc.string({ unit: fc.constantFrom(...Array.from('abc"\\=:;, -/*256sha')), maxLength: 60 }),
    { nil: undefined },
  );
  const headers = fc.record({
    digest: header,
    key: header,
    encoding: fc.constantFrom(undefined, "gzip", "br", "gzip, gzip"),
  });
  const property = fc.asyncProperty(bytes, headers, async (body, { digest, key, encoding }) => {
    const answer = await postBatch(platform, body, {
      headers: {
        ...(digest !== undefined && { "content-digest": digest }),
        ...(key !== undefined && { "idempotency-key": key }),
        ...(encoding !== undefined && { "content-encoding": encoding }),
      },
    });
    expectDocumented(answer, BATCH_STATUSES);
  });
  await fc.assert(property, { numRuns: 200 });
}, 60_000);

it("answers any damaged agent in a documented way", async () => {
  const property = fc.asyncProperty(fc.array(mutation, { maxLength: 3 }), async (mutations) => {
    const agent = applyAll(
      createAgent({
        availableTools: [{ name: "t", description: "", category: "c", riskLevel: "low" }],
      }),
      mutations,
    );
    const id =
      typeof agent["id"] === "string" && agentInfoSchema.safeParse(agent).success
        ? agent["id"]
        : "agent-1";
    if (/\p{Surrogate}/u.test(id)) return;
    const answer = await putAgent(platform, agent, id);
    expectDocumented(answer, AGENT_STATUSES);
    if (answer.status < 300) agentInfoSchema.parse(answer.body);
  });
  await fc.assert(property, { numRuns: 150 });
}, 60_000);
