import type { ComplianceRule } from "../events/compliance.ts";
import { ValidationError, type ValidationDetail } from "../events/validation-error.ts";
import { isBuiltInRule } from "./built-in-rules.ts";
import { readBuiltInPack } from "./compiled/built-in.ts";
import type { PolicyPack, PolicyRule, RewrittenRules, RuleOverride } from "./policy-pack.ts";
import { toPatternName, type CompiledRule } from "./compiled/compiled-pack.ts";
import { secondLookRules } from "./learned/built-in-second-look.ts";
import type { CompiledPhrases } from "../phrases/compiled-phrases.ts";
import { compileAdded } from "./rule-patterns.ts";
import { toRule } from "./compiled/to-rule.ts";
import { defineRule, type DefinedRule } from "./define-rule.ts";
import { isDefinedRule } from "./is-defined-rule.ts";
import type { RulePack } from "./rule-definition.ts";
import { findPhraseProblem } from "./rule-copy.ts";

const SUBJECT = "rule pack";

type Report = (field: string, message: string) => void;

const toOrigin = ({ id, version, sha256 }: RulePack): RulePack => ({ id, version, sha256 });

/** Makes a rule of a pack, whose phrases are compiled here. */
function toPolicyRule(
  { facts, phrases }: PolicyRule,
  concepts: PolicyPack["concepts"],
  pack: RulePack,
): DefinedRule {
  const { title, check: _check, patterns: _patterns, words: _words, ...said } = facts;
  return { ...defineRule({ ...said, name: title, phrases, concepts }), pack };
}

/** Compiles the phrases of rules whose lists a pack has changed, when they are first asked for. */
function compileRewritten({ groups, concepts }: RewrittenRules): () => CompiledPhrases {
  let phrases: CompiledPhrases | undefined;
  const named = Object.entries(groups).map(([name, group]) => ({ name, group, concepts }));
  return () => (phrases ??= compileAdded(named));
}

/** Returns a rule with a second look or without, as a pack wants it; the last word is what it says of the rule. */
function withLook(
  rule: DefinedRule,
  before: RulePack | undefined,
  pack: PolicyPack,
  { secondLook = pack.secondLook }: RuleOverride = {},
): DefinedRule {
  const { withoutSecondLook: _before, ...others } = rule;
  const isOff = secondLook?.active === false;
  const by = isOff ? toOrigin(pack) : secondLook ? undefined : before;
  return by ? { ...others, withoutSecondLook: by } : others;
}

/** Makes a built-in rule anew, with what a pack changes of it. */
function change(
  id: string,
  { overrides, rewritten }: PolicyPack,
  phraseSet: () => CompiledPhrases,
  changedBy: RulePack,
): DefinedRule | undefined {
  const builtIn = readBuiltInPack();
  const isThis = (one: CompiledRule): boolean => one.id === id;
  const again = rewritten.rules.find(isThis);
  const rule = again ?? builtIn.rules.find(isThis);
  if (!rule) return undefined;
  const wanted: RuleOverride = overrides[id] ?? {};
  const { active = true, severity, threshold, alwaysReview, patterns = {} } = wanted;
  const isOn = (name: string): boolean => patterns[name]?.active !== false;
  const named = Object.entries(patterns).map(
    ([name, one]) => [toPatternName(id, name), one] as const,
  );
  const changed = toRule(
    {
      ...rule,
      patterns: rule.patterns.filter(isOn),
      checked: rule.checked.filter(isOn),
      ...(severity !== undefined && { severity }),
      ...(threshold !== undefined && { threshold }),
      ...(alwaysReview !== undefined && { alwaysReview }),
    },
    toOrigin(builtIn),
    {
      ...(named.length > 0 && { patternOverrides: new Map(named) }),
      phraseSet: again && phraseSet,
    },
  );
  return { ...changed, changedBy, isActive: active };
}

/** Returns the rules that the pack changes as it wants them, unless something stands against one. */
function override(
  known: ReadonlyMap<string, ComplianceRule>,
  pack: PolicyPack,
  report: Report,
): DefinedRule[] {
  const { overrides, rewritten } = pack;
  const phraseSet = compileRewritten(rewritten);
  const ids = new Set([...Object.keys(overrides), ...rewritten.rules.map(({ id }) => id)]);
  return [...ids].flatMap((id) => {
    const field = `overrides.${id}`;
    const rule = known.get(id);
    if (!rule || !isBuiltInRule(rule)) {
      // A list is changed for the rules that are there.
      if (Object.hasOwn(overrides, id)) report(field, "is no built-in rule of this engine");
      return [];
    }
    if (rule.changedBy) {
      report(field, `the pack "${rule.changedBy.id}" changes this rule already`);
      return [];
    }
    const changed = change(id, pack, phraseSet, toOrigin(pack));
    if (!changed) return [];
    return withLook(changed, rule.withoutSecondLook, pack, overrides[id]);
  });
}

/** Returns the rules that a pack leaves as they are, but for the second look at what they find. */
function lookOnce(
  rules: Iterable<ComplianceRule>,
  pack: PolicyPack,
  changed: ReadonlySet<string>,
): DefinedRule[] {
  if (!pack.secondLook) return [];
  const judged = secondLookRules();
  return [...rules]
    .filter((rule) => isBuiltInRule(rule))
    .filter(({ id }) => judged.has(id) && !changed.has(id))
    .map((rule) => withLook(rule, rule.withoutSecondLook, pack));
}

function isPack(pack: unknown): boolean {
  if (typeof pack !== "object" || pack === null) return false;
  const { id, rules, overrides, rewritten } = pack as Partial<Record<keyof PolicyPack, unknown>>;
  const isRead = typeof overrides === "object" && typeof rewritten === "object";
  return typeof id === "string" && Array.isArray(rules) && isRead;
}

/**
 * Returns the rules with those of a pack, and the built-in ones as it changes them.
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
  const { id, concepts } = pack;
  const origin = toOrigin(pack);
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const isThere = rules.some(
    (rule) =>
      isDefinedRule(rule) &&
      [rule.pack, rule.changedBy, rule.withoutSecondLook].some((one) => one?.id === id),
  );
  if (isThere) report("pack.id", `the pack "${id}" is there already`);
  const overridden = override(known, pack, report);
  const ids = new Set(overridden.map((rule) => rule.id));
  for (const rule of lookOnce(rules, pack, ids)) known.set(rule.id, rule);
  for (const changed of overridden) {
    const isRewritten = pack.rewritten.rules.some((rule) => rule.id === changed.id);
    if (isRewritten && details.length === 0)
      details.push(...findPhraseProblem(changed, `overrides.${changed.id}`));
    known.set(changed.id, changed);
  }
  for (const one of pack.rules) {
    const rule = toPolicyRule(one, concepts, origin);
    if (known.has(rule.id)) report(`rules.${rule.id}`, "a rule with this id is there already");
    else if (details.length === 0) details.push(...findPhraseProblem(rule, `rules.${rule.id}`));
    known.set(rule.id, rule);
  }
  if (details.length > 0) throw new ValidationError(`${SUBJECT} "${id}"`, details);
  return [...known.values()];
}
