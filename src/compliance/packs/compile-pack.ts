import { basename } from "node:path";
import type { Concepts } from "../../phrases/parse-phrase.ts";
import type { PhraseGroup } from "../../phrases/phrase-group.ts";
import { PHRASE_KINDS } from "../../phrases/phrase-tables.ts";
import {
  toPatternName,
  toProbeName,
  type CompiledPack,
  type CompiledRule,
} from "../compiled/compiled-pack.ts";
import { wordsOfCheck, type KnownChecks } from "./check-rule.ts";
import { isListMark, replaceWordNames, toMark } from "./pack-lists.ts";
import type { PackPattern, PackProbe, PackRule, PackWords } from "./pack-schema.ts";
import type { PackSource } from "./pack-source.ts";
import type { Pack } from "./read-pack.ts";

/** The file of the words that rules of others may name, too. */
const COMMON = "common.yaml";
const GUARDS = "guards.yaml";

/** Members of a group one of whose phrases must be there. */
const CONDITIONS: ReadonlySet<string> = new Set(["about", "alongside", "user"]);

type Named = Readonly<Record<string, readonly string[]>>;
type WordFile = PackSource["words"][number];

/** Phrases with the name under which they are compiled, and the words that they name. */
interface PackGroup {
  readonly name: string;
  readonly group: PhraseGroup;
  readonly concepts: Concepts;
}

/** A pack without its cases and notes, and its phrases, to be compiled into tables. */
export interface PackParts {
  readonly compiled: CompiledPack;
  readonly groups: readonly PackGroup[];
}

/** Returns named words in the form in which phrases are read: alternatives in one text. */
export function toConcepts(words: Named = {}): Concepts {
  const entries = Object.entries(words);
  return Object.fromEntries(entries.map(([name, lines]) => [name, lines.join("|")]));
}

const isCommon = ({ file }: WordFile): boolean => basename(file) === COMMON;

/** Returns whether a file has the phrases that the guards look for. */
export const isOfGuards = ({ file }: WordFile): boolean => basename(file) === GUARDS;

function join(files: readonly WordFile[], member: keyof PackWords): Named {
  return Object.assign({}, ...files.map(({ value }) => value[member])) as Named;
}

/** Lists the names to which several rules give words of their own. */
function findAmbiguous(rules: readonly PackRule[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const names = rules.flatMap(({ words = {} }) => Object.keys(words));
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

/** Returns the names of a rule's words as they are unique in the pack. */
function toUnique({ id, words = {} }: PackRule, ambiguous: ReadonlySet<string>) {
  return (name: string): string =>
    ambiguous.has(name) && Object.hasOwn(words, name) ? `${id}/${name}` : name;
}

/** Puts the phrases of lists in the place of their marks. */
function resolve(lines: readonly string[], lists: Named): readonly string[] {
  return lines.flatMap((line) => (isListMark(line) ? resolve(lists[line] ?? [], lists) : line));
}

const byMark = (phrases: Named = {}): Named =>
  Object.fromEntries(
    Object.entries(phrases).map(([name, lines]) => [toMark("phrases", name), lines]),
  );

/** Writes a group of a rule in full: without lists, and with unique names of words. */
function writeOut(
  group: PackPattern | PackProbe,
  lists: Named,
  toName: (name: string) => string,
): PhraseGroup {
  const members = PHRASE_KINDS.flatMap((member) => {
    const lines = group[member];
    if (!lines) return [];
    const written = resolve(lines, lists).map((line) => replaceWordNames(line, toName));
    return [[member, written] as const];
  });
  // A condition of which no phrase is left can't be met. Without phrases it would be none at all.
  const isVain = members.some(([member, lines]) => CONDITIONS.has(member) && lines.length === 0);
  const written = { ...group, ...Object.fromEntries(members), ...(isVain && { match: [] }) };
  return written as PhraseGroup;
}

/** Lists the groups of a rule under the names by which they are compiled. */
function listGroups({ id, patterns, probes = {} }: PackRule) {
  return [
    ...Object.entries(patterns).flatMap(([name, pattern]) =>
      "foundBy" in pattern ? [] : [{ name: toPatternName(id, name), group: pattern }],
    ),
    ...Object.entries(probes).map(([name, probe]) => ({
      name: toProbeName(id, name),
      group: probe,
    })),
  ];
}

/** Lists all groups of a pack; they share their words, so that what is read of these is shared as well. */
function toGroups({ rules, words }: PackSource): PackGroup[] {
  const ambiguous = findAmbiguous(rules);
  const shared = byMark(join(words, "phrases"));
  const own = rules.flatMap((rule) => {
    const toName = toUnique(rule, ambiguous);
    return Object.entries(rule.words ?? {}).map(([name, lines]) => [
      toName(name),
      lines.map((line) => replaceWordNames(line, toName)),
    ]);
  });
  const concepts = toConcepts({
    ...join(
      words.filter((file) => !isCommon(file)),
      "words",
    ),
    ...(Object.fromEntries(own) as Named),
  });
  const guards = Object.entries(join(words.filter(isOfGuards), "phrases"));
  return [
    ...guards.map(([name, match]) => ({
      name: `guards/${name}`,
      group: { match: resolve(match, shared) },
      concepts,
    })),
    ...rules.flatMap((rule) => {
      const lists = { ...shared, ...byMark(rule.phrases) };
      const toName = toUnique(rule, ambiguous);
      return listGroups(rule).map(({ name, group }) => ({
        name,
        group: writeOut(group, lists, toName),
        concepts,
      }));
    }),
  ];
}

function toCompiledRule(rule: PackRule, shared: Named, known: KnownChecks): CompiledRule {
  const { notes: _notes, phrases: _phrases, cases: _cases, probes = {}, ...rest } = rule;
  const names = Object.entries(rule.patterns);
  const given = wordsOfCheck(rule, known);
  return {
    ...rest,
    patterns: names.flatMap(([name, pattern]) => ("foundBy" in pattern ? [] : name)),
    checked: names.flatMap(([name, pattern]) => ("foundBy" in pattern ? name : [])),
    probes: Object.keys(probes),
    words: Object.fromEntries(
      given.map((name) => [name, rule.words?.[name] ?? shared[name] ?? []]),
    ),
  } as CompiledRule;
}

/** Takes a pack apart into what its rules say of themselves, and their phrases. */
export function compilePack(pack: Pack, known: KnownChecks): PackParts {
  const { id, version, sha256, rules, words } = pack;
  const shared = join(words, "words");
  return {
    compiled: {
      id,
      version,
      sha256,
      common: toConcepts(join(words.filter(isCommon), "words")),
      rules: rules.map((rule) => toCompiledRule(rule, shared, known)),
    },
    groups: toGroups(pack),
  };
}
