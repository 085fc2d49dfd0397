import type { ComplianceRule } from "../events/compliance.ts";
import { ValidationError, type ValidationDetail } from "../events/validation-error.ts";
import { readBuiltInPack } from "./compiled/built-in.ts";
import type { PolicyPack, PolicyRule, RuleOverride } from "./policy-pack.ts";
import { toRule } from "./compiled/to-rule.ts";
import { defineRule, isDefinedRule, type DefinedRule, type RulePack } from "./define-rule.ts";
import { findPhraseProblem } from "./rule-copy.ts";

const SUBJECT = "rule pack";

type Report = (field: string, message: string) => void;

/** Makes a rule of a pack, whose phrases are compiled here. */
function toPolicyRule(
  { facts, phrases }: PolicyRule,
  concepts: PolicyPack["concepts"],
  pack: RulePack,
): DefinedRule {
  const { title, check: _check, patterns: _patterns, words: _words, ...said } = facts;
  return { ...defineRule({ ...said, name: title, phrases, concepts }), pack };
}

/** Makes a built-in rule anew, with what a pack changes of it. */
function change(id: string, wanted: RuleOverride, changedBy: RulePack): DefinedRule | undefined {
  const { rules, id: packId, version, sha256 } = readBuiltInPack();
  const rule = rules.find((one) => one.id === id);
  if (!rule) return undefined;
  const { active = true, severity, threshold, alwaysReview, patterns = {} } = wanted;
  const off = new Set(Object.keys(patterns).filter((name) => patterns[name]?.active === false));
  const isOn = (name: string): boolean => !off.has(name);
  const changed = toRule(
    {
      ...rule,
      patterns: rule.patterns.filter(isOn),
      checked: rule.checked.filter(isOn),
      ...(severity !== undefined && { severity }),
      ...(threshold !== undefined && { threshold }),
      ...(alwaysReview !== undefined && { alwaysReview }),
    },
    { id: packId, version, sha256 },
    off,
  );
  return { ...changed, changedBy, isActive: active };
}

/** Gives the rule as the pack wants it, unless something stands against it. */
function override(
  rule: ComplianceRule | undefined,
  id: string,
  pack: PolicyPack,
  report: Report,
): DefinedRule | undefined {
  const field = `overrides.${id}`;
  const isBuiltIn = rule && isDefinedRule(rule) && rule.pack?.id === readBuiltInPack().id;
  if (!isBuiltIn) {
    report(field, "is no built-in rule of this engine");
    return undefined;
  }
  if (rule.changedBy) {
    report(field, `the pack "${rule.changedBy.id}" changes this rule already`);
    return undefined;
  }
  const { version, sha256 } = pack;
  return change(id, pack.overrides[id] ?? {}, { id: pack.id, version, sha256 });
}

function isPack(pack: unknown): boolean {
  if (typeof pack !== "object" || pack === null) return false;
  const { id, rules, overrides } = pack as Partial<Record<keyof PolicyPack, unknown>>;
  return typeof id === "string" && Array.isArray(rules) && typeof overrides === "object";
}

/**
 * Gives the rules with those of a pack, and the built-in ones as it changes them.
 *
 * @throws {@link ValidationError} that lists every problem.
 */
export function addPack(
  rules: readonly ComplianceRule[],
  pack: PolicyPack,
): readonly ComplianceRule[] {
  const details: ValidationDetail[] = [];
  const report: Report = (field, message) => details.push({ field, message, code: "custom" });
  if (!isPack(pack)) {
    report("pack", "expected what readRulePack of agent-monitor/packs gives");
    throw new ValidationError(SUBJECT, details);
  }
  const { id, version, sha256, concepts } = pack;
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const isThere = rules.some(
    (rule) => isDefinedRule(rule) && (rule.pack?.id === id || rule.changedBy?.id === id),
  );
  if (isThere) report("pack.id", `the pack "${id}" is there already`);
  for (const name of Object.keys(pack.overrides)) {
    const changed = override(known.get(name), name, pack, report);
    if (changed) known.set(name, changed);
  }
  for (const one of pack.rules) {
    const rule = toPolicyRule(one, concepts, { id, version, sha256 });
    if (known.has(rule.id)) report(`rules.${rule.id}`, "a rule with this id is there already");
    else if (details.length === 0) details.push(...findPhraseProblem(rule, `rules.${rule.id}`));
    known.set(rule.id, rule);
  }
  if (details.length > 0) throw new ValidationError(`${SUBJECT} "${id}"`, details);
  return [...known.values()];
}
