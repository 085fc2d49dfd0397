import { join } from "node:path";
import { startSink } from "../helpers/sink.ts";
import { toFileName, type Format } from "./bundle.ts";
import type { Program } from "./programs.ts";
import { runProgram } from "../helpers/run-program.ts";

const PROGRAM_TIMEOUT_MILLIS = 30_000;

/** Where a program runs. */
export interface Place {
  readonly app: string;
  readonly programs: string;
  readonly execPath: string;
  readonly format: Format;
}

/** Variables of the surroundings that change what a program does. */
function toCleanEnv(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter(
    (name) => !/^(OTEL|AGENT_MONITOR|NODE)_/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/**
 * Runs a program against a receiver of its own and judges what came of it.
 *
 * @returns What is wrong, `undefined` if nothing is.
 */
export async function runCase(program: Program, place: Place): Promise<string | undefined> {
  const platform = await startSink();
  try {
    const flag = place.format === "esm" ? "--import" : "--require";
    const door = program.isRegistered ? [flag, "agent-monitor/register"] : [];
    const path = join(place.programs, toFileName(program.name, place.format));
    const result = await runProgram(place.execPath, [...door, path], {
      cwd: place.app,
      env: {
        ...toCleanEnv(),
        AGENT_MONITOR_API_KEY: "key",
        AGENT_MONITOR_ORGANIZATION_ID: "bank",
        AGENT_MONITOR_ENDPOINT: platform.url,
        AGENT_MONITOR_ENABLE_LOGGING: "false",
      },
      timeoutMillis: PROGRAM_TIMEOUT_MILLIS,
    });
    if (result.code !== 0) return `ended with ${result.code}: ${result.stderr.trim()}`;
    if (result.stderr !== "") return `wrote to stderr: ${result.stderr.trim()}`;
    program.judge(JSON.parse(result.stdout), platform);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await platform.close();
  }
}
