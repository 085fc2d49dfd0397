import { createHash } from "node:crypto";
import type { PackFile } from "./read-yaml.ts";

/** Computes the digest by which findings name a pack of one file: what `sha256sum` prints for it. */
export function toTextDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Computes the digest by which findings name a pack: what `sha256sum` prints for its files, in the order of their paths, is
 * digested once more, so that anybody can do it again.
 */
export function toPackDigest(files: readonly PackFile[]): string {
  const lines = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, text }) => `${toTextDigest(text)}  ${path}\n`);
  return toTextDigest(lines.join(""));
}
