import { createHash, randomFillSync } from "node:crypto";

const POOL_BYTES = 8192;
const RANDOM_BYTES = 8;
const MAX_COUNTER = 0x0fff;

const HEX_DIGITS = "0123456789abcdef";
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const pool = Buffer.alloc(POOL_BYTES);
let poolOffset = POOL_BYTES;
let lastMillis = 0;
/** The time of the last id in its text form, up to the version digit. */
let timePart = "";
/** The 62 random bits of the ids of one millisecond: they differ in the counter. */
let randomPart = "";
let counter = 0;

function drawRandomPart(): string {
  if (poolOffset + RANDOM_BYTES > POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  const start = poolOffset;
  poolOffset += RANDOM_BYTES;
  pool[start] = ((pool[start] ?? 0) & 0x3f) | 0x80;
  const hex = pool.toString("hex", start, poolOffset);
  return `${hex.slice(0, 4)}-${hex.slice(4)}`;
}

function setTime(millis: number): void {
  lastMillis = millis;
  counter = 0;
  const hex = millis.toString(16).padStart(12, "0");
  timePart = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
  randomPart = drawRandomPart();
}

/**
 * Creates a UUID version 7: ids created later in this process sort after earlier ones.
 *
 * The 12 bits behind the time are a counter, so that ids of one millisecond keep their order; the random bits
 * are drawn anew for every millisecond.
 *
 * @see RFC 9562, 5.7 and 6.2 method 1
 */
export function uuidV7(nowMillis: number): string {
  if (nowMillis > lastMillis) setTime(nowMillis);
  else if (++counter > MAX_COUNTER) setTime(lastMillis + 1);
  return `${timePart}${HEX[counter >> 4]}${HEX_DIGITS[counter & 0xf]}-${randomPart}`;
}

/**
 * Creates a UUID version 8 from texts: the same texts have the same id, in every process.
 *
 * @see RFC 9562, 5.8
 */
export function toNamedUuid(...texts: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(texts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end))
    .join("-");
}
