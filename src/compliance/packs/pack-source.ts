import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { PackRule, PackWords } from "./pack-schema.ts";

/** What the files of a pack say: rules with their phrases and cases, and the lists that they share. */
export interface PackSource {
  readonly rules: readonly PackRule[];
  readonly words: readonly { readonly file: string; readonly value: PackWords }[];
}

const MAX_BYTES = 64 * 1024 * 1024;
/** More takes seconds, and saves a tenth. */
const QUALITY = 9;

/** Encodes a source as text. */
export function encodeSource({ rules, words }: PackSource): string {
  const json = JSON.stringify({ rules, words: words.map(({ file, value }) => ({ file, value })) });
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return brotliCompressSync(json, { params }).toString("base64");
}

/** Decodes what `encodeSource` gives. */
export function decodeSource(text: string): PackSource {
  const bytes = brotliDecompressSync(Buffer.from(text, "base64"), { maxOutputLength: MAX_BYTES });
  return JSON.parse(bytes.toString("utf8")) as PackSource;
}
