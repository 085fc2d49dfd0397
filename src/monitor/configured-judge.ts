import { ROOT_CONTEXT, context } from "@opentelemetry/api";
import { suppressTracing } from "@opentelemetry/core";
import type { SecondStage, SecondStageOptions } from "../assessment/second-stage.ts";
import { createConfiguredRedactor, createJudgeRedactor } from "../redaction/redactor.ts";
import { runUnobserved, withoutConversationScope } from "../scope/scopes.ts";
import { createSecondStage } from "./deferred-judge.ts";
import { type DeliveryOptions, toSpoolSettings } from "./delivery.ts";

const UNTRACED = suppressTracing(ROOT_CONTEXT);

/**
 * Runs a call of the judge's model so that nobody records it: neither what observes for the monitor, nor instrumentations that ask
 * OpenTelemetry. It belongs to no request and no conversation of the application.
 */
function isolateJudge<T>(run: () => T): T {
  return withoutConversationScope(() => runUnobserved(() => context.with(UNTRACED, run)));
}

/** Creates the judge that a configuration asks for; `undefined` for none, or where no rule reads an answer first. */
export function createConfiguredJudge(
  { config, clock, log }: Pick<DeliveryOptions, "config" | "clock" | "log">,
  handlers: Pick<SecondStageOptions, "rules" | "onFinding" | "onClean">,
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
      redactors: { platform, model },
    },
  });
}
