import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { createBatch, createEvent, get, postBatch, START, type JsonObject } from "./helpers.ts";

let platform: Platform;
beforeEach(async () => {
  platform = await startPlatform({ port: 0 });
});
afterEach(() => platform.close());

const HOUR = 3_600_000;

async function list(query: string): Promise<JsonObject[]> {
  const answer = await get(platform, `/api/conversations?${query}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return answer.body["conversations"] as JsonObject[];
}

/** Reads a list page by page. */
async function listAll(query: string, limit: number): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  for (let before = ""; ;) {
    const { body } = await get(
      platform,
      `/api/conversations?${query}&limit=${limit}${before === "" ? "" : `&before=${before}`}`,
    );
    rows.push(...(body["conversations"] as JsonObject[]));
    if (body["next"] === null) return rows;
    before = body["next"] as string;
  }
}

function say(content: string, overrides: JsonObject = {}): JsonObject {
  return createEvent("user_message", { content, contentLength: content.length, ...overrides });
}

async function find(q: string): Promise<string[]> {
  const rows = await list(`q=${encodeURIComponent(q)}`);
  return rows.map(({ conversationId }) => conversationId as string);
}

describe("a search", () => {
  it("finds words, phrases and beginnings in one message, whatever their case and accents", async () => {
    await postBatch(
      platform,
      createBatch([
        say("Please send the wire to Señor Muñoz today", { sessionId: "a" }),
        say("The wire arrives tomorrow. Please wait.", { sessionId: "b" }),
        createEvent("agent_response", {
          sessionId: "c",
          content: "Send it",
          contentLength: 7,
          timestamp: START - 1,
        }),
      ]),
    );
    expect((await find("wire PLEASE")).toSorted()).toEqual(["a", "b"]);
    expect(await find('"send the wire"')).toEqual(["a"]);
    expect(await find("wire send")).toEqual(["a"]);
    expect(await find("munoz")).toEqual(["a"]);
    expect(await find("tomor*")).toEqual(["b"]);
    expect(await find("tomor")).toEqual([]);
    expect((await find("send")).toSorted()).toEqual(["a", "c"]);
    expect(await find('NOT OR "')).toEqual([]);
    expect(await find("...")).toEqual([]);
  });

  it("shows the place, with identifiers masked and the words marked", async () => {
    const content = `${"word ".repeat(100)}my card 4539 1488 0343 6467 was declined in Málaga ${"tail ".repeat(100)}`;
    await postBatch(platform, createBatch([say(content)]));
    const [row] = await list("q=declined%20malaga");
    const { text, matches } = (row?.["hit"] ?? {}) as { text: string; matches: [number, number][] };
    expect(matches.map(([start, end]) => text.slice(start, end))).toEqual(["declined", "Málaga"]);
    expect(text).not.toContain("4539 1488 0343 6467");
    expect(text.startsWith("…") && text.endsWith("…")).toBe(true);
    expect(text.length).toBeLessThan(260);
  });

  it("has a fuller copy's words in the place of the thinner one's", async () => {
    const eventId = "copied";
    await postBatch(
      platform,
      createBatch([say("first thin", { eventId, metadata: { truncated: true } })]),
    );
    expect(await find("thin")).toHaveLength(1);
    await postBatch(platform, createBatch([say("first whole", { eventId })]));
    expect(await find("thin")).toEqual([]);
    expect(await find("whole")).toHaveLength(1);
  });

  it("never fails, whatever is typed", async () => {
    await postBatch(platform, createBatch([say("something")]));
    const typed = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 120 }),
      fc.string({
        unit: fc.constantFrom('"', "*", "a", " ", "-", "(", ":", "^", "\0"),
        minLength: 1,
      }),
    );
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        const q = encodeURIComponent(text.toWellFormed());
        for (const path of ["conversations?", "conversations/counts?", "reviews?"])
          expect((await get(platform, `/api/${path}q=${q}`)).status).toBe(200);
      }),
      { numRuns: 60 },
    );
  });

  it("finds a conversation by any word of any of its messages", async () => {
    let count = 0;
    const text = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(text, async (words) => {
        const sessionId = `any-${count++}`;
        await postBatch(platform, createBatch([say(words.join(" "), { sessionId })]));
        const [word] = words.flatMap((each) => each.match(/[a-zA-Z0-9À-ÿ]+/gu) ?? []);
        // SQLite knows the letters of Unicode 6.1.
        if (word === undefined || words.some((each) => /[^\u0020-\u017f]/.test(each))) return;
        expect(await find(word)).toContain(sessionId);
      }),
      { numRuns: 60 },
    );
  });
});

const VERSIONS = ["2.3.0", "2.4.0"];
const ENVIRONMENTS = ["production", "staging"];

const event = fc
  .record({
    session: fc.integer({ min: 0, max: 7 }),
    agentVersion: fc.constantFrom(...VERSIONS),
    environment: fc.constantFrom(...ENVIRONMENTS),
    userId: fc.constantFrom("ann", "bob"),
    hour: fc.integer({ min: 0, max: 9 }),
    kind: fc.constantFrom("start", "said", "answer", "flagged", "call", "failed", "error"),
    name: fc.constantFrom("alpha", "beta"),
    riskScore: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ session, hour, kind, name, riskScore, ...shared }) => {
    const base = { ...shared, sessionId: `s-${session}`, timestamp: START + hour * HOUR };
    const answer = { content: `${name} answer`, contentLength: 12, riskScore };
    switch (kind) {
      case "start":
        return createEvent("conversation_start", { ...base, metadata: { channel: name } });
      case "said":
        return createEvent("user_message", { ...base, content: `say ${name}`, contentLength: 9 });
      case "answer":
        return createEvent("agent_response", { ...base, ...answer, metadata: { model: name } });
      case "flagged":
        return createEvent("agent_response", {
          ...base,
          ...answer,
          requiresReview: true,
          complianceFlags: [
            { rule: name, category: "privacy", severity: "warning", description: "d" },
          ],
        });
      case "call":
        return createEvent("tool_call", { ...base, toolName: name });
      case "failed":
        return createEvent("tool_result", { ...base, toolName: name, success: false });
      default:
        return createEvent("error", { ...base, errorType: name });
    }
  });

const VALUES = {
  q: fc.constantFrom("alpha", "beta", "say", "answer"),
  version: fc.constantFrom(...VERSIONS),
  environment: fc.constantFrom(...ENVIRONMENTS),
  customer: fc.constantFrom("ann", "bob"),
  channel: fc.constantFrom("alpha", "beta"),
  model: fc.constantFrom("alpha", "beta"),
  tool: fc.constantFrom("alpha", "beta"),
  error: fc.constantFrom("true", "call"),
  rule: fc.constantFrom("alpha", "beta"),
  severity: fc.constantFrom("warning", "violation"),
  risk: fc.integer({ min: 0, max: 100 }),
  review: fc.constant("true"),
  state: fc.constantFrom("open", "closed"),
  from: fc.integer({ min: 0, max: 9 }).map((hour) => START + hour * HOUR),
  to: fc.integer({ min: 0, max: 9 }).map((hour) => START + hour * HOUR),
};

/** Up to four members of a filter. */
const filter = fc
  .subarray(Object.keys(VALUES) as (keyof typeof VALUES)[], { maxLength: 4 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, VALUES[name]]))));

type Members = Readonly<Record<string, string | number | undefined>>;

/** Says whether a conversation's events meet a filter, as plainly as it can be said. */
function meets(events: readonly JsonObject[], asked: Members): boolean {
  const { version, environment } = asked;
  const inScope = events.filter(
    (each) =>
      (version === undefined || each["agentVersion"] === version) &&
      (environment === undefined || each["environment"] === environment),
  );
  const metadata = (each: JsonObject): JsonObject => (each["metadata"] ?? {}) as JsonObject;
  const has = (name: string, test: (each: JsonObject, value: unknown) => boolean): boolean =>
    asked[name] === undefined || inScope.some((each) => test(each, asked[name]));
  const failed = (each: JsonObject): boolean => each["success"] === false;
  const last = Math.max(...events.map(({ timestamp }) => Number(timestamp)));
  const risks = events.map((each) => Number(each["riskScore"] ?? -1));
  const isFlagged = events.some(({ requiresReview }) => requiresReview === true);
  const texts = events.map(({ content }) => (content ?? "") as string);
  const called = (each: JsonObject): boolean =>
    failed(each) && (asked["tool"] === undefined || each["toolName"] === asked["tool"]);
  return [
    asked["q"] === undefined || texts.some((text) => text.split(" ").includes(String(asked["q"]))),
    inScope.length > 0,
    has("customer", ({ userId }, value) => userId === value),
    has("channel", (each, value) => metadata(each)["channel"] === value),
    has("model", (each, value) => metadata(each)["model"] === value),
    asked["error"] === "call" || has("tool", ({ toolName }, value) => toolName === value),
    has("error", (each, value) =>
      value === "call" ? called(each) : failed(each) || each["interactionType"] === "error",
    ),
    has("rule", ({ complianceFlags = [] }, value) =>
      (complianceFlags as JsonObject[]).some(({ rule }) => rule === value),
    ),
    asked["severity"] === undefined || (asked["severity"] === "warning" && isFlagged),
    asked["risk"] === undefined || Math.max(...risks) >= Number(asked["risk"]),
    asked["review"] === undefined || isFlagged,
    asked["state"] === undefined || (asked["state"] === "open" && isFlagged),
    asked["from"] === undefined || last >= Number(asked["from"]),
    asked["to"] === undefined || last < Number(asked["to"]),
  ].every(Boolean);
}

function byConversation(events: readonly JsonObject[]): Map<string, JsonObject[]> {
  const groups = new Map<string, JsonObject[]>();
  for (const each of events) {
    const id = String(each["sessionId"]);
    groups.set(id, [...(groups.get(id) ?? []), each]);
  }
  return groups;
}

describe("a filter", () => {
  it("returns what a plain filter over the events returns, in each order, each once, and counts it", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 30 }),
        fc.array(filter, { minLength: 4, maxLength: 4 }),
        async (made, filters) => {
          const agentId = `agent-${++run}`;
          const events = made.map((each) => ({
            ...each,
            agentId,
            eventId: `${run}-${String(each["eventId"])}`,
          }));
          for (let index = 0; index < events.length; index += 7)
            expect(
              await postBatch(platform, createBatch(events.slice(index, index + 7))),
            ).toMatchObject({ body: { status: "accepted", duplicates: 0 } });
          const groups = byConversation(events);
          for (const asked of filters) {
            const expected = [...groups].filter(([, own]) => meets(own, asked)).map(([id]) => id);
            const query = new URLSearchParams({ agent: agentId });
            for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
            const orders = {
              time: ({ lastAt }: JsonObject) => -Number(lastAt),
              risk: ({ maxRiskScore }: JsonObject) => -Number(maxRiskScore ?? -1),
              age: ({ startedAt }: JsonObject) => Number(startedAt),
            };
            for (const [order, value] of Object.entries(orders)) {
              const rows = await listAll(`${query.toString()}&order=${order}`, 3);
              const found = rows.map(({ conversationId }) => String(conversationId));
              expect([query.toString(), found.toSorted()]).toEqual([
                query.toString(),
                expected.toSorted(),
              ]);
              const values = rows.map(value);
              expect(values).toEqual(values.toSorted((left, right) => left - right));
            }
            const counts = await get(platform, `/api/conversations/counts?${query.toString()}`);
            expect(counts.body).toMatchObject({ total: expected.length, isCapped: false });
          }
        },
      ),
      { numRuns: 30 },
    );
  }, 240_000);

  it("says version, environment and failed call of one event", async () => {
    const failed = { success: false, toolName: "transfer" };
    await postBatch(
      platform,
      createBatch([
        createEvent("tool_result", {
          ...failed,
          sessionId: "wanted",
          agentVersion: "2.4.0",
          environment: "production",
        }),
        createEvent("tool_result", {
          ...failed,
          sessionId: "other",
          agentVersion: "2.3.0",
          environment: "production",
        }),
        createEvent("user_message", {
          sessionId: "other",
          agentVersion: "2.4.0",
          environment: "production",
        }),
      ]),
    );
    const ids = async (query: string): Promise<unknown[]> =>
      (await list(query)).map(({ conversationId }) => conversationId);
    expect(await ids("error=call&version=2.4.0&environment=production")).toEqual(["wanted"]);
    expect(await ids("error=call&version=2.4.0&tool=transfer&from=2026-11-20")).toEqual(["wanted"]);
    expect(await ids("error=call&version=2.4.0&tool=other")).toEqual([]);
    const { body } = await get(platform, "/api/conversations/counts?version=2.4.0");
    expect(body).toMatchObject({
      total: 2,
      isCapped: false,
      values: {
        version: [
          { value: "2.4.0", count: 2 },
          { value: "2.3.0", count: 1 },
        ],
        failed_call: [{ value: "transfer", count: 2 }],
        environment: [{ value: "production", count: 2 }],
      },
    });
  });

  it.each(["q=", `q=${"x".repeat(257)}`, "from=soon", "order=size", "before=WzFd", "risk=101"])(
    "refuses %s",
    async (query) => {
      const answer = await get(platform, `/api/conversations?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body["code"]).toBe("invalid_query");
    },
  );
});
