import { expect, it } from "vitest";
import { DEFAULT_REVIEW_POLICY } from "../../src/platform/review/review-policy.ts";
import { decodeLogs, decodeSpans } from "../../src/platform/otlp/decode-telemetry.ts";
import {
  type ReceivedLogRecord,
  type ReceivedSpan,
  toSpanJson,
} from "../../src/platform/otlp/received.ts";
import {
  addLogRecords,
  createDigester,
  listLogRecords,
} from "../../src/platform/store/log-store.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import { prepareSchema } from "../../src/platform/store/schema.ts";
import {
  addSpans,
  countSpans,
  findTrace,
  listSpans,
  listTraces,
} from "../../src/platform/store/span-store.ts";
import type { SqliteDatabase } from "../../src/platform/store/sql-database.ts";
import { runSteps } from "../../src/platform/turns.ts";

const NO_BYTE_LIMIT = Number.MAX_SAFE_INTEGER;
const ARRIVAL = { organizationId: "bank", receivedAt: 0 };

async function openEmpty(): Promise<SqliteDatabase> {
  const database = await openDatabase(":memory:");
  prepareSchema(database, {
    policy: DEFAULT_REVIEW_POLICY,
    announcing: { webhooks: [], publicUrl: "" },
  });
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
  const limits = { maxRows: 10, maxBytes: NO_BYTE_LIMIT };
  const add = (spans: readonly ReceivedSpan[]) =>
    runSteps(addSpans(database, spans, ARRIVAL, limits));
  for (const trace of [1, 2, 3]) add(createSpans(trace, 4));
  expect(runSteps(countSpans(database))).toBe(10);
  const traces = runSteps(listTraces(database, 10, NO_BYTE_LIMIT));
  expect(traces.map(({ traceId }) => Number(traceId))).toEqual([3, 2, 1]);
  expect(
    traces.map(
      (trace) => runSteps(listSpans(database, trace, { limit: 10, offset: 0 })).rows.length,
    ),
  ).toEqual([4, 4, 2]);
  add(createSpans(4, 2));
  expect(runSteps(findTrace(database, "1".padStart(32, "0"), null))).toBeUndefined();
  expect(add(createSpans(5, 25))).toHaveLength(25);
  expect([
    runSteps(countSpans(database)),
    runSteps(listTraces(database, 10, NO_BYTE_LIMIT)).length,
  ]).toEqual([10, 1]);
  database.close();
});

it("keeps no more bytes than it may, beside the span that crosses the limit", async () => {
  const database = await openEmpty();
  const [first] = createSpans(1, 1, 1000);
  const bytes = first ? toSpanJson(first).length : 0;
  const limits = { maxRows: 1000, maxBytes: 5 * bytes };
  const add = (spans: readonly ReceivedSpan[]) =>
    runSteps(addSpans(database, spans, ARRIVAL, limits));
  for (const trace of [1, 2, 3]) add(createSpans(trace, 4, 1000));
  expect(runSteps(countSpans(database))).toBe(5);
  add(createSpans(4, 1, 100_000));
  expect([
    runSteps(countSpans(database)),
    runSteps(listTraces(database, 10, NO_BYTE_LIMIT)),
  ]).toEqual([1, expect.anything()]);
  add(createSpans(5, 4, 1000));
  expect(runSteps(countSpans(database))).toBe(5);
  add(createSpans(6, 1, 1000));
  expect(runSteps(countSpans(database))).toBe(5);
  database.close();
});

it("keeps the newest log records", async () => {
  const database = await openEmpty();
  const limits = { maxRows: 10, maxBytes: NO_BYTE_LIMIT };
  const add = (records: readonly ReceivedLogRecord[]) =>
    runSteps(addLogRecords(database, records, { ...ARRIVAL, toDigest: createDigester() }, limits));
  expect(add(createRecords(1, 8))).toHaveLength(8);
  expect(add(createRecords(5, 8))).toHaveLength(4);
  const filter = { limit: 20, before: NO_BYTE_LIMIT, traceId: undefined };
  const times = runSteps(listLogRecords(database, filter)).rows.map(({ json }) =>
    Number((JSON.parse(json) as { timeUnixNano: string }).timeUnixNano),
  );
  expect(times).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  database.close();
});
