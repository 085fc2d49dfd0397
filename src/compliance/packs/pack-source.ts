import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { BUILT_IN_SOURCE } from "./built-in-source.generated.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";

/** What the files of a pack say: rules with their phrases and cases, and the lists that they share. */
export interface PackSource {
  /** The rules, as their files say them. */
  readonly rules: readonly PackRule[];
  /** The shared lists, by file. */
  readonly words: readonly { readonly file: string; readonly value: PackWords }[];
}

const MAX_BYTES = 64 * 1024 * 1024;
/** More takes seconds, and saves a tenth. */
const QUALITY = 9;

/** Encodes a source as text: the built-in one, for `readBuiltInSource`. */
export function encodeSource({ rules, words }: PackSource): string {
  const json = JSON.stringify({ rules, words: words.map(({ file, value }) => ({ file, value })) });
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return brotliCompressSync(json, { params }).toString("base64");
}

/** Reads the built-in rules as their files say them. It takes some milliseconds, and is needed once: nothing is kept. */
export function readBuiltInSource(): PackSource {
  const encoded = Buffer.from(BUILT_IN_SOURCE, "base64");
  const bytes = brotliDecompressSync(encoded, { maxOutputLength: MAX_BYTES });
  return JSON.parse(bytes.toString("utf8")) as PackSource;
}
