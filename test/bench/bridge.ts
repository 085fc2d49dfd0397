import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BridgeFigures } from "./bridge-figures.ts";

const run = promisify(execFile);
const SIDE = fileURLToPath(new URL("bridge-side.js", import.meta.url));

/** Measures the bridge in a process of its own. */
export async function benchBridge(): Promise<BridgeFigures> {
  const { stdout } = await run(process.execPath, [SIDE]);
  return JSON.parse(stdout) as BridgeFigures;
}
