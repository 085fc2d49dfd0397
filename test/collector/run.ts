/*
 * Runs a real OpenTelemetry Collector between applications and the receiver: `npm run test:collector`.
 *
 * `OTELCOL_BIN` is the path of a collector. Without it, the one of examples/collector/distribution is built, with Go.
 * `--small` runs what takes seconds; another argument picks scenarios by a part of their names.
 */
import { validScenarios } from "./configurations.ts";
import { fanOutScenarios } from "./fan-out.ts";
import { findCollector } from "./find-collector.ts";
import { killedCollectorScenarios } from "./killed-collector.ts";
import { largeRequestScenario } from "./large-request.ts";
import { passThroughScenarios } from "./pass-through.ts";
import type { Scenario } from "./scenario.ts";
import { unansweredScenario } from "./unanswered.ts";

const scenarios: readonly Scenario[] = [
  ...validScenarios,
  unansweredScenario,
  largeRequestScenario,
  ...passThroughScenarios,
  ...killedCollectorScenarios,
  ...fanOutScenarios,
];

const args = process.argv.slice(2);
const isSmall = args.includes("--small");
const wanted = args.find((arg) => !arg.startsWith("--")) ?? "";
const counts = { passed: 0, failed: 0 };

/** Runs a scenario and prints one line about it. */
async function run(scenario: Scenario, binary: string): Promise<void> {
  const { name } = scenario;
  const startedAt = performance.now();
  const seconds = (): string => `(${((performance.now() - startedAt) / 1000).toFixed(1)} s)`;
  try {
    console.log(`ok      ${name}: ${await scenario.run(binary)} ${seconds()}`);
    counts.passed++;
  } catch (error) {
    const problem = error instanceof Error ? error.stack : String(error);
    console.log(`FAILED  ${name}: ${problem} ${seconds()}`);
    counts.failed++;
  }
}

// Collectors are killed at the exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
console.log("looks for a Collector; to build one takes minutes the first time");
const binary = await findCollector();
if (binary !== undefined) {
  const chosen = scenarios.filter((scenario) => scenario.name.includes(wanted));
  const small = chosen.filter((scenario) => scenario.isSmall === true);
  for (const scenario of isSmall ? small : chosen) await run(scenario, binary);
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
}
