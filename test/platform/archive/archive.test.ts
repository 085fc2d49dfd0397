import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveRecords } from "../../../src/platform/archive/archive-records.ts";
import { openDirectoryStore } from "../../../src/platform/archive/directory-store.ts";
import { toAgentRecord, toTelemetryRecords } from "../../../src/platform/kafka/kafka-record.ts";
import { systemClock } from "../../../src/util/clock.ts";
import { type ChainedBatch, createChainWriter } from "../../helpers/chained-batches.ts";
import { runCommand } from "../../helpers/command.ts";
import { createAgent, createBatch } from "../helpers.ts";
import { readAs, RECEIVED_AT, TOPICS, toRecord } from "./records.ts";

let directory: string;
let root: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "agent-monitor-"));
  root = join(directory, "archive");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const open = () => openDirectoryStore(root, systemClock);

function listFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(root, name)).isFile())
    .toSorted();
}

const listObjects = (): string[] => listFiles().filter((name) => !name.startsWith("archive-index"));

function plan(count: number): readonly ChainedBatch[] {
  const writer = createChainWriter();
  return Array.from({ length: count }, (_, index) =>
    writer.plan({ sequences: [2 * index + 1, 2 * index + 2] }),
  );
}

const verify = (...args: readonly string[]) => runCommand(["verify", root, ...args]);

const toSha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

describe("an archive", () => {
  it("keeps the bytes of each batch as they came, under a name with their digest", async () => {
    const batch = createBatch();
    const bytes = Buffer.from(JSON.stringify(batch, null, 2));
    const gzipped = gzipSync(bytes);
    const jwe = Buffer.from("a.b.c.d.e");
    const records = [
      toRecord(batch, { body: { sent: bytes, encoding: "identity" } }),
      toRecord(batch, { body: { sent: gzipped, encoding: "gzip" } }),
      toRecord(batch, { body: { sent: jwe, encoding: "jose" } }),
    ];
    await archiveRecords(await open(), readAs(records));
    const path = `batches/first-bank/2026-11-20/${String(batch["batchId"])}`;
    const expected = [
      [`${path}.${toSha256(bytes)}.json`, bytes],
      [`${path}.${toSha256(gzipped)}.json.gz`, gzipped],
      [`${path}.${toSha256(jwe)}.jwe`, jwe],
    ] as const;
    expect(listObjects()).toEqual(expected.map(([name]) => name).toSorted());
    for (const [name, content] of expected) expect(readFileSync(join(root, name))).toEqual(content);
  });

  it("lists what became of each record, those of other programs as well", async () => {
    const batch = createBatch();
    const record = toRecord(batch);
    const foreign = { ...record, headers: {} };
    const lines = await archiveRecords(await open(), readAs([record, foreign], { from: 7 }));
    const [index] = listFiles().filter((name) => name.startsWith("archive-index"));
    expect(index).toMatch(/^archive-index\/agent-events\/0\/0{19}7-0{19}8\.[0-9a-f]{64}\.jsonl$/);
    const written = readFileSync(join(root, index!), "utf8").trimEnd().split("\n");
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual(lines);
    expect(lines).toEqual([
      {
        topic: "agent-events",
        partition: 0,
        offset: 7,
        kind: "batch/1",
        organizationId: "first-bank",
        id: batch["batchId"],
        receivedAt: RECEIVED_AT,
        object: expect.stringContaining(String(batch["batchId"])),
        sha256: toSha256(record.value),
        bytes: record.value.length,
      },
      { topic: "agent-events", partition: 0, offset: 8, skipped: "foreign_record" },
    ]);
  });

  it("has profiles and OpenTelemetry data beside batches", async () => {
    const { id } = createAgent({ id: "agent/1" });
    const facts = { organizationId: "first-bank", receivedAt: RECEIVED_AT };
    const request = new Request("http://127.0.0.1");
    const body = { sent: Buffer.from("{}"), encoding: "identity" } as const;
    const agent = toAgentRecord({ ...facts, request, agentId: id, body }, TOPICS);
    const spans = { ...facts, request, body, bytes: body.sent };
    const telemetry = [
      ...toTelemetryRecords({ ...spans, signal: "traces", format: "json" }, TOPICS),
      ...toTelemetryRecords(
        { ...spans, signal: "logs", format: "protobuf", bytes: Buffer.alloc(0) },
        TOPICS,
      ),
    ];
    const store = await open();
    await archiveRecords(store, [...readAs([agent]), ...readAs(telemetry)]);
    // What can't stand in a name stands there by its digest.
    expect(listObjects()).toEqual([
      expect.stringMatching(/^agents\/first-bank\/2026-11-20\/~[0-9a-f]{64}\.[0-9a-f]{64}\.json$/),
      expect.stringMatching(/^logs\/first-bank\/2026-11-20\/~[0-9a-f]{64}\.[0-9a-f]{64}\.pb$/),
      expect.stringMatching(/^traces\/first-bank\/2026-11-20\/~[0-9a-f]{64}\.[0-9a-f]{64}\.json$/),
    ]);
    expect((await verify()).out).toContain("archive: verified: 3 records, 3 objects");
  });

  it.each(["..", ".", "a/b", "../../x", "Erste Bank", "ü", "x".repeat(200)])(
    "keeps organization and id %j in names that lead nowhere else",
    async (id) => {
      const batch = createBatch([], { batchId: id, organizationId: id });
      await archiveRecords(await open(), readAs([toRecord(batch)]));
      expect(listObjects()).toHaveLength(1);
      expect(readdirSync(directory)).toEqual(["archive"]);
      expect((await verify()).out).toContain("archive: verified: 1 record, 1 object");
    },
  );

  it("has one object of what comes again, alone or with others, and its index takes no harm", async () => {
    const batches = plan(6);
    const records = batches.map((batch) => toRecord(batch));
    const store = await open();
    await archiveRecords(store, readAs(records.slice(0, 4)));
    await archiveRecords(store, readAs(records.slice(0, 4)));
    await archiveRecords(store, readAs(records.slice(2), { from: 2 }));
    // The gateway was asked twice: another record, the same bytes.
    await archiveRecords(store, readAs(records.slice(5), { from: 6 }));
    expect(listObjects()).toHaveLength(6);
    const { code, out, err } = await verify();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("verified: 6 batches, 1 writer");
    expect(out).toContain("archive: verified: 7 records, 6 objects");
  });

  it("writes a file again that is not whole, and leaves none that was being written", async () => {
    const record = toRecord(createBatch());
    await archiveRecords(await open(), readAs([record]));
    const [name = ""] = listObjects();
    writeFileSync(join(root, name), record.value.subarray(1));
    const draft = join(root, "unfinished", "draft");
    writeFileSync(draft, "{");
    utimesSync(draft, 0, 0);
    await archiveRecords(await open(), readAs([record]));
    expect(readFileSync(join(root, name))).toEqual(record.value);
    expect(readdirSync(join(root, "unfinished"))).toEqual([]);
  });

  it("says where it can't be written to, and nothing of what should be", async () => {
    const record = toRecord(createBatch());
    const store = await open();
    writeFileSync(join(root, "batches"), "");
    await expect(archiveRecords(store, readAs([record]))).rejects.toThrow(
      `${root} can't be written to (ENOTDIR)`,
    );
    await expect(openDirectoryStore(join(root, "batches"), systemClock)).rejects.toThrow(
      /^archive: .* can't be used \(E\w+\)$/,
    );
  });
});

describe("verify of an archive", () => {
  async function archivePlan(count = 3) {
    const batches = plan(count);
    const records = batches.map((batch) =>
      toRecord(batch, { body: { sent: gzipSync(JSON.stringify(batch)), encoding: "gzip" } }),
    );
    const store = await open();
    for (const [from, record] of records.entries())
      await archiveRecords(store, readAs([record], { from }));
    return { store, records, batches };
  }

  it("proves chains and objects", async () => {
    const { batches } = await archivePlan();
    const { writerId } = batches[0]!.metadata.chain;
    const { code, out } = await verify("--expect-last", `${writerId}=3`, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      status: "verified",
      batches: 3,
      archive: {
        status: "verified",
        records: 3,
        objects: 3,
        skipped: 0,
        breakCount: 0,
        doubts: [],
      },
    });
  });

  it("finds an object that was changed", async () => {
    await archivePlan();
    const [, name = ""] = listObjects();
    appendFileSync(join(root, name), " ");
    const { code, out } = await verify();
    expect(code).toBe(1);
    expect(out).toContain("archive: broken: 3 records, 2 objects");
    expect(out).toContain(`BROKEN: ${name}: was changed`);
  });

  it("finds an object that was removed, also the newest one", async () => {
    await archivePlan();
    const name = listObjects().at(-1) ?? "";
    rmSync(join(root, name));
    const { code, out } = await verify();
    expect(code).toBe(1);
    expect(out).toContain(`BROKEN: ${name}: can't be read (ENOENT)`);
  });

  it("finds an index that was changed", async () => {
    await archivePlan();
    const index = listFiles().find((name) => name.startsWith("archive-index")) ?? "";
    appendFileSync(join(root, index), "\n");
    const { code, out } = await verify();
    expect(code).toBe(1);
    expect(out).toContain(`BROKEN: ${index}: it is not as it was written`);
  });

  it("does not prove records that no index has, objects that none has, and what it can't read", async () => {
    const { store } = await archivePlan();
    const index = listFiles().filter((name) => name.startsWith("archive-index"))[1] ?? "";
    rmSync(join(root, index));
    const jwe = toRecord(createBatch(), { body: { sent: Buffer.from("a.b"), encoding: "jose" } });
    await archiveRecords(store, readAs([jwe], { partition: 1 }));
    const { code, out } = await verify();
    // The chain has a hole as well.
    expect(code).not.toBe(0);
    expect(out).toContain("archive: incomplete: 3 records, 3 objects");
    expect(out).toContain("agent-events 0: records 1 to 1 are in no index");
    expect(out).toMatch(/batches\/first-bank\/\S+: no index has it/);
    expect(out).toMatch(/\.jwe: expected a JSON object, encrypted ones can't be read/);
  });

  it("reads no file beyond the archive, whatever an index names", async () => {
    await open();
    const secret = join(directory, "secret.json");
    writeFileSync(secret, "{}");
    const sha256 = toSha256(readFileSync(secret));
    const object = `batches/../2026-11-20/../../../secret.${sha256}.json`;
    const line = `${JSON.stringify({ topic: "t", partition: 0, offset: 0, object, sha256, kind: "batch/1" })}\n`;
    mkdirSync(join(root, "archive-index/t/0"), { recursive: true });
    const name = `${"0".padStart(20, "0")}-${"0".padStart(20, "0")}.${toSha256(Buffer.from(line))}.jsonl`;
    writeFileSync(join(root, "archive-index/t/0", name), line);
    const { code, out } = await verify();
    expect(code).toBe(1);
    expect(out).toContain("BROKEN: a line of an index names no object");
  });
});
