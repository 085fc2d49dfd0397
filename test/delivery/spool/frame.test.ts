import fc from "fast-check";
import { expect, it } from "vitest";
import {
  encodeFrame,
  findNextFrame,
  FRAME_HEADER_BYTES,
  FRAME_TYPES,
  parseFrame,
  sealFrame,
} from "../../../src/delivery/spool/frame.ts";
import { eventFrame, eventHead, forge } from "../../helpers/frames.ts";

const head = fc.record({
  type: fc.constantFrom(...Object.values(FRAME_TYPES)),
  sequence: fc.maxSafeNat(),
  timestamp: fc.maxSafeInteger(),
  isEncrypted: fc.boolean(),
});
const payload = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));

it("gives back what went in, wherever it stands in a buffer", () => {
  fc.assert(
    fc.property(head, payload, payload, payload, (given, bytes, before, after) => {
      const frame = encodeFrame(bytes, given);
      expect(frame).toHaveLength(FRAME_HEADER_BYTES + bytes.length);
      const parsed = parseFrame(Buffer.concat([before, frame, after]), before.length);
      expect(parsed).toEqual({
        kind: "frame",
        bytes: frame.length,
        frame: { ...given, payload: bytes },
      });
    }),
  );
});

it("seals a payload that is in its place already", () => {
  const frame = encodeFrame(Buffer.from("text"), eventHead(1));
  const scratch = Buffer.alloc(100, 0xff);
  scratch.write("text", FRAME_HEADER_BYTES);
  expect(sealFrame(scratch, 4, eventHead(1))).toBe(frame.length);
  expect(scratch.subarray(0, frame.length)).toEqual(frame);
});

it("notices every bit that is flipped", () => {
  const frame = eventFrame(7);
  for (let offset = 0; offset < frame.length; offset++) {
    for (let bit = 0; bit < 8; bit++) {
      const damaged = Buffer.from(frame);
      damaged[offset] = (damaged[offset] ?? 0) ^ (1 << bit);
      const { kind } = parseFrame(damaged, 0);
      // A longer payload may be there yet, as far as the header tells.
      expect(["damaged", "incomplete"]).toContain(kind);
    }
  }
});

it("says how much is missing of a frame that is cut", () => {
  const frame = eventFrame(7);
  for (let length = 0; length < frame.length; length++) {
    const parsed = parseFrame(frame.subarray(0, length), 0);
    const wanted = length < FRAME_HEADER_BYTES ? FRAME_HEADER_BYTES : frame.length;
    expect(parsed).toEqual({ kind: "incomplete", missingBytes: wanted - length });
  }
});

it("passes over a frame of a newer format, and takes no other type for one it knows", () => {
  const frame = eventFrame(7);
  expect(parseFrame(forge(frame, 8, 2), 0)).toEqual({ kind: "newer", bytes: frame.length });
  expect(parseFrame(forge(frame, 9, 99), 0)).toEqual({ kind: "damaged" });
});

it("believes no length above its bound", () => {
  const frame = eventFrame(7);
  frame.writeUInt32LE(0xffffffff, 12);
  expect(parseFrame(frame, 0)).toEqual({ kind: "damaged" });
});

it("finds the next frame behind damage, also one whose beginning is all there is", () => {
  const frame = eventFrame(7);
  expect(findNextFrame(Buffer.concat([Buffer.from("damage"), frame]), 0)).toBe(6);
  expect(findNextFrame(Buffer.from("damageAMS"), 0)).toBe(6);
  expect(findNextFrame(Buffer.from("damage"), 0)).toBe(3);
  expect(findNextFrame(Buffer.from("ab"), 1)).toBe(1);
});
