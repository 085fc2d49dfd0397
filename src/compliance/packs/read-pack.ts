import type * as z from "zod";
import { checkNames } from "./check-names.ts";
import { checkPhrases } from "./check-phrases.ts";
import { checkRule, type KnownChecks } from "./check-rule.ts";
import { toPackDigest } from "./pack-digest.ts";
import { MAX_PROBLEMS, PackError, type PackProblem } from "./pack-problem.ts";
import {
  packSchema,
  ruleSchema,
  wordsSchema,
  type PackHead,
  type PackRule,
  type PackWords,
} from "./pack-schema.ts";
import { readYaml, type PackFile, type ReadYaml, type Sourced } from "./read-yaml.ts";

/** The files of a pack. */
export interface PackFiles {
  readonly pack: PackFile;
  readonly rules: readonly PackFile[];
  /** Words and phrases that rules share; those of `common` may be named by rules of other packs, too. */
  readonly words: readonly PackFile[];
}

/** A pack that was read and checked. */
export interface Pack {
  readonly head: PackHead;
  /** Digest of its files, in hex. */
  readonly sha256: string;
  /** In the order of their evaluation. */
  readonly rules: readonly PackRule[];
  readonly words: readonly { readonly file: string; readonly value: PackWords }[];
}

function toMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return "is no known member";
  // Of a pattern that fits neither form, what its phrases lack says more than that.
  return issue.message;
}

/** Gives the issues of the form that was meant: the one that knows all members, or the last. */
function toIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const isMeant = (issues: readonly z.core.$ZodIssue[]): boolean =>
    issues.every(({ code, path }) => code !== "unrecognized_keys" && path.length > 0);
  const meant = issue.errors.find(isMeant) ?? issue.errors.at(-1) ?? [];
  return meant.flatMap((inner) => toIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toProblems(file: string, source: ReadYaml, issue: z.core.$ZodIssue): PackProblem[] {
  const at = (path: readonly PropertyKey[]): string => path.map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
      const path = [...issue.path, key];
      return { file, ...source.placeOfKey(path), message: `${at(path)}: ${toMessage(issue)}` };
    });
  const place =
    issue.code === "invalid_key" ? source.placeOfKey(issue.path) : source.placeOf(issue.path);
  const name = issue.path.length > 0 ? `${at(issue.path)}: ` : "";
  const inner = issue.code === "invalid_key" ? issue.issues[0]?.message : undefined;
  return [{ file, ...place, message: name + (inner ?? toMessage(issue)) }];
}

/** Reads a file by its schema; its problems go to the list. */
function readFile<Schema extends z.ZodType>(
  file: PackFile,
  schema: Schema,
  problems: PackProblem[],
): Sourced<z.infer<Schema>> | undefined {
  const source = readYaml(file);
  if (!("value" in source)) {
    problems.push(...source.slice(0, MAX_PROBLEMS));
    return undefined;
  }
  const parsed = schema.safeParse(source.value);
  if (parsed.success) return { file: file.path, value: parsed.data, source };
  const issues = parsed.error.issues.slice(0, MAX_PROBLEMS).flatMap(toIssues);
  const found = issues
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => toProblems(file.path, source, issue));
  problems.push(...found.slice(0, MAX_PROBLEMS));
  return undefined;
}

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
  problems.push(...checkNames(rules, words, known));
  // A phrase that names what could not be read would be a problem of its own.
  if (problems.length === 0) problems.push(...checkPhrases(rules, words));
  if (problems.length > 0 || !head) throw new PackError(problems);
  const orderOf = ({ category }: PackRule): number => head.order.indexOf(category);
  return {
    head,
    sha256: toPackDigest([files.pack, ...files.rules, ...files.words]),
    rules: rules
      .map(({ value }) => value)
      .toSorted((one, other) => orderOf(one) - orderOf(other) || (one.id < other.id ? -1 : 1)),
    words: words.map(({ file, value }) => ({ file, value })),
  };
}
