import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../../src/platform/index.ts";
import {
  createBatch,
  createEvent,
  get,
  postBatch,
  toAnswer,
  type Answer,
  type JsonObject,
} from "../helpers.ts";
import { toAddress } from "./open-database.ts";

const USERS = [
  { name: "anna", role: "reviewer", key: "reviewer-key-anna-01" },
  { name: "ben", role: "reviewer", key: "reviewer-key-ben-012" },
] as const;
const CLOSE = { action: "close", disposition: "false_positive", reasonCode: "definition" };

let database: string;
beforeEach(async () => {
  database = await toAddress(":memory:");
});

/** Starts two platforms on one database, at once. */
function openTwo(options: PlatformOptions = {}): Promise<Platform[]> {
  const open = async (): Promise<Platform> => {
    const platform = await startPlatform({ port: 0, database, ...options });
    onTestFinished(() => platform.close());
    return platform;
  };
  return Promise.all([open(), open()]);
}

const createAnswer = (sessionId: string): JsonObject =>
  createEvent("agent_response", { sessionId, riskScore: 80, requiresReview: true });

const sortStatuses = (answers: readonly { status: number }[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

describe("two replicas on one database", () => {
  it("show at once what came to the other one", async () => {
    const [one, other] = (await openTwo()) as [Platform, Platform];
    for (let count = 1; count <= 10; count++) {
      const [to, from] = count % 2 === 0 ? [one, other] : [other, one];
      expect((await postBatch(to, createBatch())).status).toBe(202);
      expect(await from.stats()).toMatchObject({ batches: count, events: count });
      const { body } = await get(from, "/api/conversations");
      expect(body["conversations"]).toMatchObject([{ eventCount: count }]);
    }
  });

  it("store a batch once that both get at the same time", async () => {
    const platforms = await openTwo();
    for (let count = 1; count <= 10; count++) {
      const batch = createBatch([createEvent(), createAnswer(`session-${count}`)]);
      const answers = await Promise.all(platforms.map((each) => postBatch(each, batch)));
      expect(sortStatuses(answers)).toEqual([200, 202]);
    }
    expect(await platforms[0]?.stats()).toMatchObject({ batches: 10, events: 20 });
  });

  it("store spans once that both get at the same time", async () => {
    const platforms = await openTwo();
    const spans = Array.from({ length: 600 }, (_, index) => ({
      traceId: "5b8efff798038103d269b633813fc60c",
      spanId: String(index + 1).padStart(16, "0"),
      name: "GET /accounts",
    }));
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const headers = { "content-type": "application/json" };
    const answers = await Promise.all(
      platforms.map(({ url }) => fetch(`${url}/v1/traces`, { method: "POST", headers, body })),
    );
    expect(sortStatuses(answers)).toEqual([200, 200]);
    for (const each of platforms)
      expect((await get(each, "/api/traces")).body["traces"]).toMatchObject([{ spanCount: 600 }]);
  });
});

describe("two reviewers at two replicas", () => {
  const ask = async (
    user: (typeof USERS)[number],
    { url }: Platform,
    path: string,
    init: { readonly body?: object; readonly tag?: string } = {},
  ): Promise<Answer> =>
    toAnswer(
      await fetch(url + path, {
        method: init.body ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${user.key}`,
          ...(init.body && { "content-type": "application/json" }),
          ...(init.tag !== undefined && { "if-match": init.tag }),
        },
        ...(init.body && { body: JSON.stringify(init.body) }),
      }),
    );

  it("act on an item at the same time: one is the first, the other learns of it", async () => {
    const platforms = await openTwo({ users: USERS });
    const [one] = platforms as [Platform];
    const answers = Array.from({ length: 6 }, (_, index) => createAnswer(`session-${index}`));
    await postBatch(one, createBatch(answers));
    const { items } = (await ask(USERS[0], one, "/api/reviews")).body as { items: JsonObject[] };
    const keys = items.map(({ key }) => String(key));
    expect(keys).toHaveLength(6);
    for (const [index, key] of keys.entries()) {
      const path = `/api/reviews/${key}`;
      const tag = (await ask(USERS[0], one, path)).headers.get("etag") ?? "";
      const [body, refused] = index % 2 === 0 ? [{ action: "claim" }, 409] : [CLOSE, 412];
      const both = await Promise.all(
        platforms.map((platform, at) =>
          ask(USERS[at === 0 ? 0 : 1], platform, `${path}/actions`, {
            body,
            ...(refused === 412 && { tag }),
          }),
        ),
      );
      expect(sortStatuses(both)).toEqual([200, refused]);
      for (const platform of platforms)
        expect((await ask(USERS[0], platform, path)).body["history"]).toHaveLength(1);
    }
  });
});

it("send each message of a webhook once, whichever of them stored what it is about", async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    request.resume();
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void receiver.close());
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const secret = `whsec_${Buffer.from("a secret of at least 24 bytes, shared").toString("base64")}`;
  const publicUrl = "https://review.bank.example";
  const platforms = await openTwo({ webhooks: [{ url, secret }], publicUrl });
  const flag = {
    rule: "consumer-protection-guaranteed-returns",
    category: "consumer_protection",
    severity: "violation",
    description: "A return is promised.",
    confidence: 0.97,
    context: { detectedContent: "sure", detectedPattern: "promised" },
  };
  for (let count = 0; count < 20; count++) {
    const answer = { ...createAnswer(`session-${count}`), complianceFlags: [flag] };
    const to = platforms[count % 2] as Platform;
    expect((await postBatch(to, createBatch([answer]))).status).toBe(202);
  }
  const readLeft = async () =>
    String((await get(platforms[0] as Platform, "/metrics")).body["text"]);
  await expect.poll(() => new Set(received).size, { timeout: 30_000 }).toBe(20);
  await expect.poll(readLeft, { timeout: 30_000 }).toMatch(/_webhooks_waiting 0\n/);
  expect(received).toHaveLength(20);
});
