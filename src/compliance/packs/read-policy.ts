import type { CompiledPack } from "../compiled/compiled-pack.ts";
import { toPatternName } from "../compiled/compiled-pack.ts";
import type { PolicyPack } from "../policy-pack.ts";
import { wordsOf } from "../phrases/wording.ts";
import { checkExpansion } from "./check-expansion.ts";
import { checkNames } from "./check-names.ts";
import { checkOverrides } from "./check-overrides.ts";
import { checkPhrases } from "./check-phrases.ts";
import { checkRule, type KnownChecks } from "./check-rule.ts";
import { compilePack } from "./compile-pack.ts";
import { toTextDigest } from "./pack-digest.ts";
import type { PackProblem } from "../pack-problem.ts";
import { PackError } from "./pack-error.ts";
import type { PackCases, PackRule, PackWords } from "./pack-schema.ts";
import { policySchema, type PolicyFile } from "./policy-schema.ts";
import { readFile } from "./read-file.ts";
import { partOf, type PackFile, type Sourced } from "./read-yaml.ts";

/** Checks are code of the built-in rules; a bank's rule names none. */
const NO_CHECKS: KnownChecks = { checks: {}, exemptions: {} };

/** A bank's pack, and what only its tests and readers need of it. */
export interface ReadPolicy {
  readonly policy: PolicyPack;
  /** Cases by the rule's id. */
  readonly cases: ReadonlyMap<string, PackCases>;
}

function toRules({ file, value, source }: Sourced<PolicyFile>): Sourced<PackRule>[] {
  return (value.rules ?? []).map((rule, index) => ({
    file,
    value: rule as PackRule,
    source: partOf(source, ["rules", index]),
  }));
}

function toWords({ file, value, source }: Sourced<PolicyFile>): Sourced<PackWords> {
  const { phrases, words } = value;
  return { file, value: { ...(phrases && { phrases }), ...(words && { words }) }, source };
}

function findProblems(policy: Sourced<PolicyFile>, builtIn: CompiledPack): PackProblem[] {
  const rules = toRules(policy);
  const words = [toWords(policy)];
  const problems = [
    ...checkOverrides(policy, builtIn),
    ...rules.flatMap((rule) => checkRule(rule, NO_CHECKS)),
    ...checkNames(rules, words, NO_CHECKS, builtIn.common),
  ];
  // A phrase that names what could not be read would be a problem of its own.
  if (problems.length === 0) problems.push(...checkPhrases(rules, words, builtIn.common));
  // Lists that contain themselves have no length.
  if (problems.length === 0) problems.push(...checkExpansion(rules, words));
  return problems;
}

function toPolicy(source: Sourced<PolicyFile>, text: string): ReadPolicy {
  const { pack, rules = [], overrides = {} } = source.value;
  const { id, version, title } = pack;
  // The digest is that of the text alone, so that `sha256sum` of the file gives it, wherever it lies.
  const sha256 = toTextDigest(text);
  const { compiled, groups } = compilePack(
    {
      head: { id, version, title, notes: "", order: [] },
      sha256,
      rules,
      words: [toWords(source)],
    },
    NO_CHECKS,
  );
  const byName = new Map(groups.map(({ name, group }) => [name, group]));
  return {
    policy: {
      id,
      version,
      title,
      sha256,
      concepts: wordsOf(groups[0]?.concepts ?? {}),
      overrides,
      rules: compiled.rules.map((facts) => ({
        facts,
        phrases: Object.fromEntries(
          facts.patterns.flatMap((name) => {
            const group = byName.get(toPatternName(facts.id, name));
            return group === undefined ? [] : [[name, wordsOf(group)] as const];
          }),
        ),
      })),
    },
    cases: new Map(rules.map((rule) => [rule.id, rule.cases])),
  };
}

/**
 * Reads and checks a bank's own pack: one file with words, rules, and changes of built-in rules.
 *
 * @throws {@link PackError} that lists every problem, with file, line and column.
 */
export function readPolicy(file: PackFile, builtIn: CompiledPack): ReadPolicy {
  const problems: PackProblem[] = [];
  const policy = readFile(file, policySchema, problems);
  if (policy) problems.push(...findProblems(policy, builtIn));
  if (problems.length > 0 || !policy) throw new PackError(problems);
  return toPolicy(policy, file.text);
}
