import type { ListChange, ListOverrides, RuleOverride } from "../policy-pack.ts";
import { wordsOfCheck, type KnownChecks } from "./check-rule.ts";
import { listsOf, marksIn, namedLists, toMark, type LineList } from "./pack-lists.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import type { PackSource } from "./pack-source.ts";

/** What a pack wants of the lists of the built-in rules. */
export interface ListChanges {
  /** Of the lists that rules share. */
  readonly listOverrides?: ListOverrides | undefined;
  /** Of the rules' own lists, by the rule's id. */
  readonly overrides?: Readonly<Record<string, RuleOverride>> | undefined;
}

type Lists = NonNullable<PackWords["words"]>;

function changeLines(
  lines: readonly string[],
  { active = true, replace = lines, add = [], remove = [] }: ListChange,
): string[] {
  if (!active) return [];
  const gone = new Set(remove);
  return [...replace.filter((line) => !gone.has(line)), ...add];
}

function changeNamed(lists: Lists, changes: Readonly<Record<string, ListChange>> = {}): Lists {
  const changed = Object.entries(changes).flatMap(([name, change]) => {
    const lines = Object.hasOwn(lists, name) ? lists[name] : undefined;
    return lines ? [[name, changeLines(lines, change)] as const] : [];
  });
  return { ...lists, ...Object.fromEntries(changed) };
}

function changeAll<File extends PackWords>(file: File, { words, phrases }: ListOverrides): File {
  return {
    ...file,
    ...(file.words && { words: changeNamed(file.words, words) }),
    ...(file.phrases && { phrases: changeNamed(file.phrases, phrases) }),
  };
}

const namesAny = (list: LineList, marks: ReadonlySet<string>): boolean =>
  marksIn(list).some((mark) => marks.has(mark));

/** Returns the marks of the shared lists that are others then: those that are changed, and those that name one of these. */
function findChanged(
  { words: files }: PackSource,
  { words = {}, phrases = {} }: ListOverrides,
): ReadonlySet<string> {
  const marks = new Set([
    ...Object.keys(words).map((name) => toMark("words", name)),
    ...Object.keys(phrases).map((name) => toMark("phrases", name)),
  ]);
  const lists = files.flatMap(({ value }) => namedLists(value));
  for (let size = -1; size < marks.size;) {
    size = marks.size;
    for (const list of lists) if (namesAny(list, marks)) marks.add(list.mark);
  }
  return marks;
}

/** Returns the rules that are others with some changes of lists, and all lists as they are then. */
export function changeLists(
  source: PackSource,
  { listOverrides = {}, overrides = {} }: ListChanges,
  known: KnownChecks,
): PackSource {
  const changed = findChanged(source, listOverrides);
  const readsChanged = (rule: PackRule): boolean =>
    listsOf(rule).some((list) => namesAny(list, changed)) ||
    wordsOfCheck(rule, known).some((name) => changed.has(toMark("words", name)));
  return {
    rules: source.rules.flatMap((rule) => {
      const own: ListOverrides = (Object.hasOwn(overrides, rule.id) && overrides[rule.id]) || {};
      if (own.words || own.phrases) return [changeAll(rule, own)];
      return readsChanged(rule) ? [rule] : [];
    }),
    words: source.words.map(({ file, value }) => ({
      file,
      value: changeAll(value, listOverrides),
    })),
  };
}
