import { readPolicyFile } from "../../packs.ts";
import { isDefinedRule, type DefinedRule } from "../../testing.ts";
import { createChecker } from "../check/checker.ts";
import { formatLaw, formatPack } from "../check/reports.ts";
import { UsageError, parseArguments, toHint } from "../parse-arguments.ts";
import { toPrintable } from "../spool/output.ts";
import {
  describeLook,
  formatLook,
  formatMeasure,
  readMeasure,
  readRuleText,
  type RuleText,
  type SecondLookText,
} from "./rule-text.ts";

const OPTIONS = { pack: { type: "string" }, json: { type: "boolean" } } as const;

/** Explains a rule, or one of its patterns. */
function explain(
  rule: DefinedRule,
  patterns: readonly string[],
  secondLook: SecondLookText | undefined,
  text: RuleText | undefined,
) {
  const { id, name, version, pack, changedBy, category, severity, law } = rule;
  return {
    id,
    name,
    version: version ?? null,
    pack: pack ? formatPack(pack) : null,
    // The pack that has changed the rule.
    changedBy: changedBy ? formatPack(changedBy) : null,
    active: rule.isActive,
    category,
    severity,
    threshold: rule.threshold,
    alwaysReview: rule.alwaysReview,
    description: rule.description ?? "",
    law: formatLaw(law),
    note: law.note ?? null,
    recommendation: rule.recommendation,
    patterns,
    secondLook: secondLook ?? null,
    measured: readMeasure(rule, patterns) ?? null,
    text: text ?? null,
  };
}

function formatGroups(title: string, groups: Readonly<Record<string, object>>): string[] {
  return Object.entries(groups).flatMap(([name, group]) => [
    "",
    `${title} ${name}:`,
    ...Object.entries(group).flatMap(([member, value]: [string, unknown]) =>
      Array.isArray(value)
        ? [`  ${member}:`, ...value.map((line) => `    ${String(line)}`)]
        : [`  ${member}: ${JSON.stringify(value)}`],
    ),
  ]);
}

function formatText({ patterns, probes, lists, cases }: RuleText): string[] {
  return [
    ...formatGroups("pattern", patterns),
    ...formatGroups("probe of the check", probes),
    ...Object.entries(lists).flatMap(([name, lines]) => [
      "",
      `list ${name}:`,
      ...lines.map((line) => `    ${line}`),
    ]),
    ...Object.entries(cases).flatMap(([kind, list]: [string, unknown]) => [
      "",
      `${kind}:`,
      ...(list as unknown[]).map((one) => `  ${JSON.stringify(one)}`),
    ]),
  ];
}

function format(explanation: ReturnType<typeof explain>): string {
  const { text, patterns, secondLook, measured, ...facts } = explanation;
  const lines = [
    ...Object.entries(facts).map(([name, value]) => `${name}: ${String(value ?? "none")}`),
    `patterns: ${patterns.join(", ")}`,
    ...(secondLook ? formatLook(secondLook) : []),
    ...(measured ? formatMeasure(measured) : []),
    ...(text ? formatText(text) : []),
  ];
  return `${lines.map((line) => toPrintable(line)).join("\n")}\n`;
}

/** Lists the patterns of a rule, and the second look's own pattern. */
function listPatterns({ patternIds }: DefinedRule, look: SecondLookText | undefined): string[] {
  return look?.finds ? [...patternIds, look.finds.pattern] : [...patternIds];
}

/** Shows a rule or a pattern. */
export function explainPolicy(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0)
    throw new UsageError("policy explain needs the id of one rule or pattern");
  const given = values.pack === undefined ? undefined : readPolicyFile(values.pack);
  const checker = createChecker(values.pack ?? "built-in rules", {
    packs: given ? [given.policy] : [],
  });
  const rules = checker.rules.filter((rule) => isDefinedRule(rule));
  const [ruleId] = id.split("/");
  const rule = rules.find((one) => one.id === ruleId);
  const look = rule && describeLook(rule);
  const meant = rule
    ? listPatterns(rule, look).filter((name) => id === rule.id || id === name)
    : [];
  if (!rule || meant.length === 0) {
    const known = rules.flatMap((one) => [one.id, ...listPatterns(one, describeLook(one))]);
    throw new UsageError(`no rule or pattern has the id ${id}${toHint(id, known)}`);
  }
  const patterns = meant.map((name) => name.slice(rule.id.length + 1));
  const isLearned = meant.every((name) => name === look?.finds?.pattern);
  const text = isLearned ? undefined : readRuleText(rule.id, patterns, given);
  const explanation = explain(rule, patterns, look, text);
  process.stdout.write(values.json ? `${JSON.stringify(explanation)}\n` : format(explanation));
  return 0;
}
