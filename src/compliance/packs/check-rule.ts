import { LEARNED_PATTERN } from "../learned/learned-pattern.ts";
import type { PackProblem } from "../pack-problem.ts";
import { listsOf } from "./pack-lists.ts";
import type { PackRule } from "./pack-schema.ts";
import type { Sourced } from "./read-yaml.ts";

/** Checks and exemptions that rules may name, with what a check needs of its rule. */
export interface KnownChecks {
  readonly checks: Readonly<
    Record<string, { readonly probes?: readonly string[]; readonly words?: readonly string[] }>
  >;
  readonly exemptions: Readonly<Record<string, unknown>>;
}

/** Returns the names of the lists of words that the check of a rule reads. */
export function wordsOfCheck({ check = "" }: PackRule, { checks }: KnownChecks): readonly string[] {
  return (Object.hasOwn(checks, check) && checks[check]?.words) || [];
}

function expectOneOf(known: object): string {
  return `expected one of ${Object.keys(known).toSorted().join(", ")}`;
}

/** Checks that nothing of a rule waits for a check that it doesn't name. */
function* checkWithoutCheck({ value, source }: Sourced<PackRule>): Iterable<PackProblem> {
  for (const [name, pattern] of Object.entries(value.patterns))
    if ("foundBy" in pattern)
      yield source.problem(["patterns", name], "foundBy: the rule names no check");
  for (const name of Object.keys(value.probes ?? {}))
    yield source.problem(["probes", name], "is for a check, and the rule names none");
}

function* checkProbes(
  { value: { probes = {} }, source }: Sourced<PackRule>,
  needed: readonly string[],
): Iterable<PackProblem> {
  for (const name of needed)
    if (!Object.hasOwn(probes, name))
      yield source.problem(["check"], `the check needs a probe "${name}"`);
  for (const name of Object.keys(probes))
    if (!needed.includes(name))
      yield source.problem(["probes", name], "the check doesn't ask for it");
}

function* checkCheck(
  rule: Sourced<PackRule>,
  { checks, exemptions }: KnownChecks,
): Iterable<PackProblem> {
  const { value, source } = rule;
  const { check, exemption } = value;
  if (exemption !== undefined && !Object.hasOwn(exemptions, exemption))
    yield source.problem(["exemption"], expectOneOf(exemptions));
  if (check === undefined) yield* checkWithoutCheck(rule);
  else if (Object.hasOwn(checks, check)) yield* checkProbes(rule, checks[check]?.probes ?? []);
  else yield source.problem(["check"], expectOneOf(checks));
}

function* checkCases({ value, source }: Sourced<PackRule>): Iterable<PackProblem> {
  const { patterns, cases } = value;
  const shown = new Set(cases.violating.map(({ pattern }) => pattern));
  for (const [index, { pattern }] of cases.violating.entries())
    if (!Object.hasOwn(patterns, pattern)) {
      const path = ["cases", "violating", index, "pattern"];
      yield source.problem(path, `the rule has no pattern "${pattern}"`);
    }
  for (const name of Object.keys(patterns))
    if (!shown.has(name)) yield source.problem(["patterns", name], "no violating case shows it");
}

/** Finds what a schema can't say of a rule on its own: of its check, its cases, and how its phrases are written. */
export function* checkRule(rule: Sourced<PackRule>, known: KnownChecks): Iterable<PackProblem> {
  const { value, source } = rule;
  yield* checkCheck(rule, known);
  if (Object.hasOwn(value.patterns, LEARNED_PATTERN)) {
    const message = "is the name of what the second look finds by itself";
    yield source.problem(["patterns", LEARNED_PATTERN], message);
  }
  yield* checkCases(rule);
  for (const { path } of listsOf(value))
    if (source.isJoined(path))
      yield source.problem(path, "expected a block (|), which keeps a phrase on its line");
}
