import type { ComplianceRule } from "../events/compliance.ts";
import type { DefinedRule } from "./define-rule.ts";

/** Returns whether a rule was made by `defineRule`, so that its score derives from its findings. */
export function isDefinedRule(rule: ComplianceRule): rule is DefinedRule {
  return "law" in rule && "patternIds" in rule;
}
