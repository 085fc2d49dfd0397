import { complianceRuleSchema, type ComplianceRule } from "../events/compliance.ts";
import {
  toValidationDetails,
  ValidationError,
  type ValidationDetail,
} from "../events/validation-error.ts";
import { isDefinedRule } from "./is-defined-rule.ts";
import { PhraseError } from "../phrases/phrase-error.ts";

/** Copies a valid rule, so that a later change of the caller's object changes nothing. */
export function copyRule(rule: ComplianceRule): ComplianceRule {
  const parsed = complianceRuleSchema.safeParse(rule);
  if (!parsed.success)
    throw new ValidationError("compliance rule", toValidationDetails(parsed.error.issues));
  // A rule may be an instance of a class whose method needs its `this`.
  const ruleFunction = parsed.data.ruleFunction.bind(rule);
  return Object.freeze({ ...rule, ...parsed.data, ruleFunction });
}

/** Reads the phrases of a rule made by `defineRule`, and says what is wrong with them. */
export function findPhraseProblem(rule: ComplianceRule, field: string): ValidationDetail[] {
  try {
    if (isDefinedRule(rule)) rule.prepare();
    return [];
  } catch (error) {
    if (!(error instanceof PhraseError)) throw error;
    return [{ field, message: error.message, code: "invalid_phrase" }];
  }
}

/** Reads the phrases of a rule made by `defineRule`. @throws ValidationError for phrases that can't be read. */
export function checkPhrases(rule: ComplianceRule): void {
  const details = findPhraseProblem(rule, "phrases");
  if (details.length > 0) throw new ValidationError("compliance rule", details);
}
