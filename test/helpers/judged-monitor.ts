import type { AgentMonitoringConfig } from "../../src/config/config.ts";
import type { ComplianceViolationEvent } from "../../src/events/detailed-event.ts";
import { readJudgeResult } from "../../src/events/judge-result.ts";
import type { JudgeOptions } from "../../src/config/judge-options.ts";
import { startMonitor, type TestMonitor } from "./monitor.ts";
import { createScriptedJudge, type ScriptedJudge } from "./scripted-judge.ts";

/** A monitor whose judge is a scripted model. */
export interface JudgedMonitor extends TestMonitor {
  readonly judge: ScriptedJudge;
  /** What the judge says, in the order in which it came. */
  readonly judged: () => Promise<ComplianceViolationEvent[]>;
}

/** Starts a monitor with a scripted judge, which gets no sample unless that is asked for; its rules are ready. */
export async function startJudgedMonitor(
  options: Partial<JudgeOptions> = {},
  config: Partial<AgentMonitoringConfig> = {},
): Promise<JudgedMonitor> {
  const judge = createScriptedJudge();
  const test = await startMonitor({
    judge: { sampleRate: 0, model: judge.model, ...options },
    ...config,
  });
  await test.monitor.ready();
  const judged = async (): Promise<ComplianceViolationEvent[]> =>
    (await test.delivered()).filter(
      (event): event is ComplianceViolationEvent => readJudgeResult(event) !== undefined,
    );
  return { ...test, judge, judged };
}
