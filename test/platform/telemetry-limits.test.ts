import { expect, it } from "vitest";
import { decodeLogs, decodeSpans } from "../../src/platform/otlp/decode-telemetry.ts";
import type { ReceivedLogRecord, ReceivedSpan } from "../../src/platform/otlp/received.ts";
import { writeSpan } from "../../src/platform/otlp/stored-json.ts";
import {
  addLogRecords,
  createDigester,
  listLogRecords,
} from "../../src/platform/store/log-store.ts";
import { openDatabase } from "../../src/platform/store/open-database.ts";
import {
  addSpans,
  countSpans,
  findTrace,
  listSpans,
  listTraces,
  type TraceRow,
} from "../../src/platform/store/span-store.ts";
import { settle, StoreError } from "../../src/platform/store/sql-database.ts";
import { openStore, type Store } from "../../src/platform/store/store.ts";
import { createTurns, runSteps } from "../../src/platform/turns.ts";
import { systemClock } from "../../src/util/clock.ts";
import { openDatabase as openOnServer } from "./postgres/open-database.ts";
import { ON_POSTGRES } from "./stored-database.ts";

const NO_BYTE_LIMIT = Number.MAX_SAFE_INTEGER;
const ARRIVAL = { organizationId: "bank", receivedAt: 0, storedAt: 0 };

/** Has the events of all up to an arrival be made. */
function makeEvents(store: Store, doneSeq: number): Promise<number> {
  const columns = "id, owner, held_until, wanted_until, clock, read_seq, read_clock";
  return store.write(function* (transaction) {
    yield* settle(transaction.run("DELETE FROM telemetry_position", []));
    const values = `(1, 'test', 0, 0, 0, 0, 0, ${doneSeq})`;
    const insert = `INSERT INTO telemetry_position (${columns}, done_seq) VALUES ${values}`;
    return yield* settle(transaction.run(insert, []));
  });
}

async function openEmpty(): Promise<Store> {
  const database = await (ON_POSTGRES ? openOnServer(":memory:") : openDatabase(":memory:"));
  const store = await openStore(database, createTurns(), systemClock);
  await makeEvents(store, Number.MAX_SAFE_INTEGER);
  return store;
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
  const store = await openEmpty();
  const { database, read } = store;
  const limits = { maxRows: 10, maxBytes: NO_BYTE_LIMIT };
  const add = (spans: readonly ReceivedSpan[]) =>
    store.write((transaction) => addSpans(transaction, spans, ARRIVAL, limits));
  for (const trace of [1, 2, 3]) await add(createSpans(trace, 4));
  expect(await read(countSpans(database))).toBe(10);
  const traces = await read(listTraces(database, 10, NO_BYTE_LIMIT));
  expect(traces.map(({ traceId }) => Number(traceId))).toEqual([3, 2, 1]);
  const countListed = async (trace: TraceRow) =>
    (await read(listSpans(database, trace, { limit: 10, offset: 0 }))).rows.length;
  expect(await Promise.all(traces.map(countListed))).toEqual([4, 4, 2]);
  await add(createSpans(4, 2));
  expect(await read(findTrace(database, "1".padStart(32, "0"), null))).toBeUndefined();
  expect(await add(createSpans(5, 25))).toHaveLength(25);
  expect([
    await read(countSpans(database)),
    (await read(listTraces(database, 10, NO_BYTE_LIMIT))).length,
  ]).toEqual([10, 1]);
  await store.close();
});

it("keeps no more bytes than it may, beside the span that crosses the limit", async () => {
  const store = await openEmpty();
  const { database, read } = store;
  const [first] = createSpans(1, 1, 1000);
  const bytes = first ? writeSpan(first).json.length : 0;
  const limits = { maxRows: 1000, maxBytes: 5 * bytes };
  const add = (spans: readonly ReceivedSpan[]) =>
    store.write((transaction) => addSpans(transaction, spans, ARRIVAL, limits));
  for (const trace of [1, 2, 3]) await add(createSpans(trace, 4, 1000));
  expect(await read(countSpans(database))).toBe(5);
  await add(createSpans(4, 1, 100_000));
  expect([
    await read(countSpans(database)),
    await read(listTraces(database, 10, NO_BYTE_LIMIT)),
  ]).toEqual([1, expect.anything()]);
  await add(createSpans(5, 4, 1000));
  expect(await read(countSpans(database))).toBe(5);
  await add(createSpans(6, 1, 1000));
  expect(await read(countSpans(database))).toBe(5);
  await store.close();
});

it("keeps the newest log records", async () => {
  const store = await openEmpty();
  const { database, read } = store;
  const limits = { maxRows: 10, maxBytes: NO_BYTE_LIMIT };
  const add = (records: readonly ReceivedLogRecord[]) =>
    store.write((transaction) =>
      addLogRecords(transaction, records, { ...ARRIVAL, toDigest: createDigester() }, limits),
    );
  expect(await add(createRecords(1, 8))).toHaveLength(8);
  expect(await add(createRecords(5, 8))).toHaveLength(4);
  const filter = { limit: 20, before: NO_BYTE_LIMIT, traceId: undefined };
  const times = (await read(listLogRecords(database, filter))).rows.map(({ json }) =>
    Number((JSON.parse(json) as { timeUnixNano: string }).timeUnixNano),
  );
  expect(times).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  await store.close();
});

it("knows what has come before, in the same request or another, and counts it in its trace once", async () => {
  const store = await openEmpty();
  const limits = { maxRows: 1000, maxBytes: NO_BYTE_LIMIT };
  const add = (spans: readonly ReceivedSpan[], organizationId = "bank") =>
    store.write((transaction) =>
      addSpans(transaction, spans, { ...ARRIVAL, organizationId }, limits),
    );
  const spans = createSpans(1, 700);
  expect(await add([...spans.slice(0, 300), ...spans.slice(100, 300)])).toHaveLength(300);
  expect(await add(spans)).toEqual(spans.slice(300));
  expect(await add(spans.slice(0, 5), "other")).toHaveLength(5);
  const traces = await store.read(listTraces(store.database, 10, NO_BYTE_LIMIT));
  // A number for each span that is stored, and none for the others.
  expect(traces).toMatchObject([
    { organizationId: "other", spanCount: 5, seq: 705 },
    { organizationId: "bank", spanCount: 700, seq: 700 },
  ]);
  await store.close();
});

it("takes no more than it keeps of which no events were made, and forgets nothing of that", async () => {
  const store = await openEmpty();
  const { database, read } = store;
  await makeEvents(store, 0);
  const limits = { maxRows: 10, maxBytes: NO_BYTE_LIMIT };
  const add = (spans: readonly ReceivedSpan[]) =>
    store.write((transaction) => addSpans(transaction, spans, ARRIVAL, limits));
  for (const trace of [1, 2]) await add(createSpans(trace, 4));
  await expect(add(createSpans(3, 4))).rejects.toThrow(StoreError);
  expect(await read(countSpans(database))).toBe(8);
  await makeEvents(store, 1);
  expect(await add(createSpans(3, 4))).toHaveLength(4);
  await expect(add(createSpans(4, 4))).rejects.toThrow(StoreError);
  expect(await read(countSpans(database))).toBe(10);
  await store.close();
});
