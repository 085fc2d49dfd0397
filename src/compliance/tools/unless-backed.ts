import type { InteractionContext } from "../../events/compliance.ts";
import type { DefinedRule } from "../define-rule.ts";

/** Makes a rule silent where a tool backs what the agent says. */
export function unlessBacked(
  isBacked: (context: InteractionContext) => boolean,
  rule: DefinedRule,
): DefinedRule {
  return {
    ...rule,
    ruleFunction: (context, exchange) => {
      const result = rule.ruleFunction(context, exchange);
      const isSilent = (result.violations.length > 0 || result.candidates) && isBacked(context);
      return isSilent
        ? { isCompliant: true, violations: [], riskScore: 0, requiresReview: false }
        : result;
    },
  };
}
