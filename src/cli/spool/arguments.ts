import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { toErrorCode } from "../../delivery/spool/file-system.ts";
import { openSpoolView, type OpenSpool } from "../../delivery/spool/spool-view.ts";
import type { WriterEntry, WriterListing } from "../../delivery/spool/writers.ts";
import { readSigningKey } from "../../util/http-signature.ts";
import { UsageError } from "../parse-arguments.ts";

/** Exit codes of the spool commands; wrong usage is 2, as everywhere. */
export const EXIT_CODES = { done: 0, failed: 1, incomplete: 3 } as const;

/** Thrown when a spool command can't do its work; ends with exit code 1. */
export class SpoolCommandError extends Error {
  override readonly name = "SpoolCommandError" as const;
}

/** Option of every command that reads possibly encrypted files. */
export const KEY_OPTION = { "key-file": { type: "string" } } as const;
/** Option of every command that can be limited to some writers. */
export const WRITER_OPTION = { writer: { type: "string", multiple: true } } as const;
/** Environment variable that holds the key itself, as for the SDK. */
const KEY_VARIABLE = "AGENT_MONITOR_SPOOL_KEY";
const KEY_EXPECTATION = "expected at least 32 bytes, as Base64 or text";

/** Parses a whole number from 0 on. @throws UsageError */
export function parseCount(option: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new UsageError(`--${option} must be a whole number from 0 on`);
}

function readKeyText(file: string | undefined, option: string): string | undefined {
  if (file === undefined) return process.env[KEY_VARIABLE] || undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--${option}: the file can't be read (${toErrorCode(error)})`);
  }
}

/**
 * Reads the key of the spool from a file, else from the environment.
 *
 * @param option - Name of the option that names the file, for messages.
 * @throws UsageError
 */
export function readSpoolKey(file: string | undefined, option = "key-file"): KeyObject | undefined {
  const text = readKeyText(file, option);
  if (text === undefined) return undefined;
  const key = readSigningKey(text);
  if (key) return key;
  throw new UsageError(`${file === undefined ? KEY_VARIABLE : `--${option}`}: ${KEY_EXPECTATION}`);
}

const OPENING_FAILURES = {
  missing: "there is no such directory",
  no_directory: "expected a directory",
  no_permission: "no permission to read it",
  no_spool: "expected a spool directory, found other files only",
  failed: "it can't be read",
} as const;

/** An open spool directory, and whether everything in it could be read: readers set it. */
export interface Reading extends OpenSpool {
  isWhole: boolean;
}

/** Opens a spool directory for reading. @throws SpoolCommandError */
export async function openSpool(directory: string, key?: KeyObject): Promise<Reading> {
  const opening = await openSpoolView(directory, key);
  if (opening.status === "open") return { ...opening, isWhole: true };
  const code = opening.status === "failed" ? ` (${opening.code})` : "";
  throw new SpoolCommandError(`${directory}: ${OPENING_FAILURES[opening.status]}${code}`);
}

/** Returns the named writers, else all. @throws SpoolCommandError for a writer that does not exist. */
export function selectWriters(
  { writers }: WriterListing,
  ids: readonly string[] | undefined,
): readonly WriterEntry[] {
  for (const id of ids ?? [])
    if (!writers.some(({ writerId }) => writerId === id))
      throw new SpoolCommandError(`--writer: there is no writer ${JSON.stringify(id)}`);
  return ids ? writers.filter(({ writerId }) => ids.includes(writerId)) : writers;
}
