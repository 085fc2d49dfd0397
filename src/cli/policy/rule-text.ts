import {
  describeSecondLook,
  readBuiltInSource,
  readPatternFigures,
  toLearnedPattern,
  type PackSource,
  type ReadPolicy,
} from "../../packs.ts";
import type { DefinedRule } from "../../testing.ts";
import { formatPack } from "../check/reports.ts";

/**
 * Returns the accuracy of a built-in rule's patterns as shipped, by their wording alone, in long answers of authors who saw no rule;
 * other rules have none.
 */
export function readMeasure({ id, category }: DefinedRule, patterns: readonly string[]) {
  const { texts, patterns: figures } = readPatternFigures();
  const measured = patterns.flatMap((name) => {
    const [violations, ordinary] = figures[`${id}/${name}`] ?? [];
    return violations === undefined || ordinary === undefined
      ? []
      : [[name, { violations, ordinary }] as const];
  });
  if (measured.length === 0) return undefined;
  return {
    authors: texts.authors,
    /** Ordinary answers that were read. */
    ordinary: texts.ordinary,
    /** Violations of the rule's area of law. */
    violations: texts.violations[category] ?? 0,
    /** By the name of the pattern: the number of both in which it found something. */
    patterns: Object.fromEntries(measured),
  };
}

/** Writes the measurements for people, a line for each pattern. */
export function formatMeasure({
  authors,
  ordinary,
  violations,
  patterns,
}: NonNullable<ReturnType<typeof readMeasure>>): string[] {
  return [
    "",
    `measured by the wording alone, in long answers of ${authors} authors (${violations} violations of this area, ${ordinary} ordinary):`,
    ...Object.entries(patterns).map(
      ([name, found]) =>
        `  ${name}: found in ${found.violations} violations and ${found.ordinary} ordinary answers`,
    ),
  ];
}

/** Document that describes the model and its accuracy. */
const MODEL_CARD = "docs/model-card.md";

/** Describes the second look's own findings of a rule. */
function describeOwn(rule: DefinedRule) {
  const pattern = toLearnedPattern(rule.id);
  const { active, severity, threshold } = rule.patternOverrides?.get(pattern) ?? {};
  return {
    pattern,
    active: active !== false && !rule.withoutSecondLook,
    severity: severity ?? (rule.severity === "info" ? "info" : "warning"),
    /** Probability from which a passage is a finding. */
    threshold: threshold ?? rule.threshold,
  };
}

/** Describes the second look at the findings of a rule, as packs have left it; only built-in rules have one. */
export function describeLook(rule: DefinedRule) {
  const described = describeSecondLook(rule.id);
  if (!described) return undefined;
  const { version, sha256, trainedOn, baseRate, candidateThreshold, adds } = described;
  const { withoutSecondLook } = rule;
  return {
    /** The model as findings name it. */
    model: `version ${version}, SHA-256 ${sha256}`,
    modelCard: MODEL_CARD,
    /** SHA-256 of the training data. */
    trainedOn,
    active: withoutSecondLook === undefined,
    /** The pack that has switched it off. */
    switchedOffBy: withoutSecondLook ? formatPack(withoutSecondLook) : null,
    /** Share of violations among answers for which its probabilities are calibrated. */
    baseRate,
    /** Probability from which something is a candidate. */
    candidatesFrom: candidateThreshold,
    /** `null` where it only confirms or drops the findings of wording. */
    finds: adds ? describeOwn(rule) : null,
  };
}

/** The second look's effect on the findings of a rule. */
export type SecondLookText = NonNullable<ReturnType<typeof describeLook>>;

function formatFinds(finds: SecondLookText["finds"]): string {
  if (!finds) return "nothing by itself; it confirms or drops what wording finds";
  const { pattern, active, severity, threshold } = finds;
  return `${pattern} (${severity}) from ${threshold} on${active ? "" : ", switched off"}`;
}

/** Writes a description for people, a line each. */
export function formatLook({ finds, ...facts }: SecondLookText): string[] {
  const lines = Object.entries({ ...facts, finds: formatFinds(finds) });
  return [
    "",
    "second look:",
    ...lines.map(([name, value]) => `  ${name}: ${String(value ?? "none")}`),
  ];
}

type PackRule = PackSource["rules"][number];
type Lines = Readonly<Record<string, readonly string[]>>;

const NAMES = /\{([^{}\s]+)\}|^(@\S+)$/g;

/** Returns the names in lines: words as `{name}`, phrases as `@name`. */
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

/** Collects the lists by their names. */
function toLists(sources: readonly (PackSource["words"][number]["value"] | PackRule)[]): Lines {
  const entries = sources.flatMap(({ words = {}, phrases = {} }) => [
    ...Object.entries(words).map(([name, lines]) => [`{${name}}`, lines] as const),
    ...Object.entries(phrases).map(([name, lines]) => [`@${name}`, lines] as const),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the lists that lines name, and those that these lists name. */
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

/** Finds the text of a rule in files: those of a pack, or the built-in ones as the pack changes them. */
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
 * @param patterns - Names of the wanted patterns.
 * @param given - A pack, whose own rules come before the built-in ones, and which may change these.
 */
export function readRuleText(
  id: string,
  patterns: readonly string[],
  given: ReadPolicy | undefined,
) {
  const found = findRule(id, given);
  if (!found) return undefined;
  const { rule, words } = found;
  const meant = Object.entries(rule.patterns).filter(([name]) => patterns.includes(name));
  const isChecked = meant.some(([, pattern]) => "foundBy" in pattern);
  const groups = Object.fromEntries(meant);
  const probes = isChecked ? (rule.probes ?? {}) : {};
  const { violating, compliant } = rule.cases;
  return {
    /** By the name of the pattern, as they are written. */
    patterns: groups,
    /** Phrases that the rule's check matches in its own way. */
    probes,
    /** Lists that the phrases name, and those that these lists name. */
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

/** Phrases and cases in the file of a rule. */
export type RuleText = NonNullable<ReturnType<typeof readRuleText>>;
