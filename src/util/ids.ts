import { randomFillSync } from "node:crypto";

const POOL_BYTES = 8192;
const RANDOM_BYTES_PER_ID = 8;
const MAX_COUNTER = 0x0fff;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const pool = new Uint8Array(POOL_BYTES);
let poolOffset = POOL_BYTES;
let lastMillis = 0;
let counter = 0;

function hexAt(offset: number): string {
  return HEX[pool[offset] ?? 0] ?? "00";
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
  if (nowMillis > lastMillis) {
    lastMillis = nowMillis;
    counter = 0;
  } else if (++counter > MAX_COUNTER) {
    lastMillis++;
    counter = 0;
  }
  const time = lastMillis.toString(16).padStart(12, "0");
  const at = poolOffset;
  poolOffset += RANDOM_BYTES_PER_ID;
  const variant = HEX[((pool[at] ?? 0) & 0x3f) | 0x80] ?? "80";
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-` +
    `${variant}${hexAt(at + 1)}-${hexAt(at + 2)}${hexAt(at + 3)}${hexAt(at + 4)}${hexAt(at + 5)}${hexAt(at + 6)}${hexAt(at + 7)}`
  );
}
