/*
 * The entry point for authors of rules: verifies rules and runs them over transcripts. Named exports,
 * no logic; imports no test runner.
 */
export { verifyRule, RuleVerificationError } from "./compliance/verify-rule.ts";
export type {
  ContextCase,
  RuleCases,
  RuleFailure,
  RuleReport,
  ViolatingCase,
} from "./compliance/verify-rule.ts";
export { defineRule, type DefinedRule } from "./compliance/define-rule.ts";
export { isDefinedRule } from "./compliance/is-defined-rule.ts";
export type {
  Finding,
  FindingSpan,
  RuleDefinition,
  RuleExample,
  RuleExamples,
  RuleLaw,
  RulePack,
} from "./compliance/rule-definition.ts";
export { readExchange } from "./phrases/exchange.ts";
export type { Exchange } from "./phrases/exchange.ts";
export type { SourceText, TextSource } from "./phrases/source-text.ts";
export { ComplianceEngine, type ComplianceEngineOptions } from "./compliance/engine.ts";
export type { ComplianceEvaluation, EvaluationMetadata } from "./compliance/evaluation.ts";
export { PhraseError } from "./phrases/phrase-error.ts";
export { builtInRules } from "./compliance/built-in-rules.ts";
export type {
  ComplianceFlag,
  ComplianceRule,
  ComplianceSeverity,
  InteractionContext,
} from "./events/compliance.ts";
