import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from "node:crypto";
import { crc32 } from "node:zlib";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = "agent-monitor spool 1 ";

/** Encrypts the payloads of one file. */
export type FrameCipher = ReturnType<typeof createFrameCipher>;

function toNonce(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeDoubleLE(number, 0);
  return nonce;
}

/**
 * Creates the cipher of a file: AES-256-GCM under a key that is derived for this file alone (HKDF-SHA-256).
 *
 * A nonce is used once per file: file names are random, and a sequence is written to a file once.
 *
 * @see RFC 5869; NIST SP 800-38D
 */
export function createFrameCipher(spoolKey: KeyObject, fileName: string) {
  const key = Buffer.from(hkdfSync("sha256", spoolKey, fileName, PURPOSE, KEY_BYTES));
  return {
    /** @returns The encrypted payload, 16 bytes longer. */
    seal(payload: Uint8Array, nonce: number): Buffer {
      const cipher = createCipheriv(ALGORITHM, key, toNonce(nonce));
      return Buffer.concat([cipher.update(payload), cipher.final(), cipher.getAuthTag()]);
    },
    /** @returns The payload, or `undefined` when the key is another or the bytes were changed. */
    open(sealed: Uint8Array, nonce: number): Buffer | undefined {
      if (sealed.length < TAG_BYTES) return undefined;
      const end = sealed.length - TAG_BYTES;
      const decipher = createDecipheriv(ALGORITHM, key, toNonce(nonce), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(end));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}

/*
 * A frame is a header of 32 bytes and its payload. Numbers are little-endian.
 *
 *   0  "AMSF"
 *   4  CRC-32 of everything after it, payload included
 *   8  version of the format, 1
 *   9  type
 *  10  flags: 1 = the payload is encrypted
 *  12  bytes of the payload
 *  16  sequence, as a double
 *  24  time in milliseconds since the Unix epoch, as a double
 *  32  payload
 */
export const FRAME_HEADER_BYTES = 32;
/** Maximum length of a payload; a greater one is damage. */
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

const MAGIC = Buffer.from("AMSF");
// Written as a number: copying four bytes from a buffer takes longer than everything else in a header.
const MAGIC_NUMBER = MAGIC.readUInt32LE(0);
const FORMAT_VERSION = 1;
const CRC_OFFSET = 4;
const CHECKED_OFFSET = 8;
const ENCRYPTED_FLAG = 1;

/** Types of frames by their content. */
export const FRAME_TYPES = { event: 1, journal: 2, deadLetter: 3, exchange: 4, task: 5 } as const;
type FrameType = (typeof FRAME_TYPES)[keyof typeof FRAME_TYPES];

/** Header fields of a frame. */
export interface FrameHead {
  readonly type: FrameType;
  readonly sequence: number;
  readonly timestamp: number;
  readonly isEncrypted: boolean;
}

/** A frame that is whole; `payload` is a view into the buffer that was parsed. */
export interface Frame extends FrameHead {
  readonly payload: Buffer;
}

/** Writes the header in front of a payload that is in the buffer already. @returns Bytes of the whole frame. */
export function sealFrame(buffer: Buffer, payloadBytes: number, head: FrameHead): number {
  const frameBytes = FRAME_HEADER_BYTES + payloadBytes;
  buffer.writeUInt32LE(MAGIC_NUMBER, 0);
  buffer[8] = FORMAT_VERSION;
  buffer[9] = head.type;
  buffer[10] = head.isEncrypted ? ENCRYPTED_FLAG : 0;
  buffer[11] = 0;
  buffer.writeUInt32LE(payloadBytes, 12);
  buffer.writeDoubleLE(head.sequence, 16);
  buffer.writeDoubleLE(head.timestamp, 24);
  buffer.writeUInt32LE(crc32(buffer.subarray(CHECKED_OFFSET, frameBytes)), CRC_OFFSET);
  return frameBytes;
}

/** Creates a frame with a copy of the payload. */
export function encodeFrame(payload: Buffer, head: FrameHead): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  payload.copy(frame, FRAME_HEADER_BYTES);
  sealFrame(frame, payload.length, head);
  return frame;
}

/**
 * Parse result at an offset of a buffer: a frame, the beginning of one that goes on after the buffer, a frame of a
 * newer format, or none.
 */
export type ParsedFrame =
  | { readonly kind: "frame"; readonly frame: Frame; readonly bytes: number }
  | { readonly kind: "incomplete"; readonly missingBytes: number }
  | { readonly kind: "newer"; readonly bytes: number }
  | { readonly kind: "damaged" };

/** Returns the content of a frame; `undefined` when it can't be decrypted. */
export function openPayload(
  { payload, sequence, isEncrypted }: Frame,
  cipher: FrameCipher | undefined,
): Buffer | undefined {
  return isEncrypted ? cipher?.open(payload, sequence) : payload;
}

const KNOWN_TYPES = new Set<number>(Object.values(FRAME_TYPES));

function startsWithMagic(buffer: Buffer, offset: number): boolean {
  const length = Math.min(MAGIC.length, buffer.length - offset);
  return buffer.compare(MAGIC, 0, length, offset, offset + length) === 0;
}

/** Parses the frame at an offset. */
export function parseFrame(buffer: Buffer, offset: number): ParsedFrame {
  if (!startsWithMagic(buffer, offset)) return { kind: "damaged" };
  const available = buffer.length - offset;
  if (available < FRAME_HEADER_BYTES) {
    return { kind: "incomplete", missingBytes: FRAME_HEADER_BYTES - available };
  }
  const payloadBytes = buffer.readUInt32LE(offset + 12);
  if (payloadBytes > MAX_PAYLOAD_BYTES) return { kind: "damaged" };
  const bytes = FRAME_HEADER_BYTES + payloadBytes;
  if (available < bytes) return { kind: "incomplete", missingBytes: bytes - available };
  const checked = buffer.subarray(offset + CHECKED_OFFSET, offset + bytes);
  if (crc32(checked) !== buffer.readUInt32LE(offset + CRC_OFFSET)) return { kind: "damaged" };
  // After the checksum: a flipped bit must not pass for a newer format.
  if (buffer.readUInt8(offset + 8) > FORMAT_VERSION) return { kind: "newer", bytes };
  const type = buffer.readUInt8(offset + 9);
  if (!KNOWN_TYPES.has(type)) return { kind: "damaged" };
  const frame: Frame = {
    type: type as FrameType,
    isEncrypted: (buffer.readUInt8(offset + 10) & ENCRYPTED_FLAG) !== 0,
    sequence: buffer.readDoubleLE(offset + 16),
    timestamp: buffer.readDoubleLE(offset + 24),
    payload: buffer.subarray(offset + FRAME_HEADER_BYTES, offset + bytes),
  };
  return { kind: "frame", frame, bytes };
}

/** Finds the offset of the next possible frame after damage; the end of the buffer when there is none. */
export function findNextFrame(buffer: Buffer, from: number): number {
  const found = buffer.indexOf(MAGIC, from);
  // The last three bytes may be the beginning of a magic that goes on after the buffer.
  return found === -1 ? Math.max(from, buffer.length - MAGIC.length + 1) : found;
}
