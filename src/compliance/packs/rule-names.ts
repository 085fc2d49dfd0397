import type { PhraseGroup } from "../../phrases/phrase-group.ts";
import { PHRASE_KINDS } from "../../phrases/phrase-tables.ts";
import { replaceWordNames } from "./pack-lists.ts";
import type { PackPattern, PackProbe, PackRule } from "./pack-schema.ts";
import { listNameOf } from "./list-name.ts";

type Named = Readonly<Record<string, readonly string[]>>;

/** Lists the names to which several rules give a meaning of their own. */
export function findAmbiguous(rules: readonly PackRule[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const names = rules.flatMap(({ phrases = {}, words = {} }) => [
    ...Object.keys(phrases).map((name) => `@${name}`),
    ...Object.keys(words),
  ]);
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

/** Writes the names of a rule as they are unique in the pack. */
export class RuleNames {
  readonly #rule: PackRule;
  readonly #ambiguous: ReadonlySet<string>;

  constructor(rule: PackRule, ambiguous: ReadonlySet<string>) {
    this.#rule = rule;
    this.#ambiguous = ambiguous;
  }

  /** Qualifies all names of a member. */
  qualifyNamed(member: "phrases" | "words"): Named {
    const mark = member === "phrases" ? "@" : "";
    return Object.fromEntries(
      Object.entries(this.#rule[member] ?? {}).map(([name, lines]) => [
        this.#qualifyName(member, name, mark),
        lines.map((line) => this.#qualify(line)),
      ]),
    );
  }

  /** Qualifies all names in the phrases of a pattern or a probe. */
  qualifyGroup(group: PackPattern | PackProbe): PhraseGroup {
    const lists = PHRASE_KINDS.flatMap((member) => {
      const lines = group[member];
      return lines ? [[member, lines.map((line) => this.#qualify(line))]] : [];
    });
    return { ...group, ...Object.fromEntries(lists) } as PhraseGroup;
  }

  #qualifyName(member: "phrases" | "words", name: string, mark: string): string {
    const isOwn = Object.hasOwn(this.#rule[member] ?? {}, name);
    return isOwn && this.#ambiguous.has(mark + name) ? `${this.#rule.id}/${name}` : name;
  }

  #qualify(line: string): string {
    const list = listNameOf(line);
    if (list !== undefined) return `@${this.#qualifyName("phrases", list, "@")}`;
    return replaceWordNames(line, (name) => this.#qualifyName("words", name, ""));
  }
}
