import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startPlatform, type Platform } from "../../src/platform/index.ts";
import { readMetric } from "../cluster/support/stored.ts";
import { createFakeClock, type FakeClock } from "../helpers/clock.ts";
import { createToolTurn, sendTelemetry } from "./conversation-telemetry.ts";
import { get, START, type JsonObject } from "./helpers.ts";
import { openStored } from "./stored-database.ts";

/** Long enough for every trace to be taken as complete. */
const LONG_MILLIS = 60_000;
/** Tables of how far events have been made; a database of before has none. */
const ARRIVALS = ["telemetry_arrival", "telemetry_position"];
const TRACE_ID = "5b8efff798038103d269b633813fc60c";

let clock: FakeClock;
let platform: Platform;
beforeEach(() => start());
afterEach(() => platform.close());

async function start(database = ":memory:"): Promise<void> {
  clock = createFakeClock(START);
  platform = await startPlatform({ port: 0, database, clock });
}

function toPairs(attributes: Record<string, string | number>): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: value },
  }));
}

const message = (role: string, content: string): JsonObject => ({
  role,
  parts: [{ type: "text", content }],
});

const AGENT_SPAN = {
  traceId: TRACE_ID,
  spanId: "1".repeat(16),
  name: "invoke_agent teller",
  startTimeUnixNano: `${START}000000`,
  endTimeUnixNano: `${START + 2000}000000`,
  attributes: toPairs({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "teller",
    "gen_ai.conversation.id": "conv-1",
  }),
};

const CALL_SPAN = {
  traceId: TRACE_ID,
  spanId: "2".repeat(16),
  parentSpanId: AGENT_SPAN.spanId,
  name: "chat gpt-5",
  kind: 3,
  startTimeUnixNano: `${START + 100}000000`,
  endTimeUnixNano: `${START + 1900}000000`,
  attributes: toPairs({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-5",
    "gen_ai.response.model": "gpt-5",
    "gen_ai.conversation.id": "conv-1",
    "gen_ai.usage.input_tokens": 21,
    "gen_ai.usage.output_tokens": 11,
    "gen_ai.input.messages": JSON.stringify([message("user", "What is my balance?")]),
    "gen_ai.output.messages": JSON.stringify([
      { ...message("assistant", "It is 12.50 USD."), finish_reason: "stop" },
    ]),
  }),
};

async function send(
  spans: readonly object[],
  scope = "bank",
  organization = "bank",
): Promise<void> {
  const answer = await fetch(`${platform.url}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-organization-id": organization },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope: { name: scope }, spans }] }] }),
  });
  expect(answer.status).toBe(200);
}

async function sendRecords(logRecords: readonly object[]): Promise<void> {
  const answer = await fetch(`${platform.url}/v1/logs`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-organization-id": "bank" },
    body: JSON.stringify({
      resourceLogs: [{ scopeLogs: [{ scope: { name: "bank" }, logRecords }] }],
    }),
  });
  expect(answer.status).toBe(200);
}

const LATER = { timeout: 30_000 };

/** Waits until so many events were made: the store takes its time. */
const made = (count: number): Promise<void> =>
  expect.poll(async () => (await platform.stats()).events, LATER).toBe(count);

/** Reads how many spans and log records wait for events to be made of them. */
const readWaiting = () => readMetric(platform.url, "agent_monitor_platform_telemetry_waiting");

async function readEvents(): Promise<JsonObject[]> {
  const { body } = await get(platform, "/api/conversations");
  const all: JsonObject[] = [];
  for (const { key } of body["conversations"] as JsonObject[]) {
    const conversation = await get(platform, `/api/conversations/${String(key)}`);
    all.push(...(conversation.body["events"] as JsonObject[]));
  }
  return all;
}

it("makes events of spans that come in several requests, once", async () => {
  await send([CALL_SPAN]);
  await clock.advance(5000);
  expect((await platform.stats()).events).toBe(0);
  expect(await readWaiting()).toBe(1);
  await send([AGENT_SPAN, CALL_SPAN]);
  await clock.advance(LONG_MILLIS);
  await made(2);
  await send([AGENT_SPAN, CALL_SPAN]);
  await clock.advance(LONG_MILLIS);
  await expect.poll(readWaiting, LATER).toBe(0);
  const events = await readEvents();
  expect(events).toMatchObject([
    { interactionType: "user_message", content: "What is my balance?" },
    { interactionType: "agent_response", content: "It is 12.50 USD." },
  ]);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2);
  expect(events[1]).toMatchObject({ agentId: "teller", conversationId: "conv-1" });
  expect(await platform.stats()).toMatchObject({ batches: 1, events: 2, rejected: 0, spans: 2 });
  const { body } = await get(platform, "/api/batches");
  expect(body["batches"]).toMatchObject([{ encoding: "otlp", organizationId: "bank" }]);
});

it("makes events of log records that come before their span, once", async () => {
  const { attributes: _, ...span } = CALL_SPAN;
  const attributes = toPairs({ "gen_ai.operation.name": "chat", "gen_ai.system": "openai" });
  const toRecord = (eventName: string, body: unknown, at: number): object => ({
    timeUnixNano: `${START + at}000000`,
    traceId: TRACE_ID,
    spanId: CALL_SPAN.spanId,
    eventName,
    body,
    attributes: toPairs({ "gen_ai.system": "openai" }),
  });
  const toContent = (content: string): unknown => ({
    key: "content",
    value: { stringValue: content },
  });
  const question = { kvlistValue: { values: [toContent("What is my balance?")] } };
  const answer = {
    kvlistValue: {
      values: [
        { key: "index", value: { intValue: 0 } },
        { key: "finish_reason", value: { stringValue: "stop" } },
        {
          key: "message",
          value: {
            kvlistValue: {
              values: [
                { key: "role", value: { stringValue: "assistant" } },
                toContent("It is 12.50 USD."),
              ],
            },
          },
        },
      ],
    },
  };
  const records = [
    toRecord("gen_ai.user.message", question, 100),
    toRecord("gen_ai.choice", answer, 1900),
  ];
  await sendRecords(records);
  await clock.advance(5000);
  await send([{ ...span, attributes }]);
  await sendRecords(records);
  await clock.advance(LONG_MILLIS);
  await made(2);
  expect(await readEvents()).toMatchObject([
    { interactionType: "user_message", content: "What is my balance?" },
    { interactionType: "agent_response", content: "It is 12.50 USD." },
  ]);
});

it("keeps spans of this SDK, which delivers their events itself, and makes none of them", async () => {
  await send([AGENT_SPAN, CALL_SPAN], "agent-monitor");
  await clock.advance(LONG_MILLIS);
  expect(await platform.stats()).toMatchObject({ events: 0, spans: 2 });
});

it("makes nothing of spans that have nothing to do with a model", async () => {
  await send([{ ...CALL_SPAN, attributes: toPairs({ "http.request.method": "GET" }) }]);
  await clock.advance(LONG_MILLIS);
  expect(await platform.stats()).toMatchObject({ batches: 0, events: 0, spans: 1 });
});

describe("a platform that starts again", () => {
  let file: string;
  beforeEach(async () => {
    file = join(mkdtempSync(join(tmpdir(), "agent-monitor-")), "platform.db");
    await platform.close();
    await start(file);
  });
  afterEach(() => rmSync(dirname(file), { recursive: true, force: true }));

  it("has stored what was still being gathered when it closed", async () => {
    await send([CALL_SPAN]);
    await platform.close();
    await start(file);
    expect(await platform.stats()).toMatchObject({ events: 2, spans: 1 });
    await platform.close();
  });

  it("knows what was said before it started, where a conversation goes on and repeats it", async () => {
    const { requests, eventCount } = createToolTurn(1, START);
    for (const request of requests) {
      expect(await sendTelemetry(platform, request)).toBe(200);
      await platform.close();
      await start(file);
    }
    expect((await readEvents()).map(({ interactionType }) => interactionType)).toEqual([
      "user_message",
      "tool_call",
      "tool_result",
      "agent_response",
    ]);
    expect(await platform.stats()).toMatchObject({ events: eventCount, duplicates: 0 });
    await platform.close();
  });

  it("makes no events of what was stored before it made any of what is stored", async () => {
    await send([AGENT_SPAN, CALL_SPAN]);
    await platform.close();
    const database = await openStored(file);
    for (const table of ARRIVALS) await database.run(`DELETE FROM ${table}`);
    await database.close();
    await start(file);
    await clock.advance(LONG_MILLIS);
    await send([{ ...CALL_SPAN, traceId: "1".repeat(32), spanId: "3".repeat(16) }]);
    await clock.advance(LONG_MILLIS);
    await made(4);
    expect(await platform.stats()).toMatchObject({ batches: 2, duplicates: 0 });
    await platform.close();
  });

  it("makes the same events of the same spans again, which are then known", async () => {
    await send([AGENT_SPAN, CALL_SPAN]);
    await platform.close();
    const database = await openStored(file);
    for (const table of ["span", "trace", ...ARRIVALS]) await database.run(`DELETE FROM ${table}`);
    await database.close();
    await start(file);
    await send([AGENT_SPAN, CALL_SPAN]);
    await clock.advance(LONG_MILLIS);
    await expect
      .poll(() => platform.stats(), LATER)
      .toMatchObject({ events: 2, duplicates: 2, spans: 2 });
    await platform.close();
  });
});

it("keeps the conversations of organizations apart, however many there are", async () => {
  const organizations = Array.from({ length: 12 }, (_, index) => `bank-${index}`);
  for (const organization of organizations)
    await send([AGENT_SPAN, CALL_SPAN], "bank", organization);
  await clock.advance(LONG_MILLIS);
  await made(24);
  expect(await platform.stats()).toMatchObject({ events: 24, duplicates: 0 });
  expect(await readEvents()).toHaveLength(24);
});

it("takes anything in the attributes, and goes on", async () => {
  const hostile = ['[{"role":"user"', "[".repeat(50_000), "null", '{"__proto__":1}', "\u0000"];
  const spans = hostile.map((text, index) => ({
    ...CALL_SPAN,
    spanId: String(index + 1).padStart(16, "0"),
    attributes: toPairs({
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": text,
      "gen_ai.output.messages": text,
      ["__proto__"]: "x",
    }),
  }));
  await send(spans);
  await send([{ ...CALL_SPAN, traceId: "1".repeat(32) }]);
  await clock.advance(LONG_MILLIS);
  const readContents = async () => (await readEvents()).map(({ content }) => content);
  await expect.poll(readContents, LATER).toContain("It is 12.50 USD.");
});
