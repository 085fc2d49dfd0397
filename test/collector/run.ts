/*
 * Runs a real OpenTelemetry Collector between applications and the receiver: `npm run test:collector`.
 *
 * `OTELCOL_BIN` is the path of a collector. Without it, the one of examples/collector/distribution is built, with Go.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCollector, hasGo } from "./build-collector.ts";
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

const wanted = process.argv[2] ?? "";
const counts = { passed: 0, failed: 0 };

/** Does something and prints one line about it. */
async function tell(name: string, act: () => Promise<string>): Promise<void> {
  const startedAt = performance.now();
  const seconds = (): string => `(${((performance.now() - startedAt) / 1000).toFixed(1)} s)`;
  try {
    console.log(`ok      ${name}: ${await act()} ${seconds()}`);
    counts.passed++;
  } catch (error) {
    const problem = error instanceof Error ? error.stack : String(error);
    console.log(`FAILED  ${name}: ${problem} ${seconds()}`);
    counts.failed++;
  }
}

async function runAll(path: string): Promise<void> {
  // Collectors are killed at the exit.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  const chosen = scenarios.filter(({ name }) => name.includes(wanted));
  for (const scenario of chosen) await tell(scenario.name, () => scenario.run(path));
}

async function buildAndRunAll(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "agent-monitor-collector-"));
  // Also of a run that is broken off.
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  console.log("builds a collector, which takes minutes the first time");
  let path: string | undefined;
  await tell("a collector of the core components", async () => {
    path = await buildCollector(directory);
    return "built";
  });
  if (path !== undefined) await runAll(path);
}

const binary = process.env["OTELCOL_BIN"];
if (binary || (await hasGo())) {
  await (binary ? runAll(binary) : buildAndRunAll());
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  if (counts.failed > 0 || counts.passed === 0) process.exitCode = 1;
} else {
  console.log("test:collector skipped: no OTELCOL_BIN that is a collector, and no Go to build one");
}
