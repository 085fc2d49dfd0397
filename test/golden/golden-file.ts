import { createHash } from "node:crypto";

/** A file that a run makes: committed, and compared byte for byte with that of the next run. */
export interface GoldenFile {
  /** Below the directory of this file. */
  readonly path: string;
  readonly text: string;
  /** What the lines sum up, as JSON Lines, for `--out`. */
  readonly details: readonly string[];
}

/** Computes a SHA-256 in hex. */
export function toDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Sorts by code units, which is the same in every locale. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
