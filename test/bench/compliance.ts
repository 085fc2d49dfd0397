import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ComplianceFigures } from "./compliance-figures.ts";
import { measureReadiness, type ReadinessFigures } from "./readiness.ts";

const run = promisify(execFile);
const SIDE = fileURLToPath(new URL("compliance-side.js", import.meta.url));

/** Measures the rules in a process of their own, and what new processes feel of them. */
export async function benchCompliance(): Promise<ComplianceFigures & ReadinessFigures> {
  const { stdout } = await run(process.execPath, [SIDE]);
  return { ...(JSON.parse(stdout) as ComplianceFigures), ...measureReadiness() };
}
