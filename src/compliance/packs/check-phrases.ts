import { PhraseReader } from "../../phrases/parse-phrase.ts";
import { PhraseError } from "../../phrases/phrase-error.ts";
import { PhraseGraph } from "../../phrases/phrase-graph.ts";
import type { PackProblem } from "../pack-problem.ts";
import { upToBound } from "./pack-error.ts";
import {
  isListMark,
  listsOf,
  marksIn,
  namedLists,
  type LineList,
  type ListKind,
  type NamedList,
} from "./pack-lists.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import type { Sourced } from "./read-yaml.ts";

/** Lists by their marks. */
export type MarkedLists = ReadonlyMap<string, NamedList>;

/** Returns the lists of some files by their marks. */
export function markLists(files: readonly PackWords[]): MarkedLists {
  return new Map(files.flatMap(namedLists).map((list) => [list.mark, list]));
}

/** Says what is wrong with a line as it is written, whatever the names in it stand for. */
export function findLineProblem(kind: ListKind, line: string): string | undefined {
  if (kind === "phrases" && isListMark(line)) return undefined;
  if (kind === "words" && (line.startsWith("^") || line.includes(" & ")))
    return `expected words, got a phrase: "${line}"`;
  const marks = marksIn({ kind: "words", lines: [line] });
  const words = Object.fromEntries(marks.map((mark) => [mark.slice(1, -1), "word"]));
  try {
    new PhraseReader(new PhraseGraph(), words).read(line);
    return undefined;
  } catch (error) {
    if (error instanceof PhraseError) return error.message;
    throw error;
  }
}

/** Returns whether a list contains itself, by way of others too. */
export function containsItself(mark: string, lists: MarkedLists): boolean {
  const named = new Set<string>([mark]);
  for (const one of named) {
    const list = lists.get(one);
    const inner = list ? marksIn(list) : [];
    if (inner.includes(mark)) return true;
    for (const next of inner) named.add(next);
  }
  return false;
}

function* checkLines(
  { source }: Sourced<unknown>,
  lists: readonly LineList[],
): Iterable<PackProblem> {
  for (const { kind, path, lines } of lists)
    for (const [index, line] of lines.entries()) {
      const message = findLineProblem(kind, line);
      if (message !== undefined) yield { ...source.placeOfLine(path, index), message };
    }
}

function* checkLoops(
  { value, source }: Sourced<PackWords>,
  lists: MarkedLists,
): Iterable<PackProblem> {
  for (const { mark, path } of namedLists(value))
    if (containsItself(mark, lists))
      yield { ...source.placeOfKey(path), message: `the list ${mark} contains itself` };
}

/** Finds phrases that can't be read, and lists that contain themselves. */
export function* checkPhrases(
  rules: readonly Sourced<PackRule>[],
  words: readonly Sourced<PackWords>[],
): Iterable<PackProblem> {
  const shared = markLists(words.map(({ value }) => value));
  for (const file of words) yield* upToBound(checkLines(file, namedLists(file.value)));
  for (const rule of rules) yield* upToBound(checkLines(rule, listsOf(rule.value)));
  for (const file of words) yield* checkLoops(file, shared);
  for (const rule of rules)
    yield* checkLoops(rule, new Map([...shared, ...markLists([rule.value])]));
}
