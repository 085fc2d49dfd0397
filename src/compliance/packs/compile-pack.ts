import { basename } from "node:path";
import {
  toPatternName,
  toProbeName,
  type CompiledPack,
  type CompiledRule,
} from "../compiled/compiled-pack.ts";
import type { NamedGroup } from "../../phrases/named-group.ts";
import type { PhraseGroup } from "../../phrases/phrase-group.ts";
import { PHRASE_KINDS } from "../../phrases/phrase-tables.ts";
import type { KnownChecks } from "./check-rule.ts";
import type { PackRule, PackWords } from "./pack-schema.ts";
import { listNameOf } from "./list-name.ts";
import type { Pack } from "./read-pack.ts";
import { findAmbiguous, RuleNames } from "./rule-names.ts";
import { toConcepts } from "./to-concepts.ts";

/** The file of the words that rules of others may name, too. */
const COMMON = "common.yaml";
/** The file of the phrases that the guards look for. */
export const GUARDS = "guards.yaml";

/** Members of a group one of whose phrases must be there. */
const CONDITIONS: ReadonlySet<string> = new Set(["about", "alongside", "user"]);

type Named = Readonly<Record<string, readonly string[]>>;
type WordFile = Pack["words"][number];

/** A pack without its cases and notes, and its phrases, to be compiled into tables. */
export interface PackParts {
  readonly compiled: CompiledPack;
  readonly groups: readonly NamedGroup[];
}

const isFile =
  (name: string) =>
  ({ file }: WordFile): boolean =>
    basename(file) === name;

function join(files: readonly WordFile[], member: keyof PackWords): Named {
  return Object.assign({}, ...files.map(({ value }) => value[member])) as Named;
}

function resolve(lines: readonly string[], lists: Named): readonly string[] {
  return lines.flatMap((line) => {
    const name = listNameOf(line);
    return name === undefined ? line : resolve(lists[name] ?? [], lists);
  });
}

/** Puts the phrases in the place of the names of lists. */
function expand(group: PhraseGroup, lists: Named): PhraseGroup {
  const members = PHRASE_KINDS.flatMap((member) => {
    const lines = group[member];
    return lines ? [[member, resolve(lines, lists)] as const] : [];
  });
  // A condition of which no phrase is left can't be met. Without phrases it would be none at all.
  const isVain = members.some(([member, lines]) => CONDITIONS.has(member) && lines.length === 0);
  return { ...group, ...Object.fromEntries(members), ...(isVain && { match: [] }) };
}

/** Gives the lists of words that the check of a rule reads. */
function readGiven({ check = "", words = {} }: PackRule, shared: Named, known: KnownChecks): Named {
  const names = known.checks[check]?.words ?? [];
  return Object.fromEntries(names.map((name) => [name, words[name] ?? shared[name] ?? []]));
}

function toCompiledRule(rule: PackRule, given: Named): CompiledRule {
  const { notes: _notes, phrases: _phrases, cases: _cases, probes = {}, ...rest } = rule;
  const names = Object.entries(rule.patterns);
  return {
    ...rest,
    patterns: names.flatMap(([name, pattern]) => ("foundBy" in pattern ? [] : name)),
    checked: names.flatMap(([name, pattern]) => ("foundBy" in pattern ? name : [])),
    probes: Object.keys(probes),
    words: given,
  } as CompiledRule;
}

/** Lists the groups of a rule under the names by which they are compiled. */
function listGroups(rule: PackRule, names: RuleNames): (readonly [string, PhraseGroup])[] {
  const { id, patterns, probes = {} } = rule;
  return [
    ...Object.entries(patterns).flatMap(([name, pattern]) =>
      "foundBy" in pattern ? [] : [[toPatternName(id, name), names.qualifyGroup(pattern)] as const],
    ),
    ...Object.entries(probes).map(
      ([name, probe]) => [toProbeName(id, name), names.qualifyGroup(probe)] as const,
    ),
  ];
}

/** Lists all groups of a pack; they share their words, so that what is read of these is shared as well. */
function toGroups({ rules, words }: Pack): NamedGroup[] {
  const ambiguous = findAmbiguous(rules);
  const named = rules.map((rule) => ({ rule, names: new RuleNames(rule, ambiguous) }));
  const ofRules = (member: keyof PackWords): Named =>
    Object.assign({}, ...named.map(({ names }) => names.qualifyNamed(member))) as Named;
  const isShared = (file: WordFile): boolean => !isFile(COMMON)(file);
  const concepts = toConcepts({ ...join(words.filter(isShared), "words"), ...ofRules("words") });
  const lists = { ...join(words, "phrases"), ...ofRules("phrases") };
  const guards = Object.entries(join(words.filter(isFile(GUARDS)), "phrases"));
  return [
    ...guards.map(([name, match]) => [`guards/${name}`, { match }] as const),
    ...named.flatMap(({ rule, names }) => listGroups(rule, names)),
  ].map(([name, group]) => ({ name, group: expand(group, lists), concepts }));
}

/** Takes a pack apart into what its rules say of themselves, and their phrases. */
export function compilePack(pack: Pack, known: KnownChecks): PackParts {
  const { head, sha256 } = pack;
  const shared = join(pack.words, "words");
  return {
    compiled: {
      id: head.id,
      version: head.version,
      sha256,
      common: toConcepts(join(pack.words.filter(isFile(COMMON)), "words")),
      rules: pack.rules.map((rule) => toCompiledRule(rule, readGiven(rule, shared, known))),
    },
    groups: toGroups(pack),
  };
}
