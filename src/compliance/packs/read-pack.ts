import { checkNames } from "./check-names.ts";
import { checkPhrases } from "./check-phrases.ts";
import { checkRule, type KnownChecks } from "./check-rule.ts";
import { toFilesDigest } from "./pack-digest.ts";
import type { PackProblem } from "../pack-problem.ts";
import type { RulePack } from "../rule-definition.ts";
import { PackError, upToBound } from "./pack-error.ts";
import { packSchema, ruleSchema, wordsSchema, type PackRule } from "./pack-schema.ts";
import type { PackSource } from "./pack-source.ts";
import { readFile } from "./read-file.ts";
import type { PackFile } from "./read-yaml.ts";

/** The files of a pack. */
export interface PackFiles {
  readonly pack: PackFile;
  readonly rules: readonly PackFile[];
  /** Words and phrases that rules share; those of `common` may be named by rules of other packs, too. */
  readonly words: readonly PackFile[];
}

/** A pack that was read and checked, its rules in the order of their evaluation. */
export interface Pack extends PackSource, RulePack {}

/**
 * Reads and checks the files of a pack.
 *
 * @param known - Checks and exemptions that its rules may name.
 * @throws {@link PackError} that lists every problem, with file, line and column.
 */
export function readPack(files: PackFiles, known: KnownChecks): Pack {
  const problems: PackProblem[] = [];
  const head = readFile(files.pack, packSchema, problems)?.value;
  const words = files.words.flatMap((file) => readFile(file, wordsSchema, problems) ?? []);
  const rules = files.rules.flatMap((file) => readFile(file, ruleSchema, problems) ?? []);
  for (const rule of rules) problems.push(...checkRule(rule, known));
  problems.push(...upToBound(checkNames(rules, words, known)), ...checkPhrases(rules, words));
  if (problems.length > 0 || !head) throw new PackError(problems);
  const orderOf = ({ category }: PackRule): number => head.order.indexOf(category);
  return {
    id: head.id,
    version: head.version,
    sha256: toFilesDigest([files.pack, ...files.rules, ...files.words]),
    rules: rules
      .map(({ value }) => value)
      .toSorted((one, other) => orderOf(one) - orderOf(other) || (one.id < other.id ? -1 : 1)),
    words: words.map(({ file, value }) => ({ file, value })),
  };
}
