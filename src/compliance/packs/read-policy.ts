import { checks, exemptions } from "../checks/index.ts";
import { readBuiltInPack } from "../compiled/built-in.ts";
import { toPatternName } from "../compiled/compiled-pack.ts";
import type { PackProblem } from "../pack-problem.ts";
import type { PolicyPack, RewrittenRules } from "../policy-pack.ts";
import type { Concepts } from "../../phrases/parse-phrase.ts";
import { changeLists } from "./change-lists.ts";
import { checkExpansion } from "./check-expansion.ts";
import { checkListChanges } from "./check-list-changes.ts";
import { checkNames, UNUSED } from "./check-names.ts";
import { checkOverrides } from "./check-overrides.ts";
import { checkPhrases } from "./check-phrases.ts";
import { checkRule, type KnownChecks } from "./check-rule.ts";
import { compilePack, toConcepts } from "./compile-pack.ts";
import { toTextDigest } from "./pack-digest.ts";
import { PackError, upToBound } from "./pack-error.ts";
import type { PackCases, PackRule, PackWords } from "./pack-schema.ts";
import { readBuiltInSource, type PackSource } from "./pack-source.ts";
import { policySchema, type PolicyFile } from "./policy-schema.ts";
import { readFile } from "./read-file.ts";
import { repairPolicy } from "./repair-policy.ts";
import type { PackFile, Sourced } from "./read-yaml.ts";

/** Checks are code of the built-in rules; a bank's rule names none. */
const NO_CHECKS: KnownChecks = { checks: {}, exemptions: {} };
const BUILT_IN_CHECKS: KnownChecks = { checks, exemptions };

/** A bank's pack, and what only its tests and readers need of it. */
export interface ReadPolicy {
  /** The pack, for `engine.addRulePack`. */
  readonly policy: PolicyPack;
  /** Cases by the rule's id. */
  readonly cases: ReadonlyMap<string, PackCases>;
  /** What its file says of its rules and lists. */
  readonly source: PackSource;
  /** The built-in rules some of whose lists it changes, as they are then. */
  readonly changed: PackSource;
}

/** Returns the built-in rules that are others, because the pack changes their lists; and what is wrong with these changes. */
function readChanged(policy: Sourced<PolicyFile>) {
  const { overrides = {}, listOverrides = {} } = policy.value;
  const all = [listOverrides, ...Object.values(overrides)];
  if (!all.some(({ words, phrases }) => words ?? phrases))
    return { changed: { rules: [], words: [] }, problems: [] };
  const source = readBuiltInSource();
  const changed = changeLists(source, policy.value, BUILT_IN_CHECKS);
  return { changed, problems: checkListChanges(policy, source, changed) };
}

/** Returns the lists of a pack that all its rules may name. */
function toWords({ phrases, words }: PolicyFile): PackWords {
  return { ...(phrases && { phrases }), ...(words && { words }) };
}

function findProblems(policy: Sourced<PolicyFile>): PackProblem[] {
  const { file, value, source } = policy;
  const rules = (value.rules ?? []).map((rule: PackRule, index) => ({
    file,
    value: rule,
    source: source.part(["rules", index]),
  }));
  const words = [{ file, value: toWords(value), source }];
  const { common } = readBuiltInPack();
  const problems = [
    ...checkOverrides(policy),
    ...rules.flatMap((rule) => [...checkRule(rule, NO_CHECKS)]),
    ...upToBound(checkNames(rules, words, NO_CHECKS, common)),
    ...checkPhrases(rules, words),
  ];
  if (problems.length > 0) return problems;
  // Lists that contain themselves have no length, and unknown ones none that is right.
  return [...checkExpansion(rules, [toWords(value)])];
}

/** Returns the phrases of changed rules, to be compiled at run time. */
function rewrite({ rules, words }: PackSource): RewrittenRules {
  if (rules.length === 0) return { rules: [], groups: {}, concepts: {} };
  // Without their names: neither are the common words known beside them, nor are there guards to compile.
  const unnamed = words.map(({ value }) => ({ file: "", value }));
  const { compiled, groups } = compilePack(
    { ...readBuiltInPack(), rules, words: unnamed },
    BUILT_IN_CHECKS,
  );
  return {
    rules: compiled.rules,
    groups: Object.fromEntries(groups.map(({ name, group }) => [name, group])),
    concepts: groups[0]?.concepts ?? {},
  };
}

/** Returns the shared words, if one that rules of others may name is changed. */
function changedCommon({ listOverrides }: PolicyFile, { words }: PackSource): Concepts {
  const { common } = readBuiltInPack();
  if (!Object.keys(listOverrides?.words ?? {}).some((name) => Object.hasOwn(common, name)))
    return {};
  return Object.assign({}, ...words.map(({ value }) => toConcepts(value.words))) as Concepts;
}

/** Returns what a judge reads of a rule beside what the rule says of itself. */
function toExplanation(rules: readonly PackRule[], id: string) {
  const { notes, cases } = rules.find((rule) => rule.id === id) ?? {};
  return { ...(notes !== undefined && { notes }), ...(cases && { examples: cases }) };
}

function toPolicy(
  { file, value }: Sourced<PolicyFile>,
  text: string,
  changed: PackSource,
): ReadPolicy {
  const { pack, rules = [], overrides = {}, listOverrides = {}, secondLook } = value;
  const { id, version, title } = pack;
  // The digest is that of the text alone, so that `sha256sum` of the file gives it, wherever it lies.
  const sha256 = toTextDigest(text);
  const source: PackSource = { rules, words: [{ file, value: toWords(value) }] };
  const { compiled, groups } = compilePack({ id, version, sha256, ...source }, NO_CHECKS);
  const byName = new Map(groups.map(({ name, group }) => [name, group]));
  return {
    policy: {
      id,
      version,
      title,
      sha256,
      // A common word that it changes is changed for its own rules as well.
      concepts: { ...changedCommon(value, changed), ...groups[0]?.concepts },
      overrides,
      listOverrides,
      ...(secondLook && { secondLook }),
      rewritten: rewrite(changed),
      rules: compiled.rules.map((facts) => ({
        facts: { ...facts, ...toExplanation(rules, facts.id) },
        phrases: Object.fromEntries(
          facts.patterns.flatMap((name) => {
            const group = byName.get(toPatternName(facts.id, name));
            return group === undefined ? [] : [[name, group] as const];
          }),
        ),
      })),
    },
    cases: new Map(rules.map((rule) => [rule.id, rule.cases])),
    source,
    changed,
  };
}

/**
 * Reads and checks a bank's own pack: one file with words, rules, and changes of built-in rules.
 *
 * @throws {@link PackError} that lists every problem, with file, line and column.
 */
export function readPolicy(file: PackFile): ReadPolicy {
  const problems: PackProblem[] = [];
  const policy = readFile(file, policySchema, problems, repairPolicy);
  if (!policy) throw new PackError(problems);
  const { changed, problems: ofLists } = readChanged(policy);
  // What names a list may have been repaired away.
  const isWhole = problems.length === 0;
  const others = [...findProblems(policy), ...ofLists];
  problems.push(...others.filter(({ message }) => isWhole || !message.endsWith(UNUSED)));
  if (problems.length > 0) throw new PackError(problems);
  return toPolicy(policy, file.text, changed);
}
