import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { batchEnvelopeSchema } from "../../src/events/batch.ts";
import { encodeBody, planBatch } from "../../src/exporter/batch.ts";
import { createPendingEvent } from "../helpers/exporter.ts";

const stored = fc
  .array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 30 })
  .map((paddings) => paddings.map((padding, index) => createPendingEvent(index, padding)));

it("makes a valid envelope whose checksum and size are over the events exactly as serialised", () => {
  fc.assert(
    fc.property(stored, fc.string({ minLength: 1, maxLength: 20 }), (events, organizationId) => {
      const { body, batchId } = planBatch(events, {
        organizationId,
        compression: "gzip",
        now: 1_700_000_000_000,
      });
      const text = body.toString("utf8");
      const batch = JSON.parse(text);
      expect(batch).toMatchObject({
        batchId,
        organizationId,
        timestamp: 1_700_000_000_000,
        eventCount: events.length,
      });
      expect(
        batchEnvelopeSchema.omit({ organizationId: true }).loose().safeParse(batch).success,
      ).toBe(true);
      const eventsText = `[${events.map(({ json }) => json).join(",")}]`;
      expect(text).toContain(`"events":${eventsText},`);
      expect(batch.totalSize).toBe(Buffer.byteLength(eventsText));
      expect(batch.checksum).toBe(
        `sha256:${createHash("sha256").update(eventsText).digest("hex")}`,
      );
      expect(batch.events).toEqual(events.map(({ json }) => JSON.parse(json)));
    }),
  );
});

it("compresses above 1 KiB, and says so in the batch", async () => {
  const plan = (length: number) => {
    return planBatch([createPendingEvent(1, "x".repeat(length))], {
      organizationId: "bank",
      compression: "gzip",
      now: 0,
    });
  };
  expect(plan(500)).toMatchObject({ compression: "none" });
  const large = plan(5000);
  expect(JSON.parse(large.body.toString()).metadata).toEqual({
    batchVersion: "1.0",
    compressionType: "gzip",
  });
  expect(gunzipSync(await encodeBody(large.body, large.compression))).toEqual(large.body);
});
