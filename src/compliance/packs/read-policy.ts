import type { CompiledPack } from "../compiled/compiled-pack.ts";
import { toPatternName } from "../compiled/compiled-pack.ts";
import type { PackProblem } from "../pack-problem.ts";
import type { ListOverrides, PolicyPack, RewrittenRules } from "../policy-pack.ts";
import type { NamedGroup } from "../../phrases/named-group.ts";
import type { Concepts } from "../../phrases/parse-phrase.ts";
import type { PhraseGroup } from "../../phrases/phrase-group.ts";
import { wordsOf } from "../../phrases/wording.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { changeLists } from "./change-lists.ts";
import { checkExpansion } from "./check-expansion.ts";
import { checkListChanges } from "./check-list-changes.ts";
import { checkNames, UNUSED } from "./check-names.ts";
import { checkOverrides } from "./check-overrides.ts";
import { checkPhrases } from "./check-phrases.ts";
import { checkRule, type KnownChecks } from "./check-rule.ts";
import { compilePack } from "./compile-pack.ts";
import { toTextDigest } from "./pack-digest.ts";
import { PackError } from "./pack-error.ts";
import type { PackCases, PackRule, PackWords } from "./pack-schema.ts";
import type { PackSource } from "./pack-source.ts";
import { policySchema, type PolicyFile } from "./policy-schema.ts";
import { readFile } from "./read-file.ts";
import { toConcepts } from "./to-concepts.ts";
import { repairPolicy } from "./repair-policy.ts";
import { partOf, type PackFile, type Sourced } from "./read-yaml.ts";

/** Checks are code of the built-in rules; a bank's rule names none. */
const NO_CHECKS: KnownChecks = { checks: {}, exemptions: {} };

/** A bank's pack, and what only its tests and readers need of it. */
export interface ReadPolicy {
  readonly policy: PolicyPack;
  /** Cases by the rule's id. */
  readonly cases: ReadonlyMap<string, PackCases>;
  /** What its file says of its rules and lists. */
  readonly source: PackSource;
  /** The built-in rules some of whose lists it changes, as they are then. */
  readonly changed: PackSource;
}

const NOTHING_CHANGED: PackSource = { rules: [], words: [] };

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

/** Gives the built-in rules that are others, because the pack changes their lists; and what is wrong with these changes. */
function readChanged(policy: Sourced<PolicyFile>, { known, readSource }: BuiltInRules) {
  const { overrides = {}, listOverrides = {} } = policy.value;
  const all = [listOverrides, ...Object.values(overrides)];
  if (!all.some(({ words, phrases }) => words ?? phrases))
    return { changed: NOTHING_CHANGED, problems: [] };
  const source = readSource();
  const changed = changeLists(source, { shared: listOverrides, rules: overrides }, known);
  return { changed, problems: checkListChanges(policy, source, changed) };
}

function findProblems(policy: Sourced<PolicyFile>, builtIn: BuiltInRules): PackProblem[] {
  const rules = toRules(policy);
  const words = [toWords(policy)];
  const problems = [
    ...checkOverrides(policy, builtIn),
    ...rules.flatMap((rule) => checkRule(rule, NO_CHECKS)),
    ...checkNames(rules, words, NO_CHECKS, builtIn.pack.common),
  ];
  problems.push(...checkPhrases(rules, words));
  // Lists that contain themselves have no length, and unknown ones none that is right.
  if (problems.length === 0) problems.push(...checkExpansion(rules, words));
  return problems;
}

const groupsByName = (groups: readonly NamedGroup[]): ReadonlyMap<string, PhraseGroup> =>
  new Map(groups.map(({ name, group }) => [name, wordsOf(group)]));

/** Gives the phrases of changed rules, to be compiled at run time. */
function rewrite({ rules, words }: PackSource, { pack, known }: BuiltInRules): RewrittenRules {
  if (rules.length === 0) return { rules: [], groups: {}, concepts: {} };
  const { compiled, groups } = compilePack(
    {
      head: { id: pack.id, version: pack.version, title: "", notes: "", order: [] },
      sha256: pack.sha256,
      rules,
      // Without their names: neither are the common words known beside them, nor are there guards to compile.
      words: words.map(({ value }) => ({ file: "", value })),
    },
    known,
  );
  return {
    rules: compiled.rules,
    groups: Object.fromEntries(groupsByName(groups)),
    concepts: wordsOf(groups[0]?.concepts ?? {}),
  };
}

/** Gives the shared words, if one that rules of others may name is changed. */
function changedCommon(
  { words = {} }: ListOverrides,
  changed: PackSource,
  { common }: CompiledPack,
): Concepts {
  if (!Object.keys(words).some((name) => Object.hasOwn(common, name))) return {};
  return Object.assign(
    {},
    ...changed.words.map(({ value }) => toConcepts(value.words)),
  ) as Concepts;
}

function toPolicy(
  file: Sourced<PolicyFile>,
  text: string,
  changed: PackSource,
  builtIn: BuiltInRules,
): ReadPolicy {
  const { pack, rules = [], overrides = {}, listOverrides = {}, secondLook } = file.value;
  const { id, version, title } = pack;
  // The digest is that of the text alone, so that `sha256sum` of the file gives it, wherever it lies.
  const sha256 = toTextDigest(text);
  const { compiled, groups } = compilePack(
    {
      head: { id, version, title, notes: "", order: [] },
      sha256,
      rules,
      words: [toWords(file)],
    },
    NO_CHECKS,
  );
  const byName = groupsByName(groups);
  const rewritten = rewrite(changed, builtIn);
  return {
    policy: {
      id,
      version,
      title,
      sha256,
      // A common word that it changes is changed for its own rules as well.
      concepts: {
        ...changedCommon(listOverrides, changed, builtIn.pack),
        ...wordsOf(groups[0]?.concepts ?? {}),
      },
      overrides,
      listOverrides,
      ...(secondLook && { secondLook }),
      rewritten,
      rules: compiled.rules.map((facts) => ({
        facts,
        phrases: Object.fromEntries(
          facts.patterns.flatMap((name) => {
            const group = byName.get(toPatternName(facts.id, name));
            return group === undefined ? [] : [[name, group] as const];
          }),
        ),
      })),
    },
    cases: new Map(rules.map((rule) => [rule.id, rule.cases])),
    source: { rules, words: [toWords(file)] },
    changed,
  };
}

/**
 * Reads and checks a bank's own pack: one file with words, rules, and changes of built-in rules.
 *
 * @throws {@link PackError} that lists every problem, with file, line and column.
 */
export function readPolicy(file: PackFile, builtIn: BuiltInRules): ReadPolicy {
  const problems: PackProblem[] = [];
  const policy = readFile(file, policySchema, problems, repairPolicy);
  if (!policy) throw new PackError(problems);
  const { changed, problems: ofLists } = readChanged(policy, builtIn);
  // What names a list may have been repaired away.
  const isWhole = problems.length === 0;
  const others = [...findProblems(policy, builtIn), ...ofLists];
  problems.push(...others.filter(({ message }) => isWhole || !message.endsWith(UNUSED)));
  if (problems.length > 0) throw new PackError(problems);
  return toPolicy(policy, file.text, changed, builtIn);
}
