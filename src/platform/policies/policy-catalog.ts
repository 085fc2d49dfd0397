import type { DefinedRule } from "../../testing.ts";
import { loadPacks, loadRules } from "./rule-engine.ts";

/** Phrases of a pattern that are shown. */
const MAX_LINES = 200;
const MAX_CASES = 5;

/** Describes a rule as lists show it. */
function toEntry(rule: DefinedRule, hasSecondLook: boolean) {
  const { id, name, version, category, severity, description, law, threshold } = rule;
  return {
    id,
    name,
    version: version ?? null,
    category,
    severity,
    description,
    law,
    threshold,
    alwaysReview: rule.alwaysReview,
    /** Whether its findings stay out of telemetry. */
    confidential: rule.confidential,
    hasSecondLook,
  };
}

/** A rule of the engine. */
export type PolicyEntry = ReturnType<typeof toEntry>;

/** Loads the rules that the engine of this release has. */
export async function loadCatalog() {
  const [{ builtInRules }, { describeSecondLook }] = await Promise.all([loadRules(), loadPacks()]);
  const looks = new Map(builtInRules.map(({ id }) => [id, describeSecondLook(id)]));
  const [rule] = builtInRules;
  const [look] = [...looks.values()].filter((each) => each !== undefined);
  return {
    pack: rule?.pack ?? null,
    secondLook: look ? { version: look.version, sha256: look.sha256 } : null,
    rules: builtInRules.map((each) => toEntry(each, looks.get(each.id) !== undefined)),
  };
}

type Lines = Readonly<Record<string, unknown>>;

function toLines(pattern: Lines | undefined): string[] {
  const match = pattern?.["match"];
  return Array.isArray(match) ? match.slice(0, MAX_LINES).map(String) : [];
}

/** Loads what is known of one rule: its patterns with their phrases and how right they are, and cases; `undefined` for one that is not there. */
export async function loadRule(id: string) {
  const [{ builtInRules }, { describeSecondLook, readBuiltInSource, readPatternFigures }] =
    await Promise.all([loadRules(), loadPacks()]);
  const rule = builtInRules.find((each) => each.id === id);
  const text = readBuiltInSource().rules.find((each) => each.id === id);
  if (!rule || !text) return undefined;
  const look = describeSecondLook(id);
  const { patterns, texts } = readPatternFigures();
  const { violating, compliant } = text.cases;
  return {
    ...toEntry(rule, look !== undefined),
    explanation: text.explanation,
    notes: text.notes ?? null,
    recommendation: text.recommendation,
    patterns: rule.patternIds.map((patternId) => {
      const [right = null, alarms = null] = patterns[patternId] ?? [];
      const lines = toLines(text.patterns[patternId.slice(id.length + 1)]);
      return { id: patternId, lines, right, alarms };
    }),
    /** What the figures of the patterns were measured with. */
    measured: { violations: texts.violations[rule.category] ?? 0, ordinary: texts.ordinary },
    cases: {
      violating: violating.slice(0, MAX_CASES).map(({ agentResponse }) => agentResponse ?? ""),
      compliant: compliant.slice(0, MAX_CASES).map(({ agentResponse }) => agentResponse ?? ""),
    },
  };
}

/** Everything that is known of a rule. */
export type PolicyDetail = NonNullable<Awaited<ReturnType<typeof loadRule>>>;
