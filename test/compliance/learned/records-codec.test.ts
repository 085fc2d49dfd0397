import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { ModelError } from "../../../src/compliance/learned/model-codec.ts";
import { decodeRecords, encodeRecords } from "../../../src/compliance/learned/records-codec.ts";
import { toRecords } from "../../../src/compliance/learned/weight-records.ts";

const MAX_FEATURE = 2 ** 24 - 1;

const recordsArbitrary = fc
  .uniqueArray(fc.tuple(fc.nat(MAX_FEATURE), fc.nat(44), fc.integer({ min: -128, max: 127 })), {
    maxLength: 60,
    selector: ([feature]) => feature,
  })
  .map((rows) => rows.toSorted(([one], [other]) => one - other))
  .map((rows) =>
    toRecords({
      features: Uint32Array.from(rows, ([feature]) => feature),
      starts: Uint32Array.from([...rows.keys(), rows.length]),
      planes: Uint8Array.from(rows, ([, plane]) => plane),
      weights: Int8Array.from(rows, ([, , weight]) => weight),
    }),
  );
const records = fc.sample(recordsArbitrary, { numRuns: 1, seed: 1 })[0];
const encoded = records ? encodeRecords(records) : "";

describe("encoded records", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(recordsArbitrary, (given) => {
        expect(decodeRecords(encodeRecords(given))).toEqual(given);
      }),
      { numRuns: 30 },
    );
  });

  it("are refused when they were cut or changed", () => {
    fc.assert(
      fc.property(fc.nat({ max: encoded.length - 9 }), fc.boolean(), (at, isCut) => {
        const other = encoded[at] === "A" ? "B" : "A";
        const broken = encoded.slice(0, at) + (isCut ? "" : other + encoded.slice(at + 1));
        let decoded: unknown;
        try {
          decoded = decodeRecords(broken);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
        }
        // What the header of gzip says of its writer is nobody's loss.
        if (decoded) expect(decoded).toEqual(records);
      }),
    );
  });

  it.each([
    ["a record that is missing", (bytes: Buffer) => bytes.subarray(0, -4)],
    ["something behind them", (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(4)])],
    ["nothing in them", () => Buffer.alloc(0)],
    ["no buckets", () => Buffer.alloc(12)],
  ])("are refused with %s, though the checksum is right", (_name, change) => {
    const bytes = change(gunzipSync(Buffer.from(encoded, "base64")));
    expect(() => decodeRecords(gzipSync(bytes).toString("base64"))).toThrow(ModelError);
  });
});
