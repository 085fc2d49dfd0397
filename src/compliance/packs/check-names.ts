import type { Concepts } from "../../phrases/parse-phrase.ts";
import type { KnownChecks } from "./check-rule.ts";
import { listsOf, namedLists, namesIn, type LineList } from "./pack-lists.ts";
import type { PackProblem } from "../pack-problem.ts";
import { MAX_PROBLEMS } from "./pack-error.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import type { Sourced } from "./read-yaml.ts";

type Source = Sourced<PackRule> | Sourced<PackWords>;
type Kind = LineList["kind"];

/** Says that a list is there for nothing. */
export const UNUSED = "nothing names it";

/** Writes names as lines name them. */
export const MARKS: Readonly<Record<Kind, (name: string) => string>> = {
  phrases: (name) => `@${name}`,
  words: (name) => `{${name}}`,
};

class Names {
  readonly problems: PackProblem[] = [];
  readonly #shared = new Map<string, string>();

  /** Adds a problem, unless there are too many: each costs a look for its place. */
  add(describe: () => PackProblem): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(describe());
  }

  report({ file, source }: Source, path: readonly string[], message: string): void {
    this.add(() => ({
      file,
      ...source.placeOfKey(path),
      message: `${path.join(".")}: ${message}`,
    }));
  }

  give(kind: Kind, name: string, from: string): void {
    this.#shared.set(`${kind} ${name}`, from);
  }

  share(from: Source, { kind, path }: LineList): void {
    const key = `${kind} ${path.at(-1)}`;
    const first = this.#shared.get(key);
    if (first === undefined) this.#shared.set(key, from.file);
    else this.report(from, path, `the name stands in ${first} already`);
  }

  knows(kind: Kind, name: string): boolean {
    return this.#shared.has(`${kind} ${name}`);
  }
}

function checkLists(
  from: Source,
  lists: readonly LineList[],
  names: Names,
  own: ReadonlySet<string>,
): void {
  for (const list of lists) {
    for (const [index, line] of list.lines.entries()) {
      for (const { kind, name } of namesIn({ ...list, lines: [line] })) {
        if (own.has(`${kind} ${name}`)) continue;
        if (names.knows(kind, name)) continue;
        names.add(() => ({
          file: from.file,
          ...from.source.placeOfLine(list.path, index),
          message: `${MARKS[kind](name)} is not known`,
        }));
      }
    }
  }
}

/** Lists the names of a rule that nothing in it names, its check included. */
function checkUnused(
  rule: Sourced<PackRule>,
  lists: readonly LineList[],
  names: Names,
  known: KnownChecks,
): void {
  const { check = "" } = rule.value;
  const given = Object.hasOwn(known.checks, check) ? (known.checks[check]?.words ?? []) : [];
  const used = new Set(
    lists.flatMap((list) => namesIn(list).map(({ kind, name }) => `${kind} ${name}`)),
  );
  for (const name of given) {
    used.add(`words ${name}`);
    if (!rule.value.words?.[name] && !names.knows("words", name))
      names.report(rule, ["check"], `the check needs words "${name}"`);
  }
  for (const { kind, path } of namedLists(rule.value))
    if (!used.has(`${kind} ${path.at(-1)}`)) names.report(rule, path, UNUSED);
}

function checkIds(rules: readonly Sourced<PackRule>[], names: Names): void {
  const files = new Map<string, string>();
  for (const rule of rules) {
    const { id } = rule.value;
    const first = files.get(id);
    if (first === undefined) files.set(id, rule.file);
    else names.report(rule, ["id"], `"${id}" is the id of the rule in ${first} already`);
  }
}

/**
 * Checks that every name is given once, known where it stands, and used.
 *
 * @param common - Words of another pack that may be named.
 */
export function checkNames(
  rules: readonly Sourced<PackRule>[],
  words: readonly Sourced<PackWords>[],
  known: KnownChecks,
  common: Concepts = {},
): PackProblem[] {
  const names = new Names();
  for (const name of Object.keys(common)) names.give("words", name, "the built-in words");
  checkIds(rules, names);
  for (const file of words) for (const list of namedLists(file.value)) names.share(file, list);
  const none: ReadonlySet<string> = new Set();
  for (const file of words) checkLists(file, namedLists(file.value), names, none);
  for (const rule of rules) {
    const named = namedLists(rule.value);
    for (const { kind, path } of named)
      if (names.knows(kind, path.at(-1) ?? ""))
        names.report(rule, path, "shared words have the name");
    const own = new Set(named.map(({ kind, path }) => `${kind} ${path.at(-1)}`));
    const lists = listsOf(rule.value);
    checkLists(rule, lists, names, own);
    checkUnused(rule, lists, names, known);
  }
  return names.problems;
}
