import { expect, it } from "vitest";
import { decodeLogs, decodeSpans } from "../../src/platform/otlp/decode-telemetry.ts";
import {
  type ReceivedLogRecord,
  type ReceivedSpan,
  toSpanJson,
} from "../../src/platform/otlp/received.ts";
import { createLogStore } from "../../src/platform/store/log-store.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { prepareSchema } from "../../src/platform/store/schema.ts";
import { createSpanStore } from "../../src/platform/store/span-store.ts";
import type { SqlDatabase } from "../../src/platform/store/sql-database.ts";
import { runSteps } from "../../src/platform/turns.ts";

const NO_BYTE_LIMIT = Number.MAX_SAFE_INTEGER;

async function openEmpty(): Promise<SqlDatabase> {
  const database = await openDatabase(":memory:");
  prepareSchema(database);
  return database;
}

function createSpans(trace: number, count: number, nameLength = 1): readonly ReceivedSpan[] {
  const spans = Array.from({ length: count }, (_, index) => ({
    traceId: String(trace).padStart(32, "0"),
    spanId: String(index + 1).padStart(16, "0"),
    name: "n".repeat(nameLength),
  }));
  return runSteps(decodeSpans({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).items;
}

function createRecords(from: number, count: number): readonly ReceivedLogRecord[] {
  const logRecords = Array.from({ length: count }, (_, index) => ({
    timeUnixNano: String(from + index),
  }));
  return runSteps(decodeLogs({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })).items;
}

it("keeps the newest spans, and no trace without one", async () => {
  const database = await openEmpty();
  const store = createSpanStore(database, { maxRows: 10, maxBytes: NO_BYTE_LIMIT });
  for (const trace of [1, 2, 3]) runSteps(store.add(createSpans(trace, 4), "bank", 0));
  expect(store.count()).toBe(10);
  const traces = store.listTraces(10, NO_BYTE_LIMIT);
  expect(traces.map(({ traceId }) => Number(traceId))).toEqual([3, 2, 1]);
  expect(traces.map((trace) => store.listSpans(trace, 10, 0).rows.length)).toEqual([4, 4, 2]);
  runSteps(store.add(createSpans(4, 2), "bank", 0));
  expect(store.findTrace("1".padStart(32, "0"), undefined)).toBeUndefined();
  expect(runSteps(store.add(createSpans(5, 25), "bank", 0))).toHaveLength(25);
  expect([store.count(), store.listTraces(10, NO_BYTE_LIMIT).length]).toEqual([10, 1]);
  database.close();
});

it("keeps no more bytes than it may, beside the span that crosses the limit", async () => {
  const database = await openEmpty();
  const [first] = createSpans(1, 1, 1000);
  const bytes = first ? toSpanJson(first).length : 0;
  const store = createSpanStore(database, { maxRows: 1000, maxBytes: 5 * bytes });
  for (const trace of [1, 2, 3]) runSteps(store.add(createSpans(trace, 4, 1000), "bank", 0));
  expect(store.count()).toBe(5);
  runSteps(store.add(createSpans(4, 1, 100_000), "bank", 0));
  expect([store.count(), store.listTraces(10, NO_BYTE_LIMIT)]).toEqual([1, expect.anything()]);
  runSteps(store.add(createSpans(5, 4, 1000), "bank", 0));
  expect(store.count()).toBe(5);
  runSteps(store.add(createSpans(6, 1, 1000), "bank", 0));
  expect(store.count()).toBe(5);
  database.close();
});

it("keeps the newest log records", async () => {
  const database = await openEmpty();
  const store = createLogStore(database, { maxRows: 10, maxBytes: NO_BYTE_LIMIT });
  expect(runSteps(store.add(createRecords(1, 8), "bank", 0))).toHaveLength(8);
  expect(runSteps(store.add(createRecords(5, 8), "bank", 0))).toHaveLength(4);
  const times = store
    .list({ limit: 20, before: NO_BYTE_LIMIT, traceId: undefined })
    .rows.map(({ json }) => Number((JSON.parse(json) as { timeUnixNano: string }).timeUnixNano));
  expect(times).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  database.close();
});
