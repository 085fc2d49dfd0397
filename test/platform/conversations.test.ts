import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { AGENTS, createConversations } from "./banking-conversations.ts";
import {
  createBatch,
  createEvent,
  get,
  postBatch,
  putAgent,
  START,
  type Answer,
  type JsonObject,
} from "./helpers.ts";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform({ port: 0 });
});
afterEach(() => platform.close());

async function list(query = ""): Promise<JsonObject[]> {
  const { body } = await get(platform, `/api/conversations${query}`);
  return body["conversations"] as JsonObject[];
}

async function seed(): Promise<JsonObject[]> {
  for (const agent of AGENTS) await putAgent(platform, agent, agent.id);
  const events = createConversations(START);
  await postBatch(platform, createBatch(events));
  return events;
}

describe("the list of conversations", () => {
  it("shows the newest first, each summed up", async () => {
    await seed();
    const conversations = await list();
    expect(conversations.map((row) => row["conversationId"])).toEqual([
      "conv-2044",
      "conv-2043",
      "conv-2042",
      "conv-2041",
    ]);
    expect(conversations[2]).toMatchObject({
      title:
        "I have 14,000 dollars in cash from selling my car. Can I deposit it without the bank filing that report?",
      agentName: "Personal banking assistant",
      appearances: [
        {
          environment: "staging",
          version: null,
          category: null,
          specialty: null,
          eventCount: 6,
        },
      ],
      eventCount: 6,
      findingCount: 2,
      maxSeverity: "violation",
      maxRiskScore: 91,
      requiresReview: true,
    });
    expect(conversations[3]).toMatchObject({
      findingCount: 0,
      maxSeverity: "none",
      requiresReview: false,
    });
  });

  it("adds up what comes in later batches, once, in whatever order", async () => {
    const events = createConversations(START);
    for (const event of events.toReversed()) await postBatch(platform, createBatch([event]));
    const inReverse = await list();
    await postBatch(platform, createBatch(events));
    expect(await list()).toEqual(inReverse);
    expect(inReverse.map((row) => row["eventCount"])).toEqual([6, 5, 6, 11]);
    expect(inReverse[3]?.["title"]).toMatch(/^What is the balance/);
  });

  it("goes to review with what a finding that came later says of its answer, and not with what it can't say", async () => {
    const answer = createEvent("agent_response", { riskScore: 0, requiresReview: false });
    const late = (metadata: object) =>
      createEvent("compliance_violation", { severity: "warning", metadata });
    await postBatch(
      platform,
      createBatch([answer, late({ riskScore: 400, requiresReview: "no" })]),
    );
    expect((await list())[0]).toMatchObject({ maxRiskScore: 0, requiresReview: false });
    await postBatch(platform, createBatch([late({ riskScore: 66, requiresReview: true })]));
    expect((await list())[0]).toMatchObject({
      findingCount: 2,
      maxRiskScore: 66,
      requiresReview: true,
    });
  });

  it("filters by severity, review and agent", async () => {
    await seed();
    const ids = async (query: string) => (await list(query)).map((row) => row["conversationId"]);
    expect(await ids("?severity=violation")).toEqual(["conv-2042"]);
    expect(await ids("?severity=warning")).toEqual(["conv-2043", "conv-2042"]);
    expect(await ids("?review=true")).toEqual(["conv-2043", "conv-2042"]);
    expect(await ids("?agent=fraud-desk")).toEqual(["conv-2044"]);
  });

  it("goes through pages without losing or repeating one, also when times are equal", async () => {
    const events = Array.from({ length: 7 }, (_, index) =>
      createEvent("user_message", { sessionId: `s-${index}` }),
    );
    await postBatch(platform, createBatch(events));
    const seen: unknown[] = [];
    let place: string | null = "";
    while (place !== null) {
      const { body }: Answer = await get(platform, `/api/conversations?limit=3${place}`);
      seen.push(...(body["conversations"] as JsonObject[]).map((row) => row["conversationId"]));
      const next = body["next"] as string | null;
      place = next && `&before=${next}`;
    }
    expect(seen).toEqual(["s-6", "s-5", "s-4", "s-3", "s-2", "s-1", "s-0"]);
  });

  it("keeps organizations and agents apart, and names the session where there is no conversation id", async () => {
    await postBatch(
      platform,
      createBatch([createEvent(), createEvent("user_message", { agentId: "agent-2" })]),
    );
    const other = createBatch([createEvent()], { organizationId: "second-bank" });
    await postBatch(platform, other, { organizationId: "second-bank" });
    const rows = await list();
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map((row) => row["key"])).size).toBe(3);
    expect(rows.every((row) => row["conversationId"] === "session-1")).toBe(true);
  });
});

describe("one conversation", () => {
  it("gives its events in order of time, page by page", async () => {
    const events = await seed();
    const key = String((await list())[3]?.["key"]);
    const expected = events.filter((event) => event["conversationId"] === "conv-2041");
    const all = await get(platform, `/api/conversations/${key}`);
    expect(all.body).toMatchObject({ conversation: { key }, events: expected, next: null });
    const first = await get(platform, `/api/conversations/${key}?limit=4`);
    expect(first.body).toMatchObject({ events: expected.slice(0, 4), next: 4 });
    const rest = await get(platform, `/api/conversations/${key}?limit=900&offset=4`);
    expect(rest.body).toMatchObject({ events: expected.slice(4), next: null });
  });

  it("is missing when its key is unknown", async () => {
    for (const path of ["/api/conversations/nope", "/api/events/nope", "/api/agents/nope"]) {
      expect(await get(platform, path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });
});

it("gives an event with its batch and conversation", async () => {
  const event = createEvent();
  const batch = createBatch([event]);
  await postBatch(platform, batch);
  const { body } = await get(
    platform,
    `/api/events/${String(event["eventId"])}?organization=first-bank`,
  );
  expect(body).toMatchObject({ event, organizationId: "first-bank", batchId: batch["batchId"] });
  expect((await list())[0]?.["key"]).toBe(body["conversationKey"]);
  expect(
    (await get(platform, `/api/events/${String(event["eventId"])}?organization=other`)).status,
  ).toBe(404);
});
