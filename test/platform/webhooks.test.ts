import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import { startChildPlatform } from "./child-platform.ts";
import {
  createBatch,
  createEvent,
  get,
  type JsonObject,
  postBatch,
  START,
  toAnswer,
} from "./helpers.ts";

const KEY = Buffer.from("a secret of at least 24 bytes, shared");
const SECRET = `whsec_${KEY.toString("base64")}`;
const HOUR = 3_600_000;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let receiver: Server;
let url: string;
let statuses: number[];
let received: Received[];
let platform: Platform | undefined;
let now: number;
let directory: string;

beforeEach(async () => {
  [statuses, received, now] = [[], [], START];
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 204, { location: `${url}/elsewhere` }).end();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  await platform?.close();
  platform = undefined;
  receiver.closeAllConnections();
  receiver.close();
  rmSync(directory, { recursive: true, force: true });
});

async function open(options: PlatformOptions = {}): Promise<Platform> {
  const clock = { ...systemClock, now: () => now };
  const webhooks = [{ url, secret: SECRET }];
  const publicUrl = "https://review.bank.example";
  return (platform = await startPlatform({ port: 0, clock, webhooks, publicUrl, ...options }));
}

const CONTENT = "The return is guaranteed, Maria Lopez.";

function createAnswer(overrides: JsonObject = {}): JsonObject {
  const flag = {
    rule: "consumer-protection-guaranteed-returns",
    category: "consumer_protection",
    severity: "violation",
    description: "A return is promised to Maria Lopez.",
    confidence: 0.97,
    context: { detectedContent: CONTENT, detectedPattern: "promised" },
  };
  return createEvent("agent_response", {
    content: CONTENT,
    contentLength: CONTENT.length,
    requiresReview: true,
    complianceFlags: [flag],
    ...overrides,
  });
}

const arrived = (count: number): Promise<void> =>
  vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), {
    timeout: 20_000,
    interval: 50,
  });
/** Waits until it is written down that attempts have failed: from then on the clock counts. */
const failed = (at: Platform, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { body } = await get(at, "/metrics");
      expect(String(body["text"])).toContain(`_webhook_failures_total ${count}\n`);
    },
    { timeout: 20_000, interval: 50 },
  );
const bodies = (): JsonObject[] => received.map(({ body }) => JSON.parse(body) as JsonObject);

async function findKey(at: Platform): Promise<string> {
  const { body } = await get(at, "/api/reviews");
  return String((body["items"] as JsonObject[])[0]?.["key"]);
}

describe("a webhook", () => {
  it("tells of a new violation, signed, and without content", async () => {
    const at = await open();
    await postBatch(at, createBatch([createAnswer()]));
    await arrived(1);
    const key = await findKey(at);
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    expect(JSON.parse(body)).toEqual({
      type: "finding.violation",
      timestamp: new Date(START).toISOString(),
      data: {
        organizationId: "first-bank",
        conversationKey: key,
        link: `https://review.bank.example/#/q/${key}`,
        findingId: expect.any(String) as string,
        offence: expect.any(String) as string,
        rule: "consumer-protection-guaranteed-returns",
        severity: "violation",
        agentId: "agent-1",
      },
    });
    expect(body).not.toMatch(/Maria|guaranteed,/);
    const id = String(headers["webhook-id"]);
    const timestamp = String(headers["webhook-timestamp"]);
    expect(timestamp).toBe(String(START / 1000));
    // As a receiver computes it.
    const expected = createHmac("sha256", KEY)
      .update(`${id}.${timestamp}.${body}`)
      .digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  });

  it("keeps to itself what nobody outside may learn of", async () => {
    const at = await open();
    const secret = {
      rule: "bsa-aml-tipping-off",
      category: "bsa_aml",
      severity: "violation",
      description: "A report is mentioned.",
      context: { detectedContent: "a report", detectedPattern: "report", confidential: true },
    };
    await postBatch(at, createBatch([createAnswer({ sessionId: "a", complianceFlags: [secret] })]));
    await postBatch(at, createBatch([createAnswer({ sessionId: "b" })]));
    await arrived(1);
    expect(received.map(({ body }) => body).join("")).not.toContain("bsa-aml");
    expect((await get(at, "/api/reviews")).body["items"]).toHaveLength(2);
  });

  it("tells of an escalation, of losses, and once of what is overdue", async () => {
    const events = ["review.escalated", "review.overdue", "loss.reported"] as const;
    const at = await open({
      webhooks: [{ url, secret: SECRET, events: [...events] }],
      database: join(directory, "a.db"),
    });
    const dropped = [
      { reason: "queue_full", count: 3 },
      { reason: "expired", count: 4 },
    ];
    await postBatch(
      at,
      createBatch([createAnswer()], { metadata: { batchVersion: "1.0", dropped } }),
    );
    const key = await findKey(at);
    const response = await fetch(`${at.url}/api/reviews/${key}/actions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ action: "escalate", comment: "Maria Lopez is upset" }),
    });
    expect((await toAnswer(response)).status).toBe(200);
    await arrived(2);
    now += 25 * HOUR;
    for (const _time of [1, 2]) {
      await platform?.close();
      await open({ database: join(directory, "a.db") });
      await arrived(3);
    }
    expect(bodies().map(({ type }) => type)).toEqual([
      "loss.reported",
      "review.escalated",
      "review.overdue",
    ]);
    expect(bodies().map(({ data }) => data)).toMatchObject([
      { count: 7 },
      { conversationKey: key, by: "local" },
      { conversationKey: key, dueAt: START + 24 * HOUR },
    ]);
    expect(received.map(({ body }) => body).join("")).not.toContain("Maria");
  });

  it("is sent again with the same id until it is taken, and follows no redirect", async () => {
    statuses = [302, 500];
    const at = await open();
    await postBatch(at, createBatch([createAnswer()]));
    await failed(at, 1);
    now += 5000;
    await failed(at, 2);
    now += 30_000;
    await arrived(3);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await vi.waitFor(async () => {
      const { body } = await get(at, "/metrics");
      const text = String(body["text"]);
      expect(text).toMatch(/_webhooks_delivered_total 1\n/);
      expect(text).toMatch(/_webhook_failures_total 2\n/);
      expect(text).toMatch(/_webhooks_waiting 0\n/);
    });
  });

  it("is not lost when the platform is killed before it is sent", { timeout: 60_000 }, async () => {
    // Nobody listens there, until the platform is dead.
    const { port } = receiver.address() as AddressInfo;
    receiver.close();
    await once(receiver, "close");
    const file = join(directory, "webhooks.json");
    writeFileSync(file, JSON.stringify([{ url, secret: SECRET }]));
    const database = join(directory, "platform.db");
    const args = ["--db", database, "--webhooks", file];
    const child = await startChildPlatform(args);
    const ids = Array.from({ length: 20 }, (_, index) => `session-${index}`);
    for (const sessionId of ids) {
      const { status } = await postBatch(child, createBatch([createAnswer({ sessionId })]));
      expect(status).toBe(202);
    }
    await child.end("SIGKILL");
    receiver.listen(port, "127.0.0.1");
    await once(receiver, "listening");
    now = Date.now() + HOUR;
    await open({ database });
    await arrived(ids.length);
    const keys = bodies().map(({ data }) => (data as { conversationKey: string }).conversationKey);
    expect(new Set(keys).size).toBe(ids.length);
  });
});

it.each<[object, RegExp]>([
  [{ url: "http://bank.example/hook", secret: SECRET }, /webhooks.0.url: expected https/],
  [{ url: "https://bank.example/hook", secret: "abc" }, /webhooks.0.secret: expected whsec_/],
  [{ url: "https://bank.example/hook", secret: SECRET, events: ["other"] }, /webhooks.0.events.0/],
])("says what is wrong with its options: %j", async (webhook, message) => {
  const webhooks = [webhook] as NonNullable<PlatformOptions["webhooks"]>;
  await expect(startPlatform({ port: 0, webhooks })).rejects.toThrow(message);
});
