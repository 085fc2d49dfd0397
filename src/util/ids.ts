import { randomFillSync } from "node:crypto";

const POOL_BYTES = 8192;
const RANDOM_BYTES_PER_ID = 8;
const MAX_COUNTER = 0x0fff;

const HEX_DIGITS = "0123456789abcdef";
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const pool = new Uint8Array(POOL_BYTES);
let poolOffset = POOL_BYTES;
let lastMillis = 0;
/** The time of the last id as it is written, up to the version digit. */
let timePart = "";
let counter = 0;

function hexAt(offset: number): string {
  return HEX[pool[offset] ?? 0] ?? "00";
}

function setTime(millis: number): void {
  lastMillis = millis;
  counter = 0;
  const hex = millis.toString(16).padStart(12, "0");
  timePart = `${hex.slice(0, 8)}-${hex.slice(8)}-7`;
}

/**
 * Makes a UUID version 7: ids made later in this process sort after earlier ones.
 *
 * The 12 bits behind the time are a counter, so that ids of one millisecond keep their order.
 *
 * @see RFC 9562, 5.7 and 6.2 method 1
 */
export function uuidV7(nowMillis: number): string {
  if (poolOffset + RANDOM_BYTES_PER_ID > POOL_BYTES) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  if (nowMillis > lastMillis) setTime(nowMillis);
  else if (++counter > MAX_COUNTER) setTime(lastMillis + 1);
  const at = poolOffset;
  poolOffset += RANDOM_BYTES_PER_ID;
  const variant = HEX[((pool[at] ?? 0) & 0x3f) | 0x80] ?? "80";
  const count = (HEX[counter >> 4] ?? "00") + (HEX_DIGITS[counter & 0xf] ?? "0");
  return (
    `${timePart}${count}-${variant}${hexAt(at + 1)}-` +
    hexAt(at + 2) +
    hexAt(at + 3) +
    hexAt(at + 4) +
    hexAt(at + 5) +
    hexAt(at + 6) +
    hexAt(at + 7)
  );
}
