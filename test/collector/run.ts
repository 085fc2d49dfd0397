/*
 * Runs a real OpenTelemetry Collector between applications and the receiver: `npm run test:collector`.
 *
 * `OTELCOL_BIN` is the path of a collector; examples/collector/README.md tells how to get one.
 */
import { fanOutScenarios } from "./fan-out.ts";
import { killedCollectorScenarios } from "./killed-collector.ts";
import { largeRequestScenario } from "./large-request.ts";
import { passThroughScenarios } from "./pass-through.ts";
import type { Scenario } from "./scenario.ts";
import { unansweredScenario } from "./unanswered.ts";

const scenarios: readonly Scenario[] = [
  ...passThroughScenarios,
  ...killedCollectorScenarios,
  ...fanOutScenarios,
  largeRequestScenario,
  unansweredScenario,
];

const binary = process.env["OTELCOL_BIN"];
const wanted = process.argv[2] ?? "";

async function runAll(path: string): Promise<void> {
  // Collectors are killed at the exit.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  for (const scenario of scenarios.filter(({ name }) => name.includes(wanted))) {
    try {
      console.log(`ok      ${scenario.name}: ${await scenario.run(path)}`);
    } catch (error) {
      console.log(
        `FAILED  ${scenario.name}: ${error instanceof Error ? error.stack : String(error)}`,
      );
      process.exitCode = 1;
    }
  }
}

if (binary) await runAll(binary);
else console.log("test:collector skipped: OTELCOL_BIN does not name an OpenTelemetry Collector");
