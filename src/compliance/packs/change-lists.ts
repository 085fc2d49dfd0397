import type { ListChange, ListOverrides, RuleOverride } from "../policy-pack.ts";
import type { KnownChecks } from "./check-rule.ts";
import { listsOf, namedLists, namesIn, type LineList } from "./pack-lists.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import type { PackSource } from "./pack-source.ts";

/** What a pack wants of the lists of the built-in rules. */
export interface ListChanges {
  /** Of the lists that rules share. */
  readonly shared: ListOverrides;
  /** Of the rules' own lists, by the rule's id. */
  readonly rules: Readonly<Record<string, RuleOverride>>;
}

type Named = PackWords["words"];

function changeLines(
  lines: readonly string[],
  { active = true, replace = lines, add = [], remove = [] }: ListChange,
): string[] {
  if (!active) return [];
  const gone = new Set(remove);
  return [...replace.filter((line) => !gone.has(line)), ...add];
}

function changeNamed(named: Named, changes: ListOverrides["words"] = {}): Named {
  const entries = Object.entries(named ?? {});
  return (
    named &&
    Object.fromEntries(
      entries.map(([name, lines]) => {
        const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
        return [name, change ? changeLines(lines, change) : lines];
      }),
    )
  );
}

function changeAll<Lists extends PackWords>(
  lists: Lists,
  { words, phrases }: ListOverrides,
): Lists {
  return {
    ...lists,
    ...(lists.words && { words: changeNamed(lists.words, words) }),
    ...(lists.phrases && { phrases: changeNamed(lists.phrases, phrases) }),
  };
}

const keyOf = (kind: LineList["kind"], name: string): string => `${kind} ${name}`;

const namesAny = (list: LineList, keys: ReadonlySet<string>): boolean =>
  namesIn(list).some(({ kind, name }) => keys.has(keyOf(kind, name)));

/** Lists the shared lists that are others then: those that are changed, and those that name one of these. */
function findChanged({ words }: PackSource, shared: ListOverrides): ReadonlySet<string> {
  const keys = new Set([
    ...Object.keys(shared.words ?? {}).map((name) => keyOf("words", name)),
    ...Object.keys(shared.phrases ?? {}).map((name) => keyOf("phrases", name)),
  ]);
  const lists = words.flatMap(({ value }) => namedLists(value));
  for (let size = -1; size < keys.size;) {
    size = keys.size;
    for (const list of lists)
      if (namesAny(list, keys)) keys.add(keyOf(list.kind, list.path.at(-1) ?? ""));
  }
  return keys;
}

function readsAny(rule: PackRule, keys: ReadonlySet<string>, { checks }: KnownChecks): boolean {
  const given = checks[rule.check ?? ""]?.words ?? [];
  return (
    listsOf(rule).some((list) => namesAny(list, keys)) ||
    given.some((name) => keys.has(keyOf("words", name)))
  );
}

/** Gives the rules that are others with some changes of lists, and all lists as they are then. */
export function changeLists(
  source: PackSource,
  { shared, rules }: ListChanges,
  known: KnownChecks,
): PackSource {
  const changed = findChanged(source, shared);
  const ownOf = ({ id }: PackRule): ListOverrides | undefined => {
    const { words, phrases }: RuleOverride = (Object.hasOwn(rules, id) && rules[id]) || {};
    return words || phrases ? { words, phrases } : undefined;
  };
  return {
    rules: source.rules.flatMap((rule) => {
      const own = ownOf(rule);
      if (own) return [changeAll(rule, own)];
      return readsAny(rule, changed, known) ? [rule] : [];
    }),
    words: source.words.map(({ file, value }) => ({ file, value: changeAll(value, shared) })),
  };
}
