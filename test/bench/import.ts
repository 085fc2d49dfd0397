import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./statistics.ts";

const ROUNDS = 11;
const DEPENDENCIES = [
  "@opentelemetry/api",
  "@opentelemetry/api-logs",
  "@opentelemetry/sdk-logs",
  "@opentelemetry/sdk-trace-base",
  "zod",
];

/** Time in ms that a new process takes to import packages. */
function measure(packages: readonly string[]): number {
  const imports = packages.map((name) => `await import(${JSON.stringify(name)});`).join("");
  const code = `const start = performance.now(); ${imports} console.log(performance.now() - start);`;
  const options = { cwd: fileURLToPath(new URL(".", import.meta.url)), encoding: "utf8" as const };
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], options));
}

/** Figures of the import, in ms and as a ratio. */
export interface ImportFigures {
  readonly vsDependencies: number;
  readonly millis: { readonly package: number; readonly dependencies: number };
}

/** Measures importing the package beside importing what it depends on, in turn, each in a new process. */
export function benchImport(): ImportFigures {
  const times = { package: [] as number[], dependencies: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.package.push(measure(["agent-monitor"]));
    times.dependencies.push(measure(DEPENDENCIES));
  }
  return {
    vsDependencies: median(
      times.package.map((time, round) => time / (times.dependencies[round] ?? Number.NaN)),
    ),
    millis: { package: median(times.package), dependencies: median(times.dependencies) },
  };
}
