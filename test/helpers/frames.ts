import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { StoredEvent } from "../../src/delivery/event-store.ts";
import {
  encodeFrame,
  FRAME_TYPES,
  type FrameCipher,
  type FrameHead,
} from "../../src/delivery/spool/frame.ts";

/** The head of an event's frame. */
export function eventHead(sequence: number, isEncrypted = false): FrameHead {
  return {
    type: FRAME_TYPES.event,
    sequence,
    timestamp: 1_700_000_000_000 + sequence,
    isEncrypted,
  };
}

/** The JSON of an event that only its number tells from others. */
export function eventJson(sequence: number, padding = ""): string {
  return JSON.stringify({ eventId: `event-${sequence}`, padding, sequence });
}

export function eventFrame(sequence: number, padding = "", cipher?: FrameCipher): Buffer {
  const json = Buffer.from(eventJson(sequence, padding));
  const payload = cipher?.seal(json, sequence) ?? json;
  return encodeFrame(payload, eventHead(sequence, cipher !== undefined));
}

/** A frame with other bytes in its header, whose sum is right for all that. */
export function forge(frame: Buffer, offset: number, value: number): Buffer {
  const forged = Buffer.from(frame);
  forged[offset] = value;
  forged.writeUInt32LE(crc32(forged.subarray(8)), 4);
  return forged;
}

/** Writes a file of events, as a writer that is gone has left it. */
export function writeSegment(
  directory: string,
  first: number,
  sequences: readonly number[],
  suffix = "00000000",
): string {
  const name = `${String(first).padStart(16, "0")}-${suffix.padStart(32, "0")}.seg`;
  writeFileSync(join(directory, name), Buffer.concat(sequences.map((one) => eventFrame(one))));
  return name;
}

export function sequencesOf(events: readonly StoredEvent[]): number[] {
  return events.map(({ sequence }) => sequence);
}

/** The integers from `first` to `last`. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_value, index) => first + index);
}
