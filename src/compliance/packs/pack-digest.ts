import { createHash } from "node:crypto";

/** A file by its path in the repository. */
interface DigestedFile {
  readonly path: string;
  readonly text: string | Uint8Array;
}

/** Computes the digest by which findings name a pack of one file: what `sha256sum` prints for it. */
export function toTextDigest(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Computes the digest by which findings name a pack of several files, and the model: what `sha256sum` prints for the files, in
 * the order of their paths, is digested once more, so that anybody can do it again.
 */
export function toFilesDigest(files: readonly DigestedFile[]): string {
  const lines = files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, text }) => `${toTextDigest(text)}  ${path}\n`);
  return toTextDigest(lines.join(""));
}
