import { createHash } from "node:crypto";

const RANGE = 2 ** 32;

/**
 * Tells whether an answer is in a random sample: by a digest, so that every process decides alike, and nobody who writes
 * answers can know.
 *
 * @param rate - 0 to 1.
 */
export function isSampled(seed: string, eventId: string, rate: number): boolean {
  if (rate <= 0) return false;
  const digest = createHash("sha256").update(`${seed}\n${eventId}`).digest();
  return digest.readUInt32BE(0) / RANGE < rate;
}
