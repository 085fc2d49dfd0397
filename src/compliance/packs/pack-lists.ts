import { PHRASE_KINDS } from "../../phrases/phrase-tables.ts";
import { linear } from "../../text/pattern.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";

/** What a list holds: phrases, or words as alternatives. */
export type ListKind = keyof PackWords;

/** Phrases or alternatives, and the path of the member that holds them. */
export interface LineList {
  readonly kind: ListKind;
  readonly path: readonly string[];
  readonly lines: readonly string[];
}

/** A list that lines name by its mark. */
export interface NamedList extends LineList {
  readonly name: string;
  readonly mark: string;
}

const NAMED_WORDS = linear(/\{([^{}\s]*)\}/g);

/** Returns the mark by which lines name a list: the line `@name` stands for all its phrases, `{name}` for its words. */
export function toMark(kind: ListKind, name: string): string {
  return kind === "phrases" ? `@${name}` : `{${name}}`;
}

/** Returns whether a line of phrases stands for all those of a named list. */
export function isListMark(line: string): boolean {
  return line.startsWith("@");
}

/** Returns the marks of the lists, of either kind, that a list names. */
export function marksIn({ kind, lines }: Pick<LineList, "kind" | "lines">): string[] {
  return lines.flatMap((line) =>
    kind === "phrases" && isListMark(line) ? [line] : (line.match(NAMED_WORDS) ?? []),
  );
}

/** Replaces the names of words in a line. */
export function replaceWordNames(line: string, replace: (name: string) => string): string {
  return line.replaceAll(NAMED_WORDS, (_mark, name: string) => `{${replace(name)}}`);
}

/** Lists all named words and phrases of a file, or of a rule. */
export function namedLists(file: Pick<PackWords, ListKind>): NamedList[] {
  return (["phrases", "words"] as const).flatMap((kind) =>
    Object.entries(file[kind] ?? {}).map(([name, lines]) => ({
      kind,
      name,
      mark: toMark(kind, name),
      path: [kind, name],
      lines,
    })),
  );
}

/** Lists the phrases of all patterns and probes of a rule. */
export function groupLists(rule: PackRule): LineList[] {
  return (["patterns", "probes"] as const).flatMap((member) =>
    Object.entries(rule[member] ?? {}).flatMap(([name, group]) =>
      PHRASE_KINDS.flatMap((kind) => {
        const lines = "foundBy" in group ? undefined : group[kind];
        return lines ? { kind: "phrases" as const, path: [member, name, kind], lines } : [];
      }),
    ),
  );
}

/** Lists all phrases and words of a rule. */
export function listsOf(rule: PackRule): LineList[] {
  return [...groupLists(rule), ...namedLists(rule)];
}
