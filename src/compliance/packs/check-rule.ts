import { LEARNED_PATTERN } from "../learned/learned-pattern.ts";
import type { PackProblem } from "../pack-problem.ts";
import type { PackRule } from "./pack-schema.ts";
import { listsOf } from "./pack-lists.ts";
import type { Sourced } from "./read-yaml.ts";

/** Checks and exemptions that rules may name, with what a check needs of its rule. */
export interface KnownChecks {
  readonly checks: Readonly<
    Record<string, { readonly probes?: readonly string[]; readonly words?: readonly string[] }>
  >;
  readonly exemptions: Readonly<Record<string, unknown>>;
}

type Report = (path: readonly PropertyKey[], message: string) => void;

const listNames = (names: Iterable<string>): string => [...names].toSorted().join(", ");

/** Checks that nothing of a rule waits for a check that it doesn't name. */
function checkWithoutCheck({ patterns, probes = {} }: PackRule, report: Report): void {
  for (const [name, pattern] of Object.entries(patterns))
    if ("foundBy" in pattern) report(["patterns", name], "foundBy: the rule names no check");
  for (const name of Object.keys(probes))
    report(["probes", name], "is for a check, and the rule names none");
}

function checkProbes(probes: PackRule["probes"], needed: readonly string[], report: Report): void {
  const given = Object.keys(probes ?? {});
  for (const name of needed)
    if (!given.includes(name)) report(["check"], `the check needs a probe "${name}"`);
  for (const name of given)
    if (!needed.includes(name)) report(["probes", name], "the check doesn't ask for it");
}

function checkCheck(rule: PackRule, { checks, exemptions }: KnownChecks, report: Report): void {
  const { check, exemption, probes } = rule;
  if (exemption !== undefined && !Object.hasOwn(exemptions, exemption))
    report(["exemption"], `expected one of ${listNames(Object.keys(exemptions))}`);
  if (check === undefined) checkWithoutCheck(rule, report);
  else if (Object.hasOwn(checks, check)) checkProbes(probes, checks[check]?.probes ?? [], report);
  else report(["check"], `expected one of ${listNames(Object.keys(checks))}`);
}

function checkCases({ patterns, cases }: PackRule, report: Report): void {
  const shown = new Set(cases.violating.map(({ pattern }) => pattern));
  for (const [index, { pattern }] of cases.violating.entries())
    if (!Object.hasOwn(patterns, pattern))
      report(["cases", "violating", index, "pattern"], `the rule has no pattern "${pattern}"`);
  for (const name of Object.keys(patterns))
    if (!shown.has(name)) report(["patterns", name], "no violating case shows it");
}

function checkNames({ patterns }: PackRule, report: Report): void {
  if (Object.hasOwn(patterns, LEARNED_PATTERN))
    report(["patterns", LEARNED_PATTERN], "is the name of what the second look finds by itself");
}

/** Checks what a schema can't say of a rule on its own: its check, its cases, and how its phrases are written. */
export function checkRule(
  { file, value: rule, source }: Sourced<PackRule>,
  known: KnownChecks,
): PackProblem[] {
  const problems: PackProblem[] = [];
  const report: Report = (path, message) =>
    problems.push({ file, ...source.placeOf(path), message: `${path.join(".")}: ${message}` });
  checkCheck(rule, known, report);
  checkNames(rule, report);
  checkCases(rule, report);
  for (const { path } of listsOf(rule))
    if (source.isJoined(path))
      report(path, "expected a block (|), which keeps a phrase on its line");
  return problems;
}
