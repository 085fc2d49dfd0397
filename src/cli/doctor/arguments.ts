import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { endpointSchema } from "../../events/endpoint.ts";
import { UsageError } from "../command.ts";

/** How `doctor` was called. */
export interface DoctorArguments {
  /** Absolute path of the project. */
  readonly folder: string;
  /** Base URL of a platform. */
  readonly url: string | undefined;
  readonly json: boolean;
}

const PARSE_OPTIONS = { url: { type: "string" }, json: { type: "boolean" } } as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: PARSE_OPTIONS,
      strict: true,
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : "invalid options");
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Parses the arguments of `doctor`. @throws UsageError */
export function parseDoctorArguments(args: readonly string[]): DoctorArguments {
  const { values, positionals } = parse(args);
  const [given = ".", ...others] = positionals;
  if (others.length > 0) throw new UsageError("doctor takes one folder");
  const folder = resolve(given);
  if (!isFolder(folder)) throw new UsageError(`expected the folder of a project (got ${given})`);
  const url = values.url === undefined ? undefined : endpointSchema.safeParse(values.url);
  // The URL may have a password in it.
  if (url?.success === false) throw new UsageError(`--url: ${url.error.issues[0]?.message ?? ""}`);
  return { folder, url: url?.data, json: values.json === true };
}
