import { toKeptTask } from "../assessment/kept-task.ts";
import type { SecondStage, SecondStageOptions } from "../assessment/second-stage.ts";
import type { ResolvedConfig } from "../config/config.ts";
import { createConfiguredRedactor, createJudgeRedactor } from "../redaction/redactor.ts";
import type { Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import { createSecondStage } from "./deferred-judge.ts";
import { toSpoolSettings } from "./delivery-settings.ts";
import { isolateJudge } from "./isolate-judge.ts";

/** What the judge is created with, whatever the configuration says. */
export interface JudgeDependencies {
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly log: BurstLogger;
}

/** Who gives the judge what it judges by, and hears what it says. */
export type JudgeHandlers = Pick<SecondStageOptions, "rules" | "onFinding" | "onClean">;

/** Creates the judge that a configuration asks for; `undefined` for none, or where no rule reads an answer first. */
export function createConfiguredJudge(
  { config, clock, log }: JudgeDependencies,
  handlers: JudgeHandlers,
): SecondStage | undefined {
  const { judge: options, enableComplianceChecks } = config;
  if (!options || !enableComplianceChecks) return undefined;
  const spool = toSpoolSettings(config);
  const platform = config.redact ? createConfiguredRedactor(config.redact, log) : undefined;
  const redactor = createJudgeRedactor(config.redact, log);
  const model = options.content === "redacted" ? redactor : undefined;
  return createSecondStage({
    ...handlers,
    options,
    clock,
    log,
    redactor,
    isolate: isolateJudge,
    journal: spool && {
      log: { ...spool, organizationId: config.organizationId, clock, log },
      toKept: (task) => toKeptTask(task, { platform, model }),
    },
  });
}
