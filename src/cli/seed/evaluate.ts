import type { InteractionContext } from "../../events/compliance.ts";
import type { AgentResponseEvent } from "../../events/detailed-event.ts";
import { builtInRules, ComplianceEngine } from "../../testing.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import { ALL_ON } from "../check/checker.ts";

/** Puts what the rules say of an answer into its event, as a monitor does. */
export type Evaluate = (event: AgentResponseEvent, context: Partial<InteractionContext>) => void;

/** Creates the SDK's engine for answers of the past: its sessions expire by their times. */
export function createEvaluate(): Evaluate {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    // Stands still while a rule runs: one that is slow on a busy machine must not be skipped.
    monotonic: () => now,
    schedule: (callback, delay) => systemClock.schedule(callback, delay, true),
  };
  const log = { log: () => undefined, flush: () => undefined };
  const engine = new ComplianceEngine({ clock, log, rules: builtInRules });
  return (event, context) => {
    now = event.timestamp;
    const { agentId, sessionId, timestamp, content, agentCategory, agentSpecialty } = event;
    const interaction: InteractionContext = {
      agentId,
      sessionId,
      timestamp,
      agentResponse: content,
      agentCategory: agentCategory ?? "tool_calling",
      ...(agentSpecialty !== undefined && { agentSpecialty }),
      ...context,
    };
    const { violations, riskScore, requiresReview } = engine.evaluate(interaction, ALL_ON, {
      isGiven: true,
    });
    Object.assign(event, { complianceFlags: violations, riskScore, requiresReview });
  };
}
