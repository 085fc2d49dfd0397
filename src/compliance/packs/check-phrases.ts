import type { PackProblem } from "../pack-problem.ts";
import { PhraseReader } from "../../phrases/parse-phrase.ts";
import { PhraseError } from "../../phrases/phrase-error.ts";
import { PhraseGraph } from "../../phrases/phrase-graph.ts";
import { MARKS } from "./check-names.ts";
import { listNameOf } from "./list-name.ts";
import { MAX_PROBLEMS } from "./pack-error.ts";
import { listsOf, namedLists, namesIn, wordNamesIn, type LineList } from "./pack-lists.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import type { Sourced } from "./read-yaml.ts";

type Kind = LineList["kind"];
type Source = Sourced<PackRule> | Sourced<PackWords>;

/** Lists by the mark and the name by which lines name them. */
export type MarkedLists = ReadonlyMap<string, Pick<LineList, "kind" | "lines">>;

/** Says what is wrong with a line as it is written, whatever the names in it stand for. */
export function findLineProblem(kind: Kind, line: string): string | undefined {
  if (kind === "phrases" && listNameOf(line) !== undefined) return undefined;
  if (kind === "words" && (line.startsWith("^") || line.includes(" & ")))
    return `expected words, got a phrase: "${line}"`;
  const words = Object.fromEntries(wordNamesIn(line).map((name) => [name, "word"]));
  try {
    new PhraseReader(new PhraseGraph(), words).read(line);
    return undefined;
  } catch (error) {
    if (error instanceof PhraseError) return error.message;
    throw error;
  }
}

/** Gives the lists of some files by their marks. */
export function markLists(files: readonly PackWords[]): MarkedLists {
  const lists = files.flatMap((file) => namedLists(file));
  return new Map(lists.map((list) => [MARKS[list.kind](list.path.at(-1) ?? ""), list]));
}

/** Tells whether a list contains itself, by way of others too. */
export function findLoop(mark: string, lists: MarkedLists): boolean {
  const seen = new Set<string>();
  const open = [mark];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const list = lists.get(next);
    for (const { kind, name } of list ? namesIn(list) : []) {
      const inner = MARKS[kind](name);
      if (inner === mark) return true;
      if (seen.has(inner)) continue;
      seen.add(inner);
      open.push(inner);
    }
  }
  return false;
}

function checkLines({ file, source }: Source, lists: readonly LineList[]): PackProblem[] {
  const problems: PackProblem[] = [];
  for (const { kind, path, lines } of lists) {
    for (const [index, line] of lines.entries()) {
      const message = findLineProblem(kind, line);
      if (message === undefined) continue;
      problems.push({ file, ...source.placeOfLine(path, index), message });
      if (problems.length === MAX_PROBLEMS) return problems;
    }
  }
  return problems;
}

function checkLoops({ file, source }: Source, own: PackWords, lists: MarkedLists): PackProblem[] {
  return namedLists(own).flatMap(({ kind, path }) => {
    const mark = MARKS[kind](path.at(-1) ?? "");
    if (!findLoop(mark, lists)) return [];
    return [{ file, ...source.placeOfKey(path), message: `the list ${mark} contains itself` }];
  });
}

/** Checks that every phrase can be read, and that no list contains itself. */
export function checkPhrases(
  rules: readonly Sourced<PackRule>[],
  words: readonly Sourced<PackWords>[],
): PackProblem[] {
  const shared = words.map(({ value }) => value);
  const marked = markLists(shared);
  return [
    ...words.flatMap((file) => checkLines(file, namedLists(file.value))),
    ...rules.flatMap((rule) => checkLines(rule, listsOf(rule.value))),
    ...words.flatMap((file) => checkLoops(file, file.value, marked)),
    ...rules.flatMap((rule) =>
      checkLoops(rule, rule.value, new Map([...marked, ...markLists([rule.value])])),
    ),
  ];
}
