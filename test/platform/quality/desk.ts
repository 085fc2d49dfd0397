import { expect } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../../src/platform/index.ts";
import { systemClock } from "../../../src/util/clock.ts";
import {
  type Answer,
  createBatch,
  createEvent,
  type JsonObject,
  postBatch,
  START,
  toAnswer,
} from "../helpers.ts";

export const RULE = "consumer-protection-guaranteed-returns";
const USERS = [
  { name: "anna", role: "reviewer", key: "reviewer-key-anna-01" },
  { name: "ben", role: "reviewer", key: "reviewer-key-ben-012" },
  { name: "cara", role: "supervisor", key: "supervisor-key-cara" },
] as const;
export type UserName = (typeof USERS)[number]["name"];
export const keyOf = (name: UserName): string =>
  USERS.find((user) => user.name === name)?.key ?? "";

/** An answer with a finding for each quote; without any, one of which the rules say nothing. */
export function createAnswer(
  sessionId: string,
  quotes: readonly string[] = [],
  more: JsonObject = {},
): JsonObject {
  const content = `Yes: ${quotes.join(", ")}.`;
  const flags = quotes.map((quote, index) => ({
    rule: RULE,
    category: "consumer_protection",
    severity: "violation",
    description: "A return is promised.",
    confidence: 0.97,
    context: { detectedContent: quote, detectedPattern: "promised", spans: [[index, index + 1]] },
  }));
  return createEvent("agent_response", {
    sessionId,
    content,
    contentLength: content.length,
    ...(quotes.length > 0 && { riskScore: 70, requiresReview: true, complianceFlags: flags }),
    ...more,
  });
}

/** A finding that comes by itself, about an answer. */
export const createLate = (answer: JsonObject): JsonObject =>
  createEvent("compliance_violation", {
    sessionId: answer["sessionId"],
    ruleId: RULE,
    violationType: "consumer_protection",
    metadata: {
      eventId: answer["eventId"],
      finding: {
        rule: RULE,
        category: "consumer_protection",
        severity: "warning",
        description: "Found by itself.",
        context: {},
      },
    },
  });

/** Opens a platform with reviewers and a supervisor, and a clock that stands still. */
export async function openDesk(options: PlatformOptions = {}) {
  const time = { now: START };
  const clock = { ...systemClock, now: () => time.now };
  const platform: Platform = await startPlatform({ port: 0, users: USERS, clock, ...options });

  const ask = async (user: UserName, path: string, body?: unknown): Promise<Answer> =>
    toAnswer(
      await fetch(`${platform.url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          authorization: `Bearer ${keyOf(user)}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    );
  const read = async (path: string): Promise<JsonObject> => {
    const { status, body } = await ask("anna", path);
    expect(status).toBe(200);
    return body;
  };
  const list = async (query = ""): Promise<JsonObject[]> =>
    (await read(`/api/reviews${query}`))["items"] as JsonObject[];
  return {
    platform,
    time,
    ask,
    read,
    list,
    async deliver(...events: readonly JsonObject[]): Promise<void> {
      expect((await postBatch(platform, createBatch(events))).status).toBe(202);
    },
    /** Does something with the item of a conversation. */
    async act(user: UserName, conversationId: string, action: object): Promise<Answer> {
      const items = await list("?state=any&limit=200");
      const item = items.find((each) => each["conversationId"] === conversationId);
      return ask(user, `/api/reviews/${String(item?.["key"])}/actions`, action);
    },
    /** Reads the item of a conversation, with findings and sampled answers. */
    async detail(conversationId: string): Promise<JsonObject> {
      const items = await list("?state=any&limit=200");
      const item = items.find((each) => each["conversationId"] === conversationId);
      return read(`/api/reviews/${String(item?.["key"])}`);
    },
    trail: async (action: string): Promise<JsonObject[]> =>
      (await read(`/api/audit?action=${action}`))["records"] as JsonObject[],
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;
