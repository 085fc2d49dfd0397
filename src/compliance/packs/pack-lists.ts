import { PHRASE_KINDS } from "../../phrases/phrase-tables.ts";
import { listNameOf } from "./list-name.ts";
import { linear } from "../../text/pattern.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";

/** Phrases or alternatives, and the path of the member that holds them. */
export interface LineList {
  readonly kind: "phrases" | "words";
  readonly path: readonly string[];
  readonly lines: readonly string[];
}

const NAMED_WORDS = linear(/\{([^{}\s]*)\}/g);

/** Gives the names of the words that a line names. */
export function wordNamesIn(line: string): string[] {
  return Array.from(line.matchAll(NAMED_WORDS), ([, name = ""]) => name);
}

/** A name that a line names. */
interface NamedIn {
  readonly kind: LineList["kind"];
  readonly name: string;
}

/** Gives the names, of either kind, that a list names. */
export function namesIn({ kind, lines }: Pick<LineList, "kind" | "lines">): NamedIn[] {
  return lines.flatMap((line): NamedIn[] => {
    const list = kind === "phrases" ? listNameOf(line) : undefined;
    if (list !== undefined) return [{ kind: "phrases", name: list }];
    return wordNamesIn(line).map((name) => ({ kind: "words", name }));
  });
}

/** Replaces the words that a line names. */
export function replaceWordNames(line: string, replace: (name: string) => string): string {
  return line.replaceAll(NAMED_WORDS, (_named, name: string) => `{${replace(name)}}`);
}

function listNamed(kind: LineList["kind"], named: PackWords["words"]): LineList[] {
  return Object.entries(named ?? {}).map(([name, lines]) => ({ kind, path: [kind, name], lines }));
}

/** Lists all named words and phrases of a file. */
export function namedLists({ phrases, words }: PackWords): LineList[] {
  return [...listNamed("phrases", phrases), ...listNamed("words", words)];
}

/** Lists all phrases and words of a rule. */
export function listsOf(rule: PackRule): LineList[] {
  const ofGroups = (["patterns", "probes"] as const).flatMap((kind) =>
    Object.entries(rule[kind] ?? {}).flatMap(([name, group]) =>
      "foundBy" in group
        ? []
        : PHRASE_KINDS.flatMap((member): LineList[] => {
            const lines = group[member];
            return lines ? [{ kind: "phrases", path: [kind, name, member], lines }] : [];
          }),
    ),
  );
  return [...ofGroups, ...namedLists({ phrases: rule.phrases, words: rule.words })];
}
