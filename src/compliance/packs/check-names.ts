import type { Concepts } from "../../phrases/parse-phrase.ts";
import type { PackProblem } from "../pack-problem.ts";
import { wordsOfCheck, type KnownChecks } from "./check-rule.ts";
import { listsOf, marksIn, namedLists, toMark, type LineList } from "./pack-lists.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import type { Sourced } from "./read-yaml.ts";

/** Says that a list is there for nothing. */
export const UNUSED = "nothing names it";

/** The files of lists that all rules may name, by the marks of these. */
type Shared = Map<string, string>;

function* checkIds(rules: readonly Sourced<PackRule>[]): Iterable<PackProblem> {
  const files = new Map<string, string>();
  for (const { file, value, source } of rules) {
    const first = files.get(value.id);
    if (first === undefined) files.set(value.id, file);
    else
      yield source.problemOfKey(["id"], `"${value.id}" is the id of the rule in ${first} already`);
  }
}

/** Records the shared lists, and finds those whose name another has. */
function* share(words: readonly Sourced<PackWords>[], shared: Shared): Iterable<PackProblem> {
  for (const { file, value, source } of words)
    for (const { mark, path } of namedLists(value)) {
      const first = shared.get(mark);
      if (first === undefined) shared.set(mark, file);
      else yield source.problemOfKey(path, `the name stands in ${first} already`);
    }
}

/** Finds the marks of lists that are not there. */
function* checkMarks(
  { source }: Sourced<unknown>,
  lists: readonly LineList[],
  isKnown: (mark: string) => boolean,
): Iterable<PackProblem> {
  for (const { kind, path, lines } of lists)
    for (const [index, line] of lines.entries())
      for (const mark of marksIn({ kind, lines: [line] }))
        if (!isKnown(mark))
          yield { ...source.placeOfLine(path, index), message: `${mark} is not known` };
}

function* checkRuleNames(
  rule: Sourced<PackRule>,
  shared: Shared,
  known: KnownChecks,
): Iterable<PackProblem> {
  const { value, source } = rule;
  const named = namedLists(value);
  for (const { mark, path } of named)
    if (shared.has(mark)) yield source.problemOfKey(path, "shared words have the name");
  const own = new Set(named.map(({ mark }) => mark));
  const isKnown = (mark: string): boolean => own.has(mark) || shared.has(mark);
  const lists = listsOf(value);
  yield* checkMarks(rule, lists, isKnown);
  const used = new Set(lists.flatMap(marksIn));
  for (const name of wordsOfCheck(value, known)) {
    const mark = toMark("words", name);
    used.add(mark);
    if (!isKnown(mark)) yield source.problemOfKey(["check"], `the check needs words "${name}"`);
  }
  for (const { mark, path } of named) if (!used.has(mark)) yield source.problemOfKey(path, UNUSED);
}

/**
 * Finds names that are given twice, not known where they stand, or not used.
 *
 * @param common - Words of another pack that may be named.
 */
export function* checkNames(
  rules: readonly Sourced<PackRule>[],
  words: readonly Sourced<PackWords>[],
  known: KnownChecks,
  common: Concepts = {},
): Iterable<PackProblem> {
  const shared: Shared = new Map(
    Object.keys(common).map((name) => [toMark("words", name), "the built-in words"]),
  );
  yield* checkIds(rules);
  yield* share(words, shared);
  for (const file of words)
    yield* checkMarks(file, namedLists(file.value), (mark) => shared.has(mark));
  for (const rule of rules) yield* checkRuleNames(rule, shared, known);
}
