import { closeSync, openSync, readSync } from "node:fs";
import type { PolicyPack } from "../policy-pack.ts";
import { PackError } from "./pack-error.ts";
import { readPolicy, type ReadPolicy } from "./read-policy.ts";
import type { PackFile } from "./read-yaml.ts";

/** Four bytes for each character that the reader of YAML takes. */
const MAX_BYTES = 4 * 1024 * 1024;

function readBytes(path: string): Uint8Array {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(descriptor, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

function refuse(file: string, message: string): PackError {
  return new PackError([{ file, line: 1, column: 1, message }]);
}

function toText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readBytes(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw refuse(path, `can't be read (${code})`);
  }
  if (bytes.length > MAX_BYTES) throw refuse(path, `expected at most ${MAX_BYTES} bytes, got more`);
  try {
    // The mark at the beginning stays, so that the digest is that of the file.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refuse(path, "expected UTF-8");
  }
}

/** Reads the file of a pack, with the cases of its rules. @throws PackError */
export function readPolicyFile(path: string): ReadPolicy {
  return readPolicy({ path, text: toText(path) });
}

/**
 * Reads and checks a bank's own pack, for `engine.addRulePack`.
 *
 * @param file - Its text, and the path by which problems name it; nothing is read there.
 * @throws {@link PackError} that lists every problem, with file, line and column.
 */
export function readRulePack(file: PackFile): PolicyPack {
  return readPolicy(file).policy;
}

/**
 * Reads the file of a bank's own pack, and checks it.
 *
 * @throws {@link PackError} that lists every problem, with file, line and column, or says why the file can't be read.
 */
export function readRulePackFile(path: string): PolicyPack {
  return readPolicyFile(path).policy;
}
