/*
 * The entry point for a bank's own packs: reads YAML files. It is separate so that an application without packs loads
 * neither this nor a parser.
 */
export {
  readPolicyFile,
  readRulePack,
  readRulePackFile,
} from "./compliance/packs/read-rule-pack.ts";
export { readBuiltInSource } from "./compliance/packs/pack-source.ts";
export { describeSecondLook } from "./compliance/learned/describe-second-look.ts";
export { readPatternFigures } from "./compliance/packs/pattern-figures.ts";
export { toLearnedPattern } from "./compliance/learned/learned-pattern.ts";
export { PackError } from "./compliance/packs/pack-error.ts";
export type { SecondLookDescription } from "./compliance/learned/describe-second-look.ts";
export type { PackProblem } from "./compliance/pack-problem.ts";
export type { PackFile } from "./compliance/packs/read-yaml.ts";
export type { PackCases, PackRule, PackWords } from "./compliance/packs/pack-schema.ts";
export type { PackSource } from "./compliance/packs/pack-source.ts";
export type { PatternFigures } from "./compliance/packs/pattern-figures.ts";
export type { PolicyPack } from "./compliance/policy-pack.ts";
export type { ReadPolicy } from "./compliance/packs/read-policy.ts";
