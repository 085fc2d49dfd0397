import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { toErrorCode } from "../delivery/spool/file-system.ts";
import { findNearestName } from "../util/nearest-name.ts";

/** A command of the command line tool. */
export interface Command {
  readonly help: string;
  /** Runs the command to its end and returns the exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** Thrown when a command was called in the wrong way; ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError" as const;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Options of every command, which `cli.ts` reads. */
export const COMMON_OPTIONS = ["help", "version"];

/** Suggests the known name that was most likely meant by an unknown one. */
export function toHint(name: string, known: readonly string[], prefix = ""): string {
  const nearest = findNearestName(name, known);
  return nearest === undefined ? "" : `: did you mean ${prefix}${nearest}?`;
}

/** Rejects an unknown option, and a single-valued one that is given twice: which value was meant is not known. */
function verifyOptions(args: readonly string[], options: Options): void {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    if (!Object.hasOwn(options, name)) {
      const hint = toHint(name, [...Object.keys(options), ...COMMON_OPTIONS], "--");
      throw new UsageError(`unknown option ${rawName}${hint}`);
    }
    if (options[name]?.multiple === true) continue;
    if (seen.has(name)) throw new UsageError(`--${name} stands twice`);
    seen.add(name);
  }
}

/** Parses arguments strictly. @throws UsageError */
export function parseArguments<T extends Options>(
  args: readonly string[],
  options: T,
): ReturnType<typeof parseArgs<{ options: T; strict: true; allowPositionals: true }>> {
  try {
    verifyOptions(args, options);
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : "invalid options");
  }
}

/** Returns the only argument beside the options. @throws UsageError when there is none, or another one. */
export function takeOnly(positionals: readonly string[], message: string): string {
  const [only = "", ...others] = positionals;
  if (only === "" || others.length > 0) throw new UsageError(message);
  return only;
}

/** Parses one of several words. @throws UsageError */
export function parseChoice<T extends string>(
  option: string,
  choices: readonly T[],
  text: string,
): T {
  const choice = choices.find((name) => name === text);
  if (choice !== undefined) return choice;
  const hint = toHint(text, choices);
  throw new UsageError(`--${option} must be ${choices.join(", ")} (got ${text})${hint}`);
}

/** Parses an integer of a range. @throws UsageError */
export function parseNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${option} must be ${least} to ${most} (got ${text})`);
}

/** Where to listen. */
interface Place {
  /** Absent where only a port is given. */
  readonly host: string | undefined;
  readonly port: number;
}

/** Parses `[host]:port`. @throws UsageError */
export function parsePlace(option: string, text: string): Place {
  const [, host = "", port] = /^(.*):(\d+)$/.exec(text) ?? [];
  if (port === undefined) throw new UsageError(`--${option} must be [host]:port (got ${text})`);
  return { host: host === "" ? undefined : host, port: parseNumber(option, port, 0, 65_535) };
}

function readKeyFile(option: string, id: string, file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new UsageError(`--${option} ${id}: the file can't be read (${toErrorCode(error)})`);
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

/**
 * Loads a member that a module exports, by its name or as its default export.
 *
 * @param option - Name of the option that names the module, for messages.
 * @throws UsageError when the module can't be loaded.
 */
export async function loadMember(option: string, path: string, name: string): Promise<unknown> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--${option}: ${path} can't be loaded (${reason})`);
  }
  // A CommonJS module has its exports as its default export.
  const exported = module["default"] as Readonly<Record<string, unknown>> | undefined;
  return module[name] ?? exported?.[name] ?? exported;
}
