import { readBuiltInPack } from "./compiled/built-in.ts";
import { toRule } from "./compiled/to-rule.ts";
import type { ComplianceRule } from "../events/compliance.ts";
import type { DefinedRule } from "./define-rule.ts";
import { isDefinedRule } from "./is-defined-rule.ts";

const { rules, id, version, sha256 } = readBuiltInPack();

/** Every built-in rule: what pack.yaml, rules/ and words/ say, as the build has compiled it. */
export const builtInRules: readonly DefinedRule[] = rules.map((rule) =>
  toRule(rule, { id, version, sha256 }),
);

/** Returns whether a rule is a built-in one, changed by a bank's pack or not. */
export function isBuiltInRule(rule: ComplianceRule): rule is DefinedRule {
  return isDefinedRule(rule) && rule.pack?.id === id;
}
