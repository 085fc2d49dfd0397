import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { batchEnvelopeSchema } from "../../src/events/batch.ts";
import {
  planBatch,
  rebuildBatch,
  type BatchContent,
  type BatchOrigin,
} from "../../src/delivery/batch.ts";
import type { StoredEvent } from "../../src/delivery/event-store.ts";
import { verifyBatches } from "../../src/delivery/chain/verify-chain.ts";

const NOW = 1_700_000_000_000;
const WRITER = "018bcfe5-7b88-7156-aea0-70d085219b3b";
const FIRST = { sequence: 0, hash: null };
const origin: BatchOrigin = {
  organizationId: "bank",
  writerId: WRITER,
  platform: "https://platform.example",
  compression: "gzip",
};

function toEvent(content: string, sequence: number): StoredEvent {
  const json = JSON.stringify({
    eventId: `event-${sequence}`,
    content,
    writerId: WRITER,
    sequence,
  });
  return { sequence, timestamp: NOW + sequence, json: Buffer.from(json) };
}

const stored = fc
  .array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 30 })
  .map((contents) => contents.map((text, index) => toEvent(text, index + 1)));

function contentOf(events: readonly StoredEvent[], rest: Partial<BatchContent> = {}): BatchContent {
  const first = events[0]?.sequence ?? 1;
  const last = events.at(-1)?.sequence ?? first;
  const told = { dropped: [], predecessors: [] };
  return { events, first, last, now: NOW, previous: FIRST, ...told, ...rest };
}

it("makes a valid envelope whose checksum and size are over the events exactly as serialised", () => {
  fc.assert(
    fc.property(stored, fc.string({ minLength: 1, maxLength: 20 }), (events, organizationId) => {
      const { body, plan } = planBatch(contentOf(events), { ...origin, organizationId });
      const text = body.toString("utf8");
      const batch = JSON.parse(text);
      expect(batch).toMatchObject({
        batchId: plan.batchId,
        organizationId,
        timestamp: NOW,
        eventCount: events.length,
      });
      expect(
        batchEnvelopeSchema.omit({ organizationId: true }).loose().safeParse(batch).success,
      ).toBe(true);
      const eventsText = `[${events.map(({ json }) => json.toString()).join(",")}]`;
      expect(text).toContain(`"events":${eventsText},`);
      expect(batch.totalSize).toBe(Buffer.byteLength(eventsText));
      expect(batch.checksum).toBe(
        `sha256:${createHash("sha256").update(eventsText).digest("hex")}`,
      );
    }),
  );
});

it("gives the same bytes again from its plan and its events, and none when these differ", () => {
  fc.assert(
    fc.property(stored, fc.nat(), (events, position) => {
      const { plan, body } = planBatch(contentOf(events), origin);
      const copy = JSON.parse(JSON.stringify(plan)) as typeof plan;
      const asBytes = events.map((event) => ({ ...event, json: Buffer.from(event.json) }));
      expect(rebuildBatch(copy, asBytes, "bank")?.body.equals(body)).toBe(true);
      const without = events.filter((_event, index) => index !== position % events.length);
      expect(rebuildBatch(copy, without, "bank")).toBeUndefined();
    }),
  );
});

it("compresses above 1 KiB, and what is encrypted always, and says so in the batch", () => {
  const metadataOf = (length: number, rest: Partial<BatchOrigin> = {}): unknown =>
    planBatch(contentOf([toEvent("x".repeat(length), 1)]), { ...origin, ...rest }).plan.metadata;
  expect(metadataOf(500)).toMatchObject({ batchVersion: "1.0", compressionType: "none" });
  expect(metadataOf(5000)).toMatchObject({ compressionType: "gzip" });
  expect(metadataOf(5000, { compression: "none" })).toMatchObject({ compressionType: "none" });
  expect(metadataOf(5, { encryptionInfo: "A256KW" })).toMatchObject({
    compressionType: "gzip",
    encryptionInfo: "A256KW",
  });
});

it.each([undefined, { keyId: "k1", key: Buffer.alloc(32, 7) }])(
  "chains batches, and the parts of a batch that is replaced (%#)",
  async (chainKey) => {
    const events = [1, 2, 3, 4, 5, 6].map((sequence) => toEvent("", sequence));
    const keyed = { ...origin, chainKey };
    const one = planBatch(contentOf(events.slice(0, 2)), keyed);
    const whole = planBatch(
      contentOf(events.slice(2, 5), { previous: one.plan.metadata.chain }),
      keyed,
    );
    const left = planBatch(
      contentOf(events.slice(2, 4), {
        previous: whole.plan.metadata.chain,
        replaces: whole.plan,
        dropped: [{ reason: "queue_full", count: 2 }],
      }),
      keyed,
    );
    const right = planBatch(
      contentOf(events.slice(4, 5), { previous: left.plan.metadata.chain, replaces: whole.plan }),
      keyed,
    );
    const last = planBatch(
      contentOf(events.slice(5), { previous: right.plan.metadata.chain }),
      keyed,
    );
    expect(left.plan.metadata.chain).toMatchObject({
      sequence: 3,
      previous: whole.plan.metadata.chain.hash,
      firstEvent: 3,
      lastEvent: 4,
      replaces: { batchId: whole.plan.batchId, sequence: 2 },
      ...(chainKey && { keyId: "k1" }),
    });
    const report = await verifyBatches(
      [one, left, right, last].map(({ body }) => ({
        batch: JSON.parse(body.toString()) as unknown,
      })),
      chainKey && { keys: new Map([["k1", chainKey.key]]) },
    );
    expect(report).toMatchObject({ status: "verified", writers: [{ absent: 1, breakCount: 0 }] });
  },
);

it("knows when its oldest event happened", () => {
  expect(planBatch(contentOf([toEvent("", 4)]), origin).plan.oldestAt).toBe(NOW + 4);
  expect(planBatch(contentOf([]), origin).plan.oldestAt).toBe(NOW);
});
