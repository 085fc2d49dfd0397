import { PhraseReader, type Concepts } from "../phrases/parse-phrase.ts";
import { PhraseError } from "../phrases/phrase-error.ts";
import { PhraseGraph } from "../phrases/phrase-graph.ts";
import { listNameOf } from "./list-name.ts";
import { listsOf, namedLists, type LineList } from "./pack-lists.ts";
import type { PackProblem } from "../pack-problem.ts";
import { MAX_PROBLEMS } from "./pack-error.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import { toConcepts } from "./to-concepts.ts";
import type { Sourced } from "./read-yaml.ts";

/** Says what is wrong with a line. */
export function findLineProblem(
  kind: LineList["kind"],
  line: string,
  reader: PhraseReader,
): string | undefined {
  if (kind === "phrases" && listNameOf(line) !== undefined) return undefined;
  if (kind === "words" && (line.startsWith("^") || line.includes(" & ")))
    return `expected words, got a phrase: "${line}"`;
  try {
    reader.read(line);
    return undefined;
  } catch (error) {
    if (error instanceof PhraseError) return error.message;
    throw error;
  }
}

/** Finds the lists that contain themselves, by way of others. */
export function findLoop(
  name: string,
  lists: Readonly<Record<string, readonly string[]>>,
): boolean {
  const seen = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const line of lists[next] ?? []) {
      const inner = listNameOf(line);
      if (inner === name) return true;
      if (inner === undefined || seen.has(inner)) continue;
      seen.add(inner);
      open.push(inner);
    }
  }
  return false;
}

function checkLists(
  { file, source }: Sourced<PackRule> | Sourced<PackWords>,
  lists: readonly LineList[],
  reader: PhraseReader,
): PackProblem[] {
  const problems: PackProblem[] = [];
  for (const list of lists) {
    for (const [index, line] of list.lines.entries()) {
      const message = findLineProblem(list.kind, line, reader);
      if (message === undefined) continue;
      problems.push({ file, ...source.placeOfLine(list.path, index), message });
      if (problems.length === MAX_PROBLEMS) return problems;
    }
  }
  return problems;
}

/**
 * Checks that every phrase can be read. The names in them are known.
 *
 * @param common - Words of another pack that may be named.
 */
export function checkPhrases(
  rules: readonly Sourced<PackRule>[],
  words: readonly Sourced<PackWords>[],
  common: Concepts = {},
): PackProblem[] {
  const sharedWords: Concepts = Object.assign(
    {},
    common,
    ...words.map(({ value }) => toConcepts(value.words)),
  );
  const graph = new PhraseGraph();
  const shared = new PhraseReader(graph, sharedWords);
  const sharedLists = Object.assign({}, ...words.map(({ value }) => value.phrases));
  const problems = words.flatMap((file) => checkLists(file, namedLists(file.value), shared));
  for (const rule of rules) {
    const reader = new PhraseReader(graph, toConcepts(rule.value.words), shared);
    problems.push(...checkLists(rule, listsOf(rule.value), reader));
  }
  for (const { file, value, source } of [...words, ...rules]) {
    const lists = { ...sharedLists, ...value.phrases };
    for (const name of Object.keys(value.phrases ?? {}))
      if (findLoop(name, lists))
        problems.push({
          file,
          ...source.placeOfKey(["phrases", name]),
          message: `the list @${name} contains itself`,
        });
  }
  return problems;
}
