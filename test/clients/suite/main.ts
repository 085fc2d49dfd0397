import type { AgentMonitor } from "../../../src/monitor/monitor.ts";
import { DRIVERS, type DriverName } from "./drivers/index.ts";
import { judgeRun } from "./judge-run.ts";
import { runBare, runObserved, watchRejections, type Mode } from "./run-scenario.ts";
import type { Driver, Kit, Scenario } from "./scenario.ts";

/** What is wrong with one scenario in one mode; nothing if all is well. */
export interface Verdict {
  readonly scenario: string;
  readonly mode: Mode;
  readonly problems: readonly string[];
}

/** What a program of the suite is started with. */
export interface SuiteOptions {
  readonly driver: DriverName;
  readonly modules: Kit["modules"];
  readonly Monitor: typeof AgentMonitor;
}

/** Stands in the output before the verdicts: clients may print as well. */
export const REPORT = "@verdicts ";

/** Gives the ways in which all of a driver's scenarios are observed. */
export function toModes({ takesFetch }: Driver): readonly Mode[] {
  return takesFetch ? ["global", "option"] : ["global"];
}

/** Does a scenario without us and in each mode, and judges what is different. */
export async function judgeScenario(
  scenario: Scenario,
  modes: readonly Mode[],
  { modules, Monitor }: Omit<SuiteOptions, "driver">,
): Promise<Verdict[]> {
  const bare = await runBare(scenario, modules);
  const verdicts: Verdict[] = [];
  for (const mode of modes) {
    const observed = await runObserved(scenario, modules, { Monitor, mode });
    const problems = judgeRun(scenario, bare, observed);
    verdicts.push({ scenario: scenario.name, mode, problems });
  }
  return verdicts;
}

/** Does all scenarios of a driver and prints the verdicts. */
export async function runSuite({ driver: name, ...options }: SuiteOptions): Promise<void> {
  const driver: Driver = DRIVERS[name];
  const unwatch = watchRejections();
  const verdicts: Verdict[] = [];
  for (const scenario of driver.scenarios(options.modules)) {
    verdicts.push(...(await judgeScenario(scenario, toModes(driver), options)));
  }
  for (const scenario of driver.hookScenarios?.(options.modules) ?? []) {
    for (const mode of ["hook", "lone hook"] as const) {
      const named = { ...scenario, name: `${scenario.name}, with the ${mode}` };
      verdicts.push(...(await judgeScenario(named, [mode], options)));
    }
  }
  unwatch();
  process.stdout.write(`\n${REPORT}${JSON.stringify(verdicts)}\n`, () => process.exit(0));
}
