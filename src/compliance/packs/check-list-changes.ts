import { basename } from "node:path";
import type { PackProblem } from "../pack-problem.ts";
import type { ListChange, ListOverrides } from "../policy-pack.ts";
import { checkExpansion } from "./check-expansion.ts";
import { MARKS } from "./check-names.ts";
import { findLineProblem, findLoop, markLists, type MarkedLists } from "./check-phrases.ts";
import { GUARDS } from "./compile-pack.ts";
import { MAX_PROBLEMS } from "./pack-error.ts";
import { toHint } from "./name-hint.ts";
import { namesIn, type LineList } from "./pack-lists.ts";
import type { PackWords } from "./pack-schema.ts";
import type { PackSource } from "./pack-source.ts";
import type { PolicyFile } from "./policy-schema.ts";
import { partOf, type Sourced } from "./read-yaml.ts";

type Kind = LineList["kind"];
type Named = Readonly<Record<string, readonly string[]>>;
type Lists = Readonly<Record<Kind, Named>>;

const KINDS: readonly Kind[] = ["words", "phrases"];

/** Changes of the lists of one owner: those that rules share, or those of a rule. */
interface Owner {
  readonly path: readonly string[];
  readonly changes: ListOverrides;
  /** The lists as they are now. */
  readonly lists: Lists;
  /** All lists that its lines may name, as they would be. */
  readonly known: MarkedLists;
}

const join = (lists: readonly PackWords[]): Lists => ({
  words: Object.assign({}, ...lists.map(({ words }) => words)) as Named,
  phrases: Object.assign({}, ...lists.map(({ phrases }) => phrases)) as Named,
});

/** Looks for what is wrong with changes of lists, up to a bound. */
class ListChangeCheck {
  readonly problems: PackProblem[] = [];
  readonly #policy: Sourced<PolicyFile>;
  readonly #frozen: ReadonlySet<string>;

  /** @param frozen - Names of lists that are not changed. */
  constructor(policy: Sourced<PolicyFile>, frozen: ReadonlySet<string>) {
    this.#policy = policy;
    this.#frozen = frozen;
  }

  check(owner: Owner): void {
    for (const kind of KINDS)
      for (const [name, change] of Object.entries(owner.changes[kind] ?? {}))
        this.#list(owner, kind, name, change);
  }

  #list(owner: Owner, kind: Kind, name: string, change: ListChange): void {
    const path = [...owner.path, kind, name];
    const lists = owner.lists[kind];
    const lines = Object.hasOwn(lists, name) ? lists[name] : undefined;
    if (this.#frozen.has(`${kind} ${name}`))
      this.#atKey(path, "is read by the guards of all phrases, and is not changed");
    else if (!lines)
      this.#atKey(path, `no built-in list has this name${toHint(name, Object.keys(lists))}`);
    else {
      for (const [index, line] of (change.remove ?? []).entries())
        if (!lines.includes(line))
          this.#atLine(
            [...path, "remove"],
            index,
            `the list has no such line${toHint(line, lines)}`,
          );
      this.#lines(owner, kind, [...path, "add"], change.add ?? []);
      this.#lines(owner, kind, [...path, "replace"], change.replace ?? []);
      const mark = MARKS[kind](name);
      if (findLoop(mark, owner.known)) this.#atKey(path, `the list ${mark} contains itself`);
    }
  }

  #lines(owner: Owner, kind: Kind, path: readonly string[], lines: readonly string[]): void {
    for (const [index, line] of lines.entries()) {
      const unknown = namesIn({ kind, lines: [line] }).filter(
        (named) => !owner.known.has(MARKS[named.kind](named.name)),
      );
      for (const named of unknown)
        this.#atLine(path, index, `${MARKS[named.kind](named.name)} is not known`);
      const problem = unknown.length > 0 ? undefined : findLineProblem(kind, line);
      if (problem !== undefined) this.#atLine(path, index, problem);
    }
    if (lines.length > 0 && this.#policy.source.isJoined(path))
      this.#atKey(path, "expected a block (|), which keeps a phrase on its line");
  }

  #atKey(path: readonly string[], message: string): void {
    const place = this.#policy.source.placeOfKey(path);
    this.#add({ ...place, message: `${path.join(".")}: ${message}` });
  }

  #atLine(path: readonly string[], index: number, message: string): void {
    this.#add({ ...this.#policy.source.placeOfLine(path, index), message });
  }

  #add(problem: Omit<PackProblem, "file">): void {
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push({ file: this.#policy.file, ...problem });
  }
}

function findFrozen({ words }: PackSource): ReadonlySet<string> {
  const guards = words.filter(({ file }) => basename(file) === GUARDS);
  return new Set(
    guards.flatMap(({ value }) =>
      KINDS.flatMap((kind) => Object.keys(value[kind] ?? {}).map((name) => `${kind} ${name}`)),
    ),
  );
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
  const { overrides = {}, listOverrides = {} } = policy.value;
  const shared = markLists(changed.words.map(({ value }) => value));
  const check = new ListChangeCheck(policy, findFrozen(source));
  check.check({
    path: ["listOverrides"],
    changes: listOverrides,
    lists: join(source.words.map(({ value }) => value)),
    known: shared,
  });
  for (const [id, changes] of Object.entries(overrides)) {
    const [now, then] = [source, changed].map(({ rules }) => rules.find((rule) => rule.id === id));
    if (!now || !then) continue;
    const known = new Map([...shared, ...markLists([then])]);
    check.check({ path: ["overrides", id], changes, lists: join([now]), known });
  }
  if (check.problems.length > 0) return check.problems;
  const { file, source: yaml } = policy;
  const shares = partOf(yaml, ["listOverrides"]);
  return checkExpansion(
    changed.rules.map((value) => {
      const { words, phrases }: ListOverrides = overrides[value.id] ?? {};
      const isOwn = words !== undefined || phrases !== undefined;
      return { file, value, source: isOwn ? partOf(yaml, ["overrides", value.id]) : shares };
    }),
    changed.words.map(({ value }) => ({ file, value, source: shares })),
  );
}
