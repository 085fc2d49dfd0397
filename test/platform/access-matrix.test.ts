import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import { createBatch, createEvent, type JsonObject, KEY, postBatch, START } from "./helpers.ts";

const ROLES = ["viewer", "reviewer", "supervisor", "admin"] as const;
type Role = (typeof ROLES)[number];
const USERS = ROLES.map((role) => ({ name: `the ${role}`, role, key: `${role}-key-0123456789` }));

const CARD = "4539 5787 6362 1486";
const MASKED = "**** **** **** 1486";

let platform: Platform;
let now = START;
let key = "";

beforeEach(async () => {
  now = START;
  const clock = { ...systemClock, now: () => now };
  platform = await startPlatform({ port: 0, users: USERS, apiKey: KEY, clock });
  await deliver();
});
afterEach(() => platform.close());

/** Delivers a conversation with a card and a finding. */
async function deliver(): Promise<void> {
  const content = `Is ${CARD} my card?`;
  const answer = `${CARD} is your card, and the return is guaranteed.`;
  const flag = {
    rule: "privacy-card-number",
    category: "privacy",
    severity: "violation",
    description: "A card number is repeated.",
    confidence: 0.9,
    context: { detectedContent: answer, detectedPattern: "card" },
  };
  await postBatch(
    platform,
    createBatch([
      createEvent("user_message", { content, contentLength: content.length }),
      createEvent("agent_response", {
        content: answer,
        contentLength: answer.length,
        requiresReview: true,
        complianceFlags: [flag],
      }),
    ]),
  );
  const { body } = await ask("viewer", "GET", "/api/reviews");
  key = String((body["items"] as JsonObject[])[0]?.["key"]);
}

/** Sends a request as somebody; the answer has the body as text, and as JSON where it is. */
async function ask(
  role: Role | "nobody",
  method: string,
  path: string,
  body?: unknown,
  at = platform,
) {
  const response = await fetch(at.url + path, {
    method,
    headers: {
      ...(role !== "nobody" && { authorization: `Bearer ${role}-key-0123456789` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /[/+]json$/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, text, body: isJson ? (JSON.parse(text) as JsonObject) : {} };
}

const trail = async (): Promise<JsonObject[]> =>
  (await ask("viewer", "GET", "/api/audit")).body["records"] as JsonObject[];

/** Each route with the least role that may, and what stands in the trail where a role may not. */
interface RouteCase {
  readonly method: string;
  readonly path: string;
  readonly least: Role;
  readonly refused?: string;
  readonly body?: unknown;
}
const reads = (path: string): RouteCase => ({ method: "GET", path, least: "viewer" });
const ROUTES: readonly RouteCase[] = [
  reads("/api/me"),
  reads("/api/stats"),
  reads("/metrics"),
  reads("/api/conversations"),
  reads("/api/conversations/{key}"),
  reads("/api/events"),
  reads("/api/batches"),
  reads("/api/agents"),
  reads("/api/traces"),
  reads("/api/logs"),
  reads("/api/reviews"),
  reads("/api/reviews/{key}"),
  reads("/api/audit"),
  reads("/api/audit/export"),
  { ...reads("/api/batches/export"), least: "supervisor", refused: "batches.refused" },
  {
    method: "POST",
    path: "/api/conversations/{key}/unmask",
    least: "reviewer",
    refused: "conversation.refused",
    body: { reason: "to call the customer" },
  },
  {
    method: "POST",
    path: "/api/reviews",
    least: "reviewer",
    refused: "review.refused",
    body: { key: "{key}", comment: "look at it" },
  },
  {
    method: "POST",
    path: "/api/reviews/{key}/actions",
    least: "reviewer",
    refused: "review.refused",
    body: { action: "claim" },
  },
  {
    method: "POST",
    path: "/api/reviews/{key}/actions",
    least: "supervisor",
    refused: "review.refused",
    body: { action: "assign", assignee: "the reviewer" },
  },
];

/** The same with the key of the conversation in its body. */
const fill = (body: unknown): unknown =>
  body === undefined ? undefined : JSON.parse(JSON.stringify(body).replace("{key}", key));

describe("each role", () => {
  it.each(ROUTES)("$method $path needs $least", async (route) => {
    const { method, path, least, refused, body } = route;
    const address = path.replace("{key}", key);
    const sent = fill(body);
    expect((await ask("nobody", method, address, sent)).status).toBe(401);
    for (const role of ROLES) {
      const before = (await trail()).length;
      const { status, body: answer } = await ask(role, method, address, sent);
      if (ROLES.indexOf(role) >= ROLES.indexOf(least)) {
        // Somebody before may have claimed it.
        expect([200, 409], role).toContain(status);
        continue;
      }
      expect({ status, code: answer["code"] }, role).toEqual({ status: 403, code: "forbidden" });
      const [last, ...others] = await trail();
      expect(others).toHaveLength(before);
      expect(last).toMatchObject({ action: refused, actor: `the ${role}`, role });
    }
  });
});

describe("masking", () => {
  it("hides a card in every answer", async () => {
    const paths = [
      "/api/conversations",
      `/api/conversations/${key}`,
      "/api/events",
      "/api/reviews",
      `/api/reviews/${key}`,
    ];
    for (const path of paths) {
      const text = JSON.stringify((await ask("admin", "GET", path)).body);
      expect(text, path).toContain(MASKED);
      expect(text, path).not.toContain(CARD);
    }
    const { body } = await ask("admin", "GET", "/api/events");
    const event = (body["events"] as JsonObject[])[0] as { event: { eventId: string } };
    const one = await ask("admin", "GET", `/api/events/${event.event.eventId}`);
    expect(JSON.stringify(one.body)).toContain(MASKED);
  });

  it("shows it to who says why, for ten minutes, and writes that down", async () => {
    const path = `/api/conversations/${key}?unmasked=true`;
    expect(await ask("reviewer", "GET", path)).toMatchObject({ status: 403 });
    const reason = `the customer asks about ${CARD}`;
    const unmask = `/api/conversations/${key}/unmask`;
    expect((await ask("reviewer", "POST", unmask, { reason })).body).toEqual({
      key,
      until: START + 600_000,
    });
    expect(JSON.stringify((await ask("reviewer", "GET", path)).body)).toContain(CARD);
    expect(
      JSON.stringify((await ask("reviewer", "GET", `/api/reviews/${key}?unmasked=true`)).body),
    ).toContain(CARD);
    expect(
      JSON.stringify((await ask("reviewer", "GET", `/api/conversations/${key}`)).body),
    ).not.toContain(CARD);
    expect(await ask("supervisor", "GET", path)).toMatchObject({ status: 403 });
    const [last] = await trail();
    expect(last).toMatchObject({
      action: "conversation.unmask",
      subject: key,
      actor: "the reviewer",
    });
    expect(JSON.parse(String(last?.["detail"]))).toEqual({
      reason: `the customer asks about ${MASKED}`,
      until: START + 600_000,
    });
    now += 600_000;
    expect(await ask("reviewer", "GET", path)).toMatchObject({ status: 403 });
  });

  it.each([
    {},
    { reason: "" },
    { reason: " " },
    { reason: "x".repeat(1001) },
    { reason: "ok", other: 1 },
  ])("takes no such reason: %j", async (body) => {
    const answer = await ask("reviewer", "POST", `/api/conversations/${key}/unmask`, body);
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_action" } });
    expect(await trail()).toEqual([]);
  });

  it("hides identifiers in comments before they are written down", async () => {
    const comment = `said ${CARD}`;
    await ask("reviewer", "POST", `/api/reviews/${key}/actions`, { action: "comment", comment });
    const { text } = await ask("viewer", "GET", "/api/audit/export");
    expect(text).toContain(`said ${MASKED}`);
  });

  it("may be left to a higher role", async () => {
    await platform.close();
    platform = await startPlatform({ port: 0, users: USERS, unmaskRole: "supervisor" });
    await deliver();
    const unmask = `/api/conversations/${key}/unmask`;
    expect((await ask("reviewer", "POST", unmask, { reason: "why not" })).status).toBe(403);
    expect((await ask("supervisor", "POST", unmask, { reason: "why not" })).status).toBe(200);
    const given = { port: 0, unmaskRole: "boss" as "admin" };
    await expect(startPlatform(given)).rejects.toThrow(/unmaskRole must be viewer, reviewer/);
  });
});

it("takes users with hashes of their keys", async () => {
  const keyHash = "sha256:f5c8cf4cf5b9b4d0d6aefb6bb4ee9e7c5d0c8c9eb5d4e2b7a0a6d3d2b0c9a8f7";
  await (
    await startPlatform({ port: 0, users: [{ name: "anna", role: "viewer", keyHash }] })
  ).close();
  for (const user of [
    { name: "anna", role: "viewer" },
    { name: "anna", role: "viewer", keyHash, key: "viewer-key-0123456789" },
    { name: "anna", role: "viewer", keyHash: "abc" },
  ] as const)
    await expect(startPlatform({ port: 0, users: [user] })).rejects.toThrow(/platform: users: 0/);
});
