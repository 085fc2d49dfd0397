import { statSync } from "node:fs";
import { resolve } from "node:path";
import { endpointSchema } from "../../events/wire.ts";
import { parseArguments, UsageError } from "../parse-arguments.ts";

/** Parsed arguments of `doctor`. */
export interface DoctorArguments {
  /** Absolute path of the project. */
  readonly folder: string;
  /** Base URL of a platform. */
  readonly url: string | undefined;
  readonly json: boolean;
  /** The program to run and its arguments; empty when only the project is checked. */
  readonly command: readonly string[];
  /** Run time in ms. */
  readonly runMillis: number;
}

const PARSE_OPTIONS = {
  url: { type: "string" },
  after: { type: "string" },
  json: { type: "boolean" },
} as const;

/** Default of the seconds that an application runs. */
export const DEFAULT_SECONDS = 5;
const MAX_SECONDS = 600;

function readSeconds(given: string | undefined): number {
  const seconds = given === undefined ? DEFAULT_SECONDS : Number(given);
  if (seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new UsageError(`--after: expected seconds up to ${MAX_SECONDS} (got ${given ?? ""})`);
}

/** Splits at the `--` before the application's command. */
function splitCommand(
  args: readonly string[],
): [own: readonly string[], command: readonly string[]] {
  const at = args.indexOf("--");
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Parses the arguments of `doctor`. @throws UsageError */
export function parseDoctorArguments(args: readonly string[]): DoctorArguments {
  const [own, command] = splitCommand(args);
  const { values, positionals } = parseArguments(own, PARSE_OPTIONS);
  const [given = ".", ...others] = positionals;
  if (others.length > 0) throw new UsageError("doctor takes one folder");
  const folder = resolve(given);
  if (!isFolder(folder)) throw new UsageError(`expected the folder of a project (got ${given})`);
  const url = values.url === undefined ? undefined : endpointSchema.safeParse(values.url);
  // The URL may contain a password.
  if (url?.success === false) throw new UsageError(`--url: ${url.error.issues[0]?.message ?? ""}`);
  if (args.includes("--") && command.length === 0)
    throw new UsageError("expected a program behind --");
  return {
    folder,
    url: url?.data,
    json: values.json === true,
    command,
    runMillis: readSeconds(values.after) * 1000,
  };
}
