import { toNameHint } from "../../util/nearest-name.ts";
import { readBuiltInPack } from "../compiled/built-in.ts";
import { secondLookRules } from "../learned/built-in-second-look.ts";
import { LEARNED_PATTERN } from "../learned/learned-pattern.ts";
import type { PackProblem } from "../pack-problem.ts";
import type { RuleOverride } from "../policy-pack.ts";
import type { PolicyFile } from "./policy-schema.ts";
import type { Sourced, YamlPart } from "./read-yaml.ts";

/** A built-in rule, as far as a pack can change it. */
interface KnownRule {
  readonly patterns: readonly string[];
  readonly isLookedAtAgain: boolean;
}

function listKnown(): ReadonlyMap<string, KnownRule> {
  const planes = secondLookRules();
  return new Map(
    readBuiltInPack().rules.map(({ id, patterns, checked }) => {
      const plane = planes.get(id);
      const learned = plane && !plane.confirmsOnly ? [LEARNED_PATTERN] : [];
      const known = [...patterns, ...checked, ...learned];
      return [id, { patterns: known, isLookedAtAgain: plane !== undefined }];
    }),
  );
}

function* checkOverride(
  source: YamlPart,
  path: readonly string[],
  { patterns = {}, secondLook }: RuleOverride,
  known: KnownRule,
): Iterable<PackProblem> {
  for (const name of Object.keys(patterns))
    if (!known.patterns.includes(name)) {
      const hint = toNameHint(name, known.patterns);
      const message = `the rule has no pattern of this name${hint}`;
      yield source.problemOfKey([...path, "patterns", name], message);
    }
  if (patterns[LEARNED_PATTERN]?.severity === "violation") {
    const message = "what the second look finds by itself is a warning at most";
    yield source.problemOfKey([...path, "patterns", LEARNED_PATTERN, "severity"], message);
  }
  if (secondLook && !known.isLookedAtAgain)
    yield source.problemOfKey([...path, "secondLook"], "the second look doesn't judge this rule");
}

/** Finds changes of what is not there, and rules of the pack that have the id of a built-in one. */
export function* checkOverrides({ value, source }: Sourced<PolicyFile>): Iterable<PackProblem> {
  const rules = listKnown();
  for (const [id, override] of Object.entries(value.overrides ?? {})) {
    const path = ["overrides", id];
    const known = rules.get(id);
    if (known) yield* checkOverride(source, path, override, known);
    else {
      const message = `no built-in rule has this id${toNameHint(id, [...rules.keys()])}`;
      yield source.problemOfKey(path, message);
    }
  }
  for (const [index, { id }] of (value.rules ?? []).entries())
    if (rules.has(id)) {
      const message = `"${id}" is a built-in rule, which a pack changes under "overrides"`;
      yield source.part(["rules", index]).problem(["id"], message);
    }
}
