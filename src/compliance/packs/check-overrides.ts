import { LEARNED_PATTERN } from "../learned/learned-pattern.ts";
import type { RuleOverride } from "../policy-pack.ts";
import type { PackProblem } from "../pack-problem.ts";
import { toHint } from "./name-hint.ts";
import type { PolicyFile } from "./policy-schema.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import type { Sourced } from "./read-yaml.ts";

type Report = (path: readonly string[], message: string) => void;

/** A built-in rule, as far as a pack can change it. */
interface KnownRule {
  readonly patterns: readonly string[];
  readonly isLookedAtAgain: boolean;
}

function toKnown({ pack, secondLook }: BuiltInRules): ReadonlyMap<string, KnownRule> {
  return new Map(
    pack.rules.map(({ id, patterns, checked }) => {
      const plane = secondLook.get(id);
      const learned = plane && !plane.confirmsOnly ? [LEARNED_PATTERN] : [];
      return [
        id,
        { patterns: [...patterns, ...checked, ...learned], isLookedAtAgain: plane !== undefined },
      ];
    }),
  );
}

function checkOverride(
  path: readonly string[],
  { patterns = {}, secondLook }: RuleOverride,
  known: KnownRule,
  report: Report,
): void {
  for (const name of Object.keys(patterns))
    if (!known.patterns.includes(name))
      report(
        [...path, "patterns", name],
        `the rule has no pattern of this name${toHint(name, known.patterns)}`,
      );
  if (patterns[LEARNED_PATTERN]?.severity === "violation")
    report(
      [...path, "patterns", LEARNED_PATTERN, "severity"],
      "what the second look finds by itself is a warning at most",
    );
  if (secondLook && !known.isLookedAtAgain)
    report([...path, "secondLook"], "the second look doesn't judge this rule");
}

/** Checks that what a pack changes is there, and that its own rules have ids of their own. */
export function checkOverrides(
  { file, value, source }: Sourced<PolicyFile>,
  builtIn: BuiltInRules,
): PackProblem[] {
  const rules = toKnown(builtIn);
  const problems: PackProblem[] = [];
  const report: Report = (path, message) => {
    problems.push({ file, ...source.placeOfKey(path), message: `${path.join(".")}: ${message}` });
  };
  for (const [id, override] of Object.entries(value.overrides ?? {})) {
    const known = rules.get(id);
    if (known) checkOverride(["overrides", id], override, known, report);
    else report(["overrides", id], `no built-in rule has this id${toHint(id, [...rules.keys()])}`);
  }
  for (const [index, { id }] of (value.rules ?? []).entries())
    if (rules.has(id))
      problems.push({
        file,
        ...source.placeOf(["rules", index, "id"]),
        message: `id: "${id}" is a built-in rule, which a pack changes under "overrides"`,
      });
  return problems;
}
