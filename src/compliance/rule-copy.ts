import { complianceRuleSchema, type ComplianceRule } from "../events/compliance.ts";
import { toValidationDetails, ValidationError } from "../events/validation-error.ts";
import { isDefinedRule } from "./define-rule.ts";
import { PhraseError } from "./phrases/phrase-error.ts";

/** Copies a valid rule, so that a later change of the caller's object changes nothing. */
export function copyRule(rule: ComplianceRule): ComplianceRule {
  const parsed = complianceRuleSchema.safeParse(rule);
  if (!parsed.success)
    throw new ValidationError("compliance rule", toValidationDetails(parsed.error.issues));
  // A rule may be an instance of a class whose method needs its `this`.
  const ruleFunction = parsed.data.ruleFunction.bind(rule);
  return Object.freeze({ ...rule, ...parsed.data, ruleFunction });
}

/** Reads the phrases of a rule made by `defineRule`. */
export function checkPhrases(rule: ComplianceRule): void {
  try {
    if (isDefinedRule(rule)) rule.prepare();
  } catch (error) {
    if (!(error instanceof PhraseError)) throw error;
    const detail = { field: "phrases", message: error.message, code: "invalid_phrase" };
    throw new ValidationError("compliance rule", [detail]);
  }
}
