import { afterEach, beforeEach, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import {
  createBatch,
  createEvent,
  type JsonObject,
  postBatch,
  START,
  toAnswer,
} from "./helpers.ts";

const HOUR = 3_600_000;
const CARD = "4539 5787 6362 1486";
const USERS = [
  { name: "vera", role: "viewer", key: "viewer-key-0123456789" },
  { name: "anna", role: "reviewer", key: "reviewer-key-anna-01" },
  { name: "cara", role: "supervisor", key: "supervisor-key-cara" },
] as const;
type UserName = (typeof USERS)[number]["name"];

let platform: Platform;
let now: number;
let key: string;

beforeEach(async () => {
  now = START;
  const clock = { ...systemClock, now: () => now };
  const review = { secondReviewFor: ["violation"] } as const;
  platform = await startPlatform({ port: 0, users: USERS, clock, review });
  await postBatch(platform, createBatch([createEvent("agent_response", { riskScore: 4 })]));
  const { body } = await ask("vera", "/api/conversations");
  key = String((body["conversations"] as JsonObject[])[0]?.["key"]);
});
afterEach(() => platform.close());

async function ask(user: UserName, path: string, body?: unknown, headers = {}) {
  const authorization = `Bearer ${USERS.find(({ name }) => name === user)?.key}`;
  const response = await fetch(platform.url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return toAnswer(response);
}

const add = (user: UserName, members: object = {}, headers = {}) =>
  ask(user, "/api/reviews", { key, comment: "a customer has complained", ...members }, headers);

const list = async (query = ""): Promise<JsonObject[]> =>
  (await ask("vera", `/api/reviews${query}`)).body["items"] as JsonObject[];

const listTrail = async (): Promise<JsonObject[]> =>
  (await ask("vera", "/api/audit")).body["records"] as JsonObject[];

const readDetail = (record: JsonObject | undefined): unknown =>
  JSON.parse(String(record?.["detail"]));

const CLOSE = { action: "close", disposition: "acceptable", reasonCode: "disclosed" };
const close = (user: UserName = "anna") => ask(user, `/api/reviews/${key}/actions`, CLOSE);

/** An answer of the same conversation in which a rule has found something. */
const deliverFinding = (severity: string) =>
  postBatch(
    platform,
    createBatch([
      createEvent("agent_response", {
        eventId: "later",
        requiresReview: true,
        complianceFlags: [
          {
            rule: "a-rule",
            category: "privacy",
            severity,
            description: "Found later.",
            confidence: 0.9,
            context: { detectedContent: "said", detectedPattern: "p" },
          },
        ],
      }),
    ]),
  );

it("puts a conversation without findings into the queue, and writes down who and why", async () => {
  expect(await list()).toEqual([]);
  const added = await add("anna");
  expect(added).toMatchObject({
    status: 201,
    body: {
      item: { key, origin: "manual", state: "open", severity: "none", riskScore: 4, finding: null },
    },
  });
  expect(added.headers.get("etag")).toBe('"1"');
  expect(await list("?origin=manual")).toMatchObject([{ key, dueAt: START + 720 * HOUR }]);
  expect(await list("?origin=rule")).toEqual([]);
  const [record, ...others] = await listTrail();
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    actor: "anna",
    role: "reviewer",
    action: "review.add",
    subject: key,
  });
  expect(readDetail(record)).toEqual({
    comment: "a customer has complained",
    queue: "open",
    version: 1,
  });
});

it("takes the severity that a person sees in it, which later findings don't lessen", async () => {
  await add("anna", { severity: "violation" });
  expect(await list()).toMatchObject([{ severity: "violation", dueAt: START + 24 * HOUR }]);
  await deliverFinding("info");
  expect(await list()).toMatchObject([
    { severity: "violation", origin: "manual", finding: { rule: "a-rule" } },
  ]);
  await close();
  expect(await list()).toMatchObject([{ proposal: { disposition: "acceptable", by: "anna" } }]);
});

it("is no less severe than what was found", async () => {
  await deliverFinding("warning");
  await close();
  expect(await add("cara", { severity: "info" })).toMatchObject({
    status: 200,
    body: { item: { severity: "warning" } },
  });
});

it("of a conversation that is in the queue is a conflict, and changes nothing", async () => {
  await add("anna");
  expect(await add("cara")).toMatchObject({
    status: 409,
    body: { code: "review_conflict", detail: "the conversation is in the queue already" },
  });
  expect(await listTrail()).toHaveLength(1);
  expect(await list()).toMatchObject([{ version: 1 }]);
});

it("reopens what was closed, by a supervisor alone", async () => {
  await add("anna");
  await close();
  now += HOUR;
  expect(await add("anna")).toMatchObject({ status: 403, body: { code: "forbidden" } });
  expect(await list("?state=closed")).toHaveLength(1);
  expect(await add("cara", { severity: "warning" })).toMatchObject({ status: 200 });
  expect(await list()).toMatchObject([
    { state: "reopened", outcome: null, closedAt: null, dueAt: START + 121 * HOUR },
  ]);
  const [reopened, refused] = await listTrail();
  expect(refused).toMatchObject({ actor: "anna", action: "review.refused" });
  expect(reopened).toMatchObject({ actor: "cara", action: "review.reopen" });
  expect(readDetail(reopened)).toMatchObject({
    because: "manual",
    former: { disposition: "acceptable", reasonCode: "disclosed" },
    severity: "warning",
  });
});

it("that is sent again under its key is made once", async () => {
  const headers = { "idempotency-key": '"once"' };
  const first = await add("anna", {}, headers);
  expect(first).toMatchObject({ status: 201 });
  expect(await add("anna", {}, headers)).toEqual(first);
  expect(await listTrail()).toHaveLength(1);
});

it("keeps identifiers out of the trail", async () => {
  await add("anna", { comment: `card ${CARD}` });
  const { body } = await ask("vera", "/api/audit");
  expect(JSON.stringify(body)).toContain("**** **** **** 1486");
  expect(JSON.stringify(body)).not.toContain(CARD);
});

it.each([
  ["no conversation", { key: "none" }, 404, "not_found"],
  ["no comment", { comment: " " }, 422, "invalid_action"],
  ["a comment of 5,000 characters", { comment: "x".repeat(5000) }, 422, "invalid_action"],
  ["an unknown severity", { severity: "none" }, 422, "invalid_action"],
  ["an unknown member", { origin: "rule" }, 422, "invalid_action"],
])("of %s is refused", async (_, members, status, code) => {
  expect(await add("anna", members)).toMatchObject({ status, body: { code } });
  expect(await list("?state=any")).toEqual([]);
  expect(await listTrail()).toEqual([]);
});
