import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchEnvelopeSchema } from "../../../src/events/batch.ts";
import { chainSchema } from "../../../src/events/chain.ts";
import { toChainHash, type ChainInput } from "../../../src/delivery/chain/chain.ts";
import { createChainWriter } from "../../helpers/chained-batches.ts";

const input: ChainInput = {
  organizationId: "first-bank",
  batchId: "batch-2",
  timestamp: 1_795_183_200_000,
  eventCount: 2,
  totalSize: 600,
  checksum: `sha256:${"1".repeat(64)}`,
  dropped: [
    { reason: "dead", count: 1, firstSequence: 3, lastSequence: 3 },
    { reason: "queue_full", count: 7 },
  ],
  chain: {
    writerId: "writer-1",
    sequence: 2,
    previous: `sha256:${"2".repeat(64)}`,
    firstEvent: 4,
    lastEvent: 5,
    replaces: {
      batchId: "batch-1",
      sequence: 1,
      hash: `sha256:${"3".repeat(64)}`,
      previous: null,
    },
  },
};

// Written out: other programs compute the same.
const TEXT =
  '["agent-monitor/chain/1","first-bank","batch-2",1795183200000,2,600,' +
  `"sha256:${"1".repeat(64)}","writer-1",2,"sha256:${"2".repeat(64)}",4,5,KEY,` +
  `["batch-1",1,"sha256:${"3".repeat(64)}",null],[["dead",1,3,3],["queue_full",7,null,null]]]`;

describe("the hash of a batch", () => {
  it("is the digest of what it covers, in a fixed form", () => {
    const text = TEXT.replace("KEY", "null");
    expect(toChainHash(input)).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
  });

  it("is an HMAC with the key, whose id is covered as well", () => {
    const key = Buffer.alloc(32, 7);
    const text = TEXT.replace("KEY", '"key-1"');
    expect(toChainHash(input, { keyId: "key-1", key })).toBe(
      `hmac-sha256:${createHmac("sha256", key).update(text).digest("hex")}`,
    );
  });

  it("covers whom the batch names as its predecessors, behind all else", () => {
    const hash = `sha256:${"4".repeat(64)}`;
    const predecessors = [{ writerId: "writer-0", sequence: 9, hash }];
    const text = TEXT.replace("KEY", "null").replace(/\]$/, `,[["writer-0",9,"${hash}"]]]`);
    expect(toChainHash({ ...input, chain: { ...input.chain, predecessors } })).toBe(
      `sha256:${createHash("sha256").update(text).digest("hex")}`,
    );
  });

  it("writes what is absent as null", () => {
    const { replaces: _replaces, ...chain } = input.chain;
    const { dropped: _dropped, ...rest } = input;
    const text = TEXT.replace("KEY", "null").replace(/\["batch-1".*$/, "null,[]]");
    expect(toChainHash({ ...rest, chain })).toBe(
      `sha256:${createHash("sha256").update(text).digest("hex")}`,
    );
  });

  it("names the writer of a report when it is another, and only then", () => {
    const dropped = [
      { reason: "dead", count: 1, firstSequence: 3, lastSequence: 3, writerId: "writer-2" },
      { reason: "queue_full", count: 7, writerId: "writer-2" },
      { reason: "queue_full", count: 7 },
    ];
    const text = TEXT.replace("KEY", "null").replace(
      /\[\["dead".*$/,
      '[["dead",1,3,3,"writer-2"],["queue_full",7,null,null,"writer-2"],["queue_full",7,null,null]]]',
    );
    expect(toChainHash({ ...input, dropped })).toBe(
      `sha256:${createHash("sha256").update(text).digest("hex")}`,
    );
  });

  it("changes with everything that it covers", () => {
    const hashes = [
      input,
      { ...input, organizationId: "second-bank" },
      { ...input, batchId: "batch-3" },
      { ...input, timestamp: 1 },
      { ...input, eventCount: 3 },
      { ...input, totalSize: 601 },
      { ...input, checksum: `sha256:${"4".repeat(64)}` },
      { ...input, dropped: [] },
      { ...input, chain: { ...input.chain, writerId: "writer-2" } },
      { ...input, chain: { ...input.chain, sequence: 3 } },
      { ...input, chain: { ...input.chain, previous: null } },
      { ...input, chain: { ...input.chain, firstEvent: 3 } },
      { ...input, chain: { ...input.chain, lastEvent: 6 } },
      { ...input, chain: { ...input.chain, replaces: undefined } },
    ].map((changed) => toChainHash(changed));
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("the schema of a chain", () => {
  it("accepts what a writer makes, and leaves it as it is", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (sizes) => {
        const writer = createChainWriter();
        let next = 1;
        for (const size of sizes) {
          const sequences = Array.from({ length: size }, () => next++);
          const replaces = writer.planned.at(-1);
          const batch = writer.plan({ sequences, ...(replaces && { replaces }) });
          expect(batchEnvelopeSchema.parse(batch)).toEqual(batch);
        }
      }),
      { numRuns: 20 },
    );
  });

  const chain = createChainWriter().plan({ sequences: [1] }).metadata.chain;
  it.each([
    ["sequence", 0],
    ["sequence", 1.5],
    ["previous", undefined],
    ["previous", ""],
    ["hash", null],
    ["hash", `sha512:${"0".repeat(64)}`],
    ["hash", `sha256:${"0".repeat(63)}`],
    ["firstEvent", 2],
    ["lastEvent", 2 ** 53],
    ["writerId", "a\nb"],
    ["keyId", ""],
    ["replaces", {}],
  ])("refuses %s %j", (name, value) => {
    expect(chainSchema.safeParse(chain).success).toBe(true);
    expect(chainSchema.safeParse({ ...chain, [name]: value }).success).toBe(false);
  });
});
