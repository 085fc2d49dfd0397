/*
 * The rules at first use. Functions only: the built package loads this file, and all that it alone imports, when one of them
 * is first called; docs/decisions/0025-deferred-parts.md.
 */
import { addPack } from "./add-pack.ts";
import { builtInRules } from "./built-in-rules.ts";
import { defineRule as defineNow, type DefinedRule } from "./define-rule.ts";
import type { RuleDefinition } from "./rule-definition.ts";
import { ComplianceEngine, type ComplianceEngineOptions } from "./engine.ts";
import type { PolicyPack } from "./policy-pack.ts";
import { readExchange as readNow, type Exchange } from "../phrases/exchange.ts";
import type { ComplianceRule, InteractionContext } from "../events/compliance.ts";

/** Creates what checks interactions. */
export function createEngine(options: ComplianceEngineOptions): ComplianceEngine {
  return new ComplianceEngine(options);
}

/**
 * Adds the rules of a bank's own pack to others, and changes the built-in ones as it says.
 *
 * @param rules - Default: the built-in rules.
 * @throws ValidationError that lists every problem of the pack.
 */
export function addRules(
  pack: PolicyPack,
  rules: readonly ComplianceRule[] = builtInRules,
): readonly ComplianceRule[] {
  return addPack(rules, pack);
}

/**
 * Makes a rule that the engine can evaluate out of phrases, and of a check for what phrases can't say.
 *
 * The phrases are read at the first evaluation, or by `prepare()`; one that can't be read throws a `PhraseError` there.
 */
export function defineRule(definition: RuleDefinition): DefinedRule {
  return defineNow(definition);
}

/** Prepares the texts of an interaction, once for all rules. */
export function readExchange(context: InteractionContext): Exchange {
  return readNow(context);
}
