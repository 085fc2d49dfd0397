import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listEntries } from "../../.ci/docs/registry.ts";
import { startPlatform, type Platform, type PlatformOptions } from "../../src/platform/index.ts";
import { systemClock } from "../../src/util/clock.ts";
import { startChildPlatform } from "./child-platform.ts";
import {
  createBatch,
  createEvent,
  get,
  type JsonObject,
  KEY,
  postBatch,
  START,
  toAnswer,
} from "./helpers.ts";

const RULE = "consumer-protection-guaranteed-returns";
const SECRET_RULE = "bsa-aml-suspicious-activity-report";
const CONTENT = "The return is guaranteed, Maria Lopez.";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const CLOSE = { action: "close", disposition: "false_positive", reasonCode: "definition" };

let platform: Platform;
let receiver: Platform;
let now: number;
let directory: string;
const opened: Platform[] = [];

async function open(options: PlatformOptions = {}): Promise<Platform> {
  const clock = { ...systemClock, now: () => now };
  const started = await startPlatform({ port: 0, clock, ...options });
  opened.push(started);
  return started;
}

const HEADERS = { authorization: `Bearer ${KEY}`, "x-organization-id": "first-bank" };
const toEvaluations = (at: Platform) => ({ url: `${at.url}/v1/logs`, headers: HEADERS });

beforeEach(async () => {
  now = START;
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  receiver = await open({ apiKey: KEY });
  platform = await open({ evaluations: toEvaluations(receiver) });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
  rmSync(directory, { recursive: true, force: true });
});

function toFlag(rule: string, pattern: string, context: JsonObject = {}): JsonObject {
  return {
    rule,
    category: "consumer_protection",
    severity: "violation",
    description: "A return is promised to Maria Lopez.",
    confidence: 0.97,
    context: { detectedContent: CONTENT, detectedPattern: pattern, ...context },
  };
}

function createAnswer(flags: readonly JsonObject[], overrides: JsonObject = {}): JsonObject {
  return createEvent("agent_response", {
    content: CONTENT,
    contentLength: CONTENT.length,
    requiresReview: true,
    complianceFlags: flags,
    ...overrides,
  });
}

async function findKey(at: Platform | { readonly url: string }): Promise<string> {
  const response = await toAnswer(await fetch(`${at.url}/api/reviews`));
  return String((response.body["items"] as JsonObject[])[0]?.["key"]);
}

async function actOn(at: { readonly url: string }, key: string, action: object): Promise<number> {
  const response = await fetch(`${at.url}/api/reviews/${key}/actions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(action),
  });
  return response.status;
}

/** Log records of the platform that receives them, in order of arrival. */
async function readRecords(): Promise<JsonObject[]> {
  const { body } = await get(receiver, "/api/logs", { authorization: `Bearer ${KEY}` });
  const logs = body["logs"] as { readonly record: JsonObject }[];
  return logs.map(({ record }) => record).toReversed();
}

async function waitForRecords(count: number): Promise<JsonObject[]> {
  return vi.waitFor(
    async () => {
      const records = await readRecords();
      expect(records).toHaveLength(count);
      return records;
    },
    { timeout: 20_000, interval: 50 },
  );
}

const readAttributes = (records: readonly JsonObject[]) =>
  records.map(({ attributes }) => attributes as JsonObject);

describe("a decision", () => {
  it("is an evaluation of a person, in the trace of its answer, and without content", async () => {
    const metadata = { traceId: TRACE, spanId: SPAN, responseId: "chatcmpl-7" };
    const answer = createAnswer([toFlag(RULE, "promised")], { metadata, agentVersion: "2.4.0" });
    await postBatch(platform, createBatch([answer]));
    const key = await findKey(platform);
    now += 1000;
    expect(await actOn(platform, key, { ...CLOSE, comment: "Maria Lopez asked" })).toBe(200);
    const [ofItem, ofFinding] = await waitForRecords(2);
    expect(ofFinding).toMatchObject({
      eventName: "gen_ai.evaluation.result",
      severityNumber: 9,
      timeUnixNano: `${START + 1000}000000`,
      traceId: TRACE,
      spanId: SPAN,
    });
    const common = {
      "log.record.uid": expect.any(String) as string,
      "gen_ai.evaluation.name": "agent_monitor.review",
      "gen_ai.evaluation.score.label": "false_positive",
      "gen_ai.evaluation.explanation": "definition",
      "agent_monitor.evaluator.id": "agent-monitor.review",
      "agent_monitor.evaluator.type": "human",
      "agent_monitor.review.audit_sequence": 1,
      "gen_ai.agent.id": "agent-1",
      "gen_ai.conversation.id": "session-1",
    };
    expect(readAttributes([ofItem ?? {}, ofFinding ?? {}])).toEqual([
      common,
      {
        ...common,
        "agent_monitor.compliance.rule.id": RULE,
        "agent_monitor.compliance.rule.category": "consumer_protection",
        "agent_monitor.compliance.answer.id": answer["eventId"],
        "gen_ai.response.id": "chatcmpl-7",
        "gen_ai.agent.version": "2.4.0",
        "deployment.environment.name": "development",
      },
    ]);
    expect(ofItem).not.toHaveProperty("traceId");
    expect(JSON.stringify([ofItem, ofFinding])).not.toMatch(/Maria|guaranteed,|local/);
    // What it is documented with.
    const known = new Set(listEntries().map(({ name }) => name));
    expect(
      Object.keys(readAttributes([ofFinding ?? {}])[0] ?? {}).filter((name) => !known.has(name)),
    ).toEqual([]);
  });

  it("about findings, a change of mind, and an item is each one, with an id of its own", async () => {
    await postBatch(
      platform,
      createBatch([createAnswer([toFlag(RULE, "one"), toFlag(RULE, "two")])]),
    );
    const key = await findKey(platform);
    const { body } = await get(platform, `/api/reviews/${key}`);
    const [first, second] = (body["findings"] as JsonObject[]).map(({ id }) => id);
    const decide = { action: "decide", disposition: "violation", reasonCode: "confirmed" };
    await actOn(platform, key, { ...decide, findingIds: [first] });
    await actOn(platform, key, { ...decide, ...CLOSE, action: "decide", findingIds: [first] });
    await actOn(platform, key, { ...decide, findingIds: [second] });
    await actOn(platform, key, { ...CLOSE });
    const attributes = readAttributes(await waitForRecords(4));
    expect(attributes.map((each) => each["gen_ai.evaluation.score.label"])).toEqual([
      "violation",
      "false_positive",
      "violation",
      "false_positive",
    ]);
    expect(new Set(attributes.map((each) => each["log.record.uid"])).size).toBe(4);
    const sequences = attributes.map((each) => each["agent_monitor.review.audit_sequence"]);
    expect(sequences).toEqual([1, 2, 3, 4]);
  });

  it("that is refused, and what is no decision, is none", async () => {
    await postBatch(platform, createBatch([createAnswer([toFlag(RULE, "promised")])]));
    const key = await findKey(platform);
    expect(await actOn(platform, key, { ...CLOSE, reasonCode: "because" })).toBe(422);
    expect(await actOn(platform, key, { action: "claim" })).toBe(200);
    expect(await actOn(platform, key, { action: "comment", comment: "seen" })).toBe(200);
    expect(await actOn(platform, key, CLOSE)).toBe(200);
    const records = await waitForRecords(2);
    expect(records.every(({ eventName }) => eventName === "gen_ai.evaluation.result")).toBe(true);
  });

  it("that waits for a second person is one when it is approved", async () => {
    const users = ["anna", "ben"].map((name) => ({
      name,
      role: "reviewer" as const,
      key: `key-of-${name}-0123456789`,
    }));
    const review = { secondReviewFor: ["violation"] } as const;
    const two = await open({ evaluations: toEvaluations(receiver), users, review });
    await postBatch(two, createBatch([createAnswer([toFlag(RULE, "promised")])]));
    const actAs = async (name: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer key-of-${name}-0123456789`,
        "content-type": "application/json",
      };
      const init = { method: body ? "POST" : "GET", headers, body: JSON.stringify(body) };
      return toAnswer(await fetch(two.url + path, init));
    };
    const { body } = await actAs("anna", "/api/reviews");
    const path = `/api/reviews/${String((body["items"] as JsonObject[])[0]?.["key"])}/actions`;
    expect(await actAs("anna", path, CLOSE)).toMatchObject({ status: 200 });
    expect(await actAs("ben", path, { action: "approve" })).toMatchObject({ status: 200 });
    const attributes = readAttributes(await waitForRecords(2));
    expect(attributes.map((each) => each["agent_monitor.review.audit_sequence"])).toEqual([2, 2]);
  });

  it("about a confidential finding, or an item that has one, stays on the platform", async () => {
    const flags = [toFlag(SECRET_RULE, "a", { confidential: true }), toFlag(RULE, "b")];
    await postBatch(platform, createBatch([createAnswer(flags)]));
    const late = createEvent("compliance_violation", {
      sessionId: "other",
      violationType: "bsa_aml",
      ruleId: SECRET_RULE,
      severity: "high",
      metadata: {
        eventId: "answer-9",
        requiresReview: true,
        finding: toFlag(SECRET_RULE, "late", { confidential: true }),
      },
    });
    await postBatch(platform, createBatch([late]));
    const { body } = await get(platform, "/api/reviews");
    const keys = (body["items"] as JsonObject[]).map(({ key }) => String(key));
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(await actOn(platform, key, CLOSE)).toBe(200);
    const { body: trail } = await get(platform, "/api/audit");
    expect(trail["records"]).toHaveLength(2);
    const records = await waitForRecords(1);
    expect(readAttributes(records)).toMatchObject([{ "agent_monitor.compliance.rule.id": RULE }]);
    expect(JSON.stringify(records)).not.toContain(SECRET_RULE);
  });

  it("stands in an export, with the same id, also where it was not sent", async () => {
    await postBatch(
      platform,
      createBatch([
        createAnswer([toFlag(RULE, "a"), toFlag(SECRET_RULE, "b", { confidential: true })]),
      ]),
    );
    const key = await findKey(platform);
    await actOn(platform, key, { ...CLOSE, comment: "Maria Lopez asked" });
    const [sent] = readAttributes(await waitForRecords(1));
    const text = await (await fetch(`${platform.url}/api/exports/conversations`)).text();
    const lines = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JsonObject);
    const exported = lines.filter(({ kind }) => kind === "evaluation");
    expect(exported).toHaveLength(3);
    const evaluations = exported.map(({ evaluation }) => evaluation as JsonObject);
    expect(evaluations.map(({ attributes }) => attributes)).toContainEqual(sent);
    expect(lines.find(({ kind }) => kind === "conversation_end")).toMatchObject({ evaluations: 3 });
  });
});

describe("delivery", () => {
  interface Received {
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }
  let server: Server;
  let url: string;
  let received: Received[];
  let statuses: number[];

  beforeEach(async () => {
    [received, statuses] = [[], []];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(statuses.shift() ?? 200).end("{}");
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
  });
  afterEach(async () => {
    // Before its receiver, which it would miss.
    await Promise.all(opened.splice(0).map((each) => each.close()));
    server.closeAllConnections();
    server.close();
  });

  const arrived = (count: number): Promise<void> =>
    vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), {
      timeout: 20_000,
      interval: 50,
    });

  async function readMetrics(at: Platform): Promise<string> {
    return String((await get(at, "/metrics")).body["text"]);
  }

  /** Waits until it is written down that attempts have failed: from then on the clock counts. */
  const failed = (at: Platform, count: number): Promise<void> =>
    vi.waitFor(
      async () => expect(await readMetrics(at)).toContain(`_evaluation_failures_total ${count}\n`),
      { timeout: 20_000, interval: 50 },
    );

  it("is tried again with the same ids until it is taken, with the receiver's key", async () => {
    statuses = [503, 401];
    const at = await open({ evaluations: { url, headers: { "x-key": "of the collector" } } });
    await postBatch(at, createBatch([createAnswer([toFlag(RULE, "promised")])]));
    await actOn(at, await findKey(at), CLOSE);
    await failed(at, 1);
    now += 5000;
    await failed(at, 2);
    now += 30_000;
    await arrived(3);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(received[2]?.headers).toMatchObject({
      "content-type": "application/json",
      "x-key": "of the collector",
    });
    await vi.waitFor(async () => {
      const text = await readMetrics(at);
      expect(text).toMatch(/_evaluations_delivered_total 1\n/);
      expect(text).toMatch(/_evaluation_failures_total 2\n/);
      expect(text).toMatch(/_evaluations_waiting 0\n/);
      expect(text).toMatch(/_webhooks_delivered_total 0\n/);
    });
  });

  it("ends where the receiver can't read it, and goes on with the next", async () => {
    statuses = [400];
    const at = await open({ evaluations: { url } });
    await postBatch(at, createBatch([createAnswer([toFlag(RULE, "a")])]));
    const key = await findKey(at);
    await actOn(at, key, CLOSE);
    await arrived(1);
    await actOn(at, key, { action: "reopen", comment: "again" });
    await actOn(at, key, CLOSE);
    await arrived(2);
    expect(received[1]?.body).not.toBe(received[0]?.body);
    await vi.waitFor(async () =>
      expect(await readMetrics(at)).toMatch(/_evaluations_dropped_total 1\n/),
    );
  });

  it(
    "outlives a platform that is killed right after the decision",
    { timeout: 60_000 },
    async () => {
      // Nobody listens there, until the platform is dead.
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, "close");
      const database = join(directory, "platform.db");
      const child = await startChildPlatform(["--db", database], {
        AGENT_MONITOR_PLATFORM_EVALUATIONS_URL: url,
        AGENT_MONITOR_PLATFORM_EVALUATIONS_HEADERS: "x-key=a%20key, x-other=b",
      });
      const sessions = Array.from({ length: 10 }, (_, index) => `session-${index}`);
      const answers = sessions.map((sessionId) => createAnswer([toFlag(RULE, "a")], { sessionId }));
      expect((await postBatch(child, createBatch(answers))).status).toBe(202);
      const { body } = await toAnswer(await fetch(`${child.url}/api/reviews`));
      for (const { key } of body["items"] as JsonObject[])
        expect(await actOn(child, String(key), CLOSE)).toBe(200);
      await child.end("SIGKILL");
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      now = Date.now() + 3_600_000;
      await open({ database, evaluations: { url } });
      await arrived(sessions.length);
      const text = received.map(({ body: sent }) => sent).join("");
      for (const session of sessions) expect(text).toContain(`"${session}"`);
    },
  );
});

it.each<[object, RegExp]>([
  [{ url: "http://collector.example/v1/logs" }, /evaluations.url: expected https/],
  [{ url: "https://collector.example/v1/logs", headers: { "a b": "c" } }, /evaluations.headers/],
  [
    { url: "https://collector.example/v1/logs", headers: { a: "b\r\nc: d" } },
    /evaluations.headers.a: expected visible/,
  ],
  [{ url: "https://collector.example/v1/logs", key: "a" }, /evaluations/],
])("says what is wrong with its options: %j", async (given, message) => {
  const evaluations = given as NonNullable<PlatformOptions["evaluations"]>;
  await expect(startPlatform({ port: 0, evaluations })).rejects.toThrow(message);
});
