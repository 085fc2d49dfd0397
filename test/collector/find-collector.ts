import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../helpers/run-program.ts";

const ROOT = join(import.meta.dirname, "../..");
const DISTRIBUTION = join(ROOT, "examples/collector/distribution");
/** Kept, so that Go does nothing where nothing has changed. */
const DIRECTORY = join(ROOT, "temp/collector");
/** Of two slow cores that have built nothing yet. */
const BUILD_TIMEOUT_MILLIS = 1_200_000;
const MAX_REASON_LENGTH = 500;

/** Builds what `examples/collector/distribution` says: modules come from a proxy or Go's cache, and must be those of `go.sum`. */
async function buildCollector(): Promise<string> {
  mkdirSync(DIRECTORY, { recursive: true });
  const path = join(DIRECTORY, "otelcol");
  const flags = ["-mod=readonly", "-buildvcs=false", "-trimpath", "-ldflags=-s -w"];
  const built = await runProgram("go", ["build", ...flags, "-o", path, "."], {
    cwd: DISTRIBUTION,
    env: { ...process.env, GO111MODULE: "on", CGO_ENABLED: "0" },
    timeoutMillis: BUILD_TIMEOUT_MILLIS,
  });
  if (built.code !== 0) throw new Error(`a Collector can't be built with Go: ${built.stderr}`);
  return path;
}

/**
 * Returns the path of a collector: that of `OTELCOL_BIN`, or the one that it builds.
 *
 * @returns Nothing where there is neither, which one line says; with `REQUIRE_CLUSTER=1` it throws.
 */
export async function findCollector(): Promise<string | undefined> {
  try {
    return process.env["OTELCOL_BIN"] || (await buildCollector());
  } catch (error) {
    if (process.env["REQUIRE_CLUSTER"] === "1") throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const line = reason.replaceAll(/\s+/g, " ").slice(0, MAX_REASON_LENGTH);
    console.log(`the tests with a Collector are left out: ${line}`);
    return undefined;
  }
}
