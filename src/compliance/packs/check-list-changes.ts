import { toNameHint } from "../../util/nearest-name.ts";
import type { PackProblem } from "../pack-problem.ts";
import type { ListChange, ListOverrides } from "../policy-pack.ts";
import { checkExpansion } from "./check-expansion.ts";
import { containsItself, findLineProblem, markLists, type MarkedLists } from "./check-phrases.ts";
import { isOfGuards } from "./compile-pack.ts";
import { upToBound } from "./pack-error.ts";
import { marksIn, toMark, type ListKind } from "./pack-lists.ts";
import type { PackSource } from "./pack-source.ts";
import type { PolicyFile } from "./policy-schema.ts";
import type { Sourced, YamlPart } from "./read-yaml.ts";

/** Lists of one owner, shared or a rule's own, some of which a pack changes. */
interface ChangedLists {
  /** The part of the pack that changes them. */
  readonly source: YamlPart;
  readonly path: readonly string[];
  readonly changes: ListOverrides;
  /** The lists as they are now. */
  readonly current: MarkedLists;
  /** All lists that their lines may name, as they would be. */
  readonly changed: MarkedLists;
  /** Marks of those that are not changed. */
  readonly frozen: ReadonlySet<string>;
}

/** Finds what is wrong with lines that a pack puts into a list. */
function* checkLines(
  { source, changed }: ChangedLists,
  kind: ListKind,
  path: readonly string[],
  lines: readonly string[] = [],
): Iterable<PackProblem> {
  for (const [index, line] of lines.entries()) {
    const unknown = marksIn({ kind, lines: [line] }).filter((mark) => !changed.has(mark));
    const problem = unknown.length > 0 ? undefined : findLineProblem(kind, line);
    for (const mark of unknown)
      yield { ...source.placeOfLine(path, index), message: `${mark} is not known` };
    if (problem !== undefined) yield { ...source.placeOfLine(path, index), message: problem };
  }
  if (lines.length > 0 && source.isJoined(path))
    yield source.problemOfKey(path, "expected a block (|), which keeps a phrase on its line");
}

function* checkChange(
  owner: ChangedLists,
  kind: ListKind,
  name: string,
  { remove = [], add, replace }: ListChange,
): Iterable<PackProblem> {
  const { source, current, changed } = owner;
  const path = [...owner.path, kind, name];
  const mark = toMark(kind, name);
  const lines = current.get(mark)?.lines;
  if (owner.frozen.has(mark)) {
    yield source.problemOfKey(path, "is read by the guards of all phrases, and is not changed");
  } else if (!lines) {
    const names = [...current.values()]
      .filter((list) => list.kind === kind)
      .map((list) => list.name);
    yield source.problemOfKey(path, `no built-in list has this name${toNameHint(name, names)}`);
  } else {
    for (const [index, line] of remove.entries())
      if (!lines.includes(line)) {
        const message = `the list has no such line${toNameHint(line, lines)}`;
        yield { ...source.placeOfLine([...path, "remove"], index), message };
      }
    yield* checkLines(owner, kind, [...path, "add"], add);
    yield* checkLines(owner, kind, [...path, "replace"], replace);
    if (containsItself(mark, changed))
      yield source.problemOfKey(path, `the list ${mark} contains itself`);
  }
}

function* checkOwner(owner: ChangedLists): Iterable<PackProblem> {
  for (const kind of ["words", "phrases"] as const)
    for (const [name, change] of Object.entries(owner.changes[kind] ?? {}))
      yield* checkChange(owner, kind, name, change);
}

function* checkOwners(
  { value, source: yaml }: Sourced<PolicyFile>,
  before: PackSource,
  after: PackSource,
): Iterable<PackProblem> {
  const { overrides = {}, listOverrides = {} } = value;
  const guards = before.words.filter(isOfGuards);
  const frozen = new Set(markLists(guards.map((file) => file.value)).keys());
  const current = markLists(before.words.map((file) => file.value));
  const shared = markLists(after.words.map((file) => file.value));
  const owner = { source: yaml, path: ["listOverrides"], changes: listOverrides, frozen };
  yield* checkOwner({ ...owner, current, changed: shared });
  for (const [id, changes] of Object.entries(overrides)) {
    const [rule, changedRule] = [before, after].map(({ rules }) =>
      rules.find((one) => one.id === id),
    );
    if (!rule || !changedRule) continue;
    const changed = new Map([...shared, ...markLists([changedRule])]);
    const path = ["overrides", id];
    yield* checkOwner({ ...owner, path, changes, current: markLists([rule]), changed });
  }
}

/**
 * Checks that the lists which a pack changes are there, and that they can be read as they would be.
 *
 * @param source - The built-in rules and lists as they are.
 * @param changed - As they would be.
 */
export function checkListChanges(
  policy: Sourced<PolicyFile>,
  source: PackSource,
  changed: PackSource,
): PackProblem[] {
  const problems = [...upToBound(checkOwners(policy, source, changed))];
  if (problems.length > 0) return problems;
  const { file, value, source: yaml } = policy;
  const rules = changed.rules.map((rule) => {
    const { words, phrases }: ListOverrides = value.overrides?.[rule.id] ?? {};
    const path = words || phrases ? ["overrides", rule.id] : ["listOverrides"];
    return { file, value: rule, source: yaml.part(path) };
  });
  const words = changed.words.map((one) => one.value);
  return [...checkExpansion(rules, words)];
}
