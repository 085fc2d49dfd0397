import type { PackSource, ReadPolicy } from "../../packs.ts";
import { readBuiltInSource } from "../../packs.ts";

type PackRule = PackSource["rules"][number];
type Lines = Readonly<Record<string, readonly string[]>>;

/** What the file of a rule says of its phrases and cases. */
export interface RuleText {
  /** By the name of the pattern, as they are written. */
  readonly patterns: Readonly<Record<string, object>>;
  /** Phrases that the rule's check looks for in its own way. */
  readonly probes: Readonly<Record<string, object>>;
  /** Lists that the phrases name, and those that these name. */
  readonly lists: Lines;
  readonly cases: object;
}

const NAMES = /\{([^{}\s]+)\}|^(@\S+)$/g;

/** Gives the names that lines name: words as `{name}`, phrases as `@name`. */
function namesIn(lines: Iterable<string>): string[] {
  return [...lines].flatMap((line) =>
    Array.from(line.matchAll(NAMES), ([, words, list]) => list ?? `{${words}}`),
  );
}

function linesOf(groups: Readonly<Record<string, object>>): string[] {
  return Object.values(groups)
    .flatMap((group) => Object.values(group) as unknown[])
    .flatMap((member) => (Array.isArray(member) ? (member as string[]) : []));
}

/** Lists the lists by which names stand for them. */
function toLists(sources: readonly (PackSource["words"][number]["value"] | PackRule)[]): Lines {
  const entries = sources.flatMap(({ words = {}, phrases = {} }) => [
    ...Object.entries(words).map(([name, lines]) => [`{${name}}`, lines] as const),
    ...Object.entries(phrases).map(([name, lines]) => [`@${name}`, lines] as const),
  ]);
  return Object.fromEntries(entries);
}

/** Gives the lists that lines name, and those that these name. */
function pickLists(all: Lines, lines: readonly string[]): Lines {
  const picked = new Map<string, readonly string[]>();
  const open = namesIn(lines);
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const list = all[name];
    if (!list || picked.has(name)) continue;
    picked.set(name, list);
    open.push(...namesIn(list));
  }
  return Object.fromEntries(picked);
}

/** Finds what files say of a rule: those of a pack, or the built-in ones as the pack changes them. */
function findRule(id: string, given: ReadPolicy | undefined) {
  const isThis = (rule: PackRule): boolean => rule.id === id;
  const builtIn = readBuiltInSource();
  const own = given?.source.rules.find(isThis);
  if (given && own) return { rule: own, words: [...builtIn.words, ...given.source.words] };
  const changed = given?.changed.rules.find(isThis);
  if (given && changed) return { rule: changed, words: given.changed.words };
  const rule = builtIn.rules.find(isThis);
  return rule && { rule, words: builtIn.words };
}

/**
 * Reads the text of a rule.
 *
 * @param patterns - Names of the patterns that are meant.
 * @param given - A pack, whose own rules come before the built-in ones, and which may change these.
 */
export function readRuleText(
  id: string,
  patterns: readonly string[],
  given: ReadPolicy | undefined,
): RuleText | undefined {
  const found = findRule(id, given);
  if (!found) return undefined;
  const { rule, words } = found;
  const meant = Object.entries(rule.patterns).filter(([name]) => patterns.includes(name));
  const isChecked = meant.some(([, pattern]) => "foundBy" in pattern);
  const groups = Object.fromEntries(meant);
  const probes = isChecked ? (rule.probes ?? {}) : {};
  const { violating, compliant } = rule.cases;
  return {
    patterns: groups,
    probes,
    lists: pickLists(toLists([...words.map(({ value }) => value), rule]), [
      ...linesOf(groups),
      ...linesOf(probes),
    ]),
    cases: {
      violating: violating.filter(({ pattern }) => patterns.includes(pattern)),
      compliant,
    },
  };
}
