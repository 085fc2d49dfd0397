import { join } from "node:path";
import { runProgram } from "../helpers/run-program.ts";

const DISTRIBUTION = join(import.meta.dirname, "../../examples/collector/distribution");
/** Of two slow cores that have built nothing yet. */
const BUILD_TIMEOUT_MILLIS = 1_200_000;

/** Tells whether there is a Go that builds programs. */
export async function hasGo(): Promise<boolean> {
  const options = { cwd: DISTRIBUTION, timeoutMillis: 60_000 };
  return (await runProgram("go", ["version"], options)).code === 0;
}

/**
 * Builds the collector of `examples/collector/distribution`: its modules come from a proxy or Go's cache, and must be
 * what `go.sum` says.
 *
 * @param directory - Where to put it.
 * @returns The path of the collector.
 */
export async function buildCollector(directory: string): Promise<string> {
  const path = join(directory, "otelcol");
  const flags = ["-mod=readonly", "-buildvcs=false", "-trimpath", "-ldflags=-s -w"];
  const built = await runProgram("go", ["build", ...flags, "-o", path, "."], {
    cwd: DISTRIBUTION,
    env: { ...process.env, GO111MODULE: "on", CGO_ENABLED: "0" },
    timeoutMillis: BUILD_TIMEOUT_MILLIS,
  });
  if (built.code !== 0) throw new Error(`the collector can't be built:\n${built.stderr}`);
  return path;
}
