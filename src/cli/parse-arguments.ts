import { parseArgs, type ParseArgsConfig } from "node:util";
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
const COMMON_OPTIONS = ["help", "version"];

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
