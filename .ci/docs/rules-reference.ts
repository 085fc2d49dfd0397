import type { PackRule } from "../../src/compliance/packs/pack-schema.ts";
import type { PatternFigures } from "../../src/compliance/packs/pattern-figures.ts";
import { toExcerpt } from "../../src/identifiers/mask.ts";
import { normalise } from "../../src/text/normalise.ts";
import type { ContextCase } from "../../src/compliance/verify-rule.ts";
import { readBuiltInPack } from "../compile-packs.ts";
import { toCode, toTable } from "./markdown.ts";

const MAX_EXAMPLE_LENGTH = 240;

const PLAIN = /^[\x20-\x7e\n]*$/;

function maskLine(text: string): string {
  return toExcerpt(normalise(text), { start: 0, end: text.length }).replaceAll(/\s+/g, " ");
}

/** Writes what a case says, a line per member that matters; numbers are masked. */
function toLines(example: ContextCase): string[] {
  const { history, userMessage, agentResponse, toolsUsed = [], transactionContext } = example;
  const earlier = (history ?? []).flatMap((turn) => toLines(turn));
  const tools = toolsUsed.map(({ name, success }) => `${name}${success ? "" : " (failed)"}`);
  const members = Object.entries(transactionContext ?? {});
  return [
    ...earlier,
    userMessage && `Customer: ${maskLine(userMessage)}`,
    tools.length > 0 && `Tools: ${tools.join(", ")}`,
    members.length > 0 && `Transaction: ${members.map((pair) => pair.join("=")).join(", ")}`,
    agentResponse && `Agent: ${maskLine(agentResponse)}`,
  ].filter((line) => typeof line === "string" && line !== "") as string[];
}

/** Picks the first case that reads well on a page. */
function toExample(cases: readonly ContextCase[]): string | undefined {
  const texts = cases.map((example) => toLines(example).join("\n")).filter((text) => text !== "");
  return texts.find((text) => text.length <= MAX_EXAMPLE_LENGTH && PLAIN.test(text)) ?? texts[0];
}

function toBlock(title: string, example: string | undefined): string[] {
  return example === undefined ? [] : [`${title}:`, "", `\`\`\`text\n${example}\n\`\`\``, ""];
}

function toLaw({ law }: PackRule): string {
  const note = law.note === undefined ? "" : ` ${law.note}`;
  return `${law.citation} (${law.status}, read on ${law.asOf}).${note}`;
}

/** Writes the patterns of a rule, each with the violations and the ordinary answers in which it found something. */
function toPatterns({ id, patterns }: PackRule, figures: PatternFigures["patterns"]): string {
  const entries = Object.keys(patterns).map((name) => {
    const [right, alarms] = figures[`${id}/${name}`] ?? [0, 0];
    return `${toCode(name)} ${right}:${alarms}`;
  });
  return entries.join(", ");
}

function toSection(rule: PackRule, figures: PatternFigures["patterns"]): string {
  const remarks = [
    rule.threshold !== undefined &&
      `What it finds with a confidence below ${rule.threshold} is a candidate.`,
    rule.alwaysReview === true &&
      "Every warning and violation of this rule goes to review, whatever the `risk_threshold`.",
    rule.confidential === true && "Confidential: its findings are kept out of telemetry.",
  ].filter((remark) => typeof remark === "string");
  return [
    `### ${rule.id}`,
    "",
    `**${rule.title}.** ${rule.description} Severity ${toCode(rule.severity)} unless the finding states another.`,
    "",
    ...(rule.notes === undefined ? [] : [rule.notes, ""]),
    `- Law: ${toLaw(rule)}`,
    `- What to do: ${rule.recommendation}`,
    `- Patterns: ${toPatterns(rule, figures)}`,
    `- Version: ${rule.version}`,
    ...remarks.map((remark) => `- ${remark}`),
    "",
    ...toBlock("Found", toExample(rule.cases.violating as ContextCase[])),
    ...toBlock("Not found", toExample(rule.cases.compliant as ContextCase[])),
  ]
    .join("\n")
    .trimEnd();
}

/** Writes the table of all rules. */
function toRulesTable(rules: readonly PackRule[]): string {
  const rows = rules.map(({ id, category, severity, law }) => [
    `[${toCode(id)}](#${id})`,
    toCode(category),
    severity,
    law.citation,
    law.status,
  ]);
  return toTable(["Rule", "Category", "Severity", "Law", "Status"], rows);
}

/** Says what the figures beside the patterns are. */
function toMeasured({ authors, ordinary, violations }: PatternFigures["texts"]): string {
  const all = Object.values(violations).reduce((sum, count) => sum + count, 0);
  return [
    "Beside each pattern stand the violations of its area of law, and behind the colon the ordinary answers, in which it found something:",
    `by its wording alone, without the second look, in ${all} violations and ${ordinary} ordinary answers, long ones, of ${authors} authors who saw no`,
    "rule. `0:0` found nothing there: it stands for the law, or for what other texts have shown. Figures with a second look:",
    "[accuracy.md](accuracy.md).",
  ].join("\n");
}

/** Reads the figures once the build has written them. */
async function readFigures(): Promise<PatternFigures> {
  const { readPatternFigures } = await import("../../src/compliance/packs/pattern-figures.ts");
  return readPatternFigures();
}

/** Writes the generated parts of docs/rules.md. */
export async function toRulesParts(): Promise<Record<string, string>> {
  const pack = await readBuiltInPack();
  const rules = pack.rules.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const { texts, patterns } = await readFigures();
  return {
    "rules-table": toRulesTable(rules),
    "rules-measured": toMeasured(texts),
    rules: rules.map((rule) => toSection(rule, patterns)).join("\n\n"),
  };
}
