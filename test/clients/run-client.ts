import { createRequire } from "node:module";
import { runProgram } from "../helpers/run-program.ts";
import { bundleSuite } from "./bundle.ts";
import { toCleanEnv } from "./clean-env.ts";
import type { Client, Format } from "./matrix.ts";
import { REPORT, type Verdict } from "./suite/main.ts";

const PROGRAM_TIMEOUT_MILLIS = 120_000;
const MAX_STDERR_LENGTH = 2000;
const TSX = createRequire(import.meta.url).resolve("tsx");

/** Where a client runs. */
export interface Place {
  readonly app: string;
  readonly execPath: string;
  readonly format: Format;
}

/**
 * Runs all scenarios of a client in a process of its own.
 *
 * @throws Error when the program did not come to its end.
 */
export async function runClient(client: Client, place: Place): Promise<Verdict[]> {
  const path = await bundleSuite(client, place.app, place.format);
  const flags = place.format === "tsx" ? ["--import", TSX] : [];
  const result = await runProgram(place.execPath, ["--expose-gc", ...flags, path], {
    cwd: place.app,
    env: toCleanEnv(),
    timeoutMillis: PROGRAM_TIMEOUT_MILLIS,
  });
  const report = result.stdout.split("\n").find((line) => line.startsWith(REPORT));
  if (result.code !== 0 || report === undefined)
    throw new Error(`ended with ${result.code}: ${result.stderr.trim().slice(-MAX_STDERR_LENGTH)}`);
  return JSON.parse(report.slice(REPORT.length)) as Verdict[];
}
