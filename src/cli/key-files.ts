import { readFileSync } from "node:fs";
import { UsageError } from "./parse-arguments.ts";

function readKeyFile(option: string, id: string, file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new UsageError(`--${option} ${id}: the file can't be read (${code})`);
  }
}

/**
 * Reads the keys that `<id>=<file>` arguments name, without the line break at the end of a file.
 *
 * An argument is not repeated in the message: it may be the key itself.
 *
 * @param option - Name of the option, for messages.
 */
export function readKeyFiles(option: string, pairs: readonly string[]): Map<string, string> {
  const keys = new Map<string, string>();
  for (const pair of pairs) {
    const [, id, file] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (id === undefined || file === undefined)
      throw new UsageError(`--${option} must be <id>=<file>`);
    if (keys.has(id)) throw new UsageError(`--${option} names the key ${id} twice`);
    keys.set(id, readKeyFile(option, id, file));
  }
  return keys;
}
