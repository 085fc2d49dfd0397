import { readBuiltInPack } from "./compiled/built-in.ts";
import { toRule } from "./compiled/to-rule.ts";
import type { DefinedRule } from "./define-rule.ts";

const { rules, id, version, sha256 } = readBuiltInPack();

/** Every built-in rule: what pack.yaml, rules/ and words/ say, as the build has compiled it. */
export const builtInRules: readonly DefinedRule[] = rules.map((rule) =>
  toRule(rule, { id, version, sha256 }),
);
