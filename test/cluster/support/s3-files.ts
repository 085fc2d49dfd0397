import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "../../helpers/run-program.ts";

/** A gateway from S3's protocol to files, with versions, object lock, checksums and conditional writes. */
const MODULE = "github.com/versity/versitygw/cmd/versitygw";
const VERSION = "v1.8.0";
const SERVER = join(import.meta.dirname, `../../../temp/cluster/versitygw-${VERSION}`);
/** Of two slow cores that have built nothing yet. */
const BUILD_MILLIS = 1_200_000;

/**
 * Makes a server of S3 available: from `temp/cluster` when it is there, else it is built with Go.
 *
 * @returns Its path.
 * @throws when there is no Go of at least 1.21, or the modules can't be had.
 */
export async function prepareS3(): Promise<string> {
  if (existsSync(SERVER)) return SERVER;
  mkdirSync(dirname(SERVER), { recursive: true });
  // Beside the cache, and moved there: another process may do the same.
  const directory = mkdtempSync(`${SERVER}-`);
  try {
    const flags = ["-buildvcs=false", "-trimpath", "-ldflags=-s -w"];
    const result = await runProgram("go", ["install", ...flags, `${MODULE}@${VERSION}`], {
      cwd: directory,
      env: { ...process.env, GOBIN: directory, GOFLAGS: "-mod=mod", CGO_ENABLED: "0" },
      timeoutMillis: BUILD_MILLIS,
    });
    if (result.code !== 0)
      throw new Error(`versitygw can't be built: ${result.stderr.trim().slice(-500)}`);
    renameSync(join(directory, "versitygw"), SERVER);
    return SERVER;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
