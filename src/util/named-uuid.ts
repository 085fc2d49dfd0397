import { createHash } from "node:crypto";

/**
 * Makes a UUID version 8 of texts: the same texts have the same id, in every process.
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
