import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DefinedRule } from "../../src/compliance/define-rule.ts";
import { builtInRules } from "../../src/compliance/rules/index.ts";
import { toExcerpt } from "../../src/compliance/text/mask.ts";
import { normalise } from "../../src/compliance/text/normalise.ts";
import type { ContextCase, RuleCases } from "../../src/compliance/verify-rule.ts";
import { toCode, toTable } from "./markdown.ts";

const CASES = join(import.meta.dirname, "../../test/compliance/rules");
const MAX_EXAMPLE_LENGTH = 240;

const PLAIN = /^[\x20-\x7e\n]*$/;

async function loadCases(id: string): Promise<RuleCases | undefined> {
  const path = join(CASES, `${id}.cases.ts`);
  // The conformance test says that it is missing.
  if (!existsSync(path)) return undefined;
  return ((await import(path)) as { cases: RuleCases }).cases;
}

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

function toLaw({ law }: DefinedRule): string {
  const note = law.note === undefined ? "" : ` ${law.note}`;
  return `${law.citation} (${law.status}, read on ${law.asOf}).${note}`;
}

function toSection(rule: DefinedRule, cases: RuleCases | undefined): string {
  const patterns = rule.patternIds.map((id) => toCode(id.slice(rule.id.length + 1)));
  const remarks = [
    rule.alwaysReview && "Every warning and violation of this rule goes to review.",
    rule.confidential && "Confidential: its findings are kept out of telemetry.",
  ].filter((remark) => typeof remark === "string");
  return [
    `### ${rule.id}`,
    "",
    `**${rule.name}.** ${rule.description} Severity ${toCode(rule.severity)} unless the finding states another.`,
    "",
    `- Law: ${toLaw(rule)}`,
    `- What to do: ${rule.recommendation}`,
    `- Patterns: ${patterns.join(", ")}`,
    ...remarks.map((remark) => `- ${remark}`),
    "",
    ...toBlock("Found", toExample(cases?.violating ?? [])),
    ...toBlock("Not found", toExample(cases?.compliant ?? [])),
  ]
    .join("\n")
    .trimEnd();
}

const byCategory = (): DefinedRule[] =>
  builtInRules.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** Writes the table of all rules. */
function toRulesTable(): string {
  const rows = byCategory().map(({ id, category, severity, law }) => [
    `[${toCode(id)}](#${id})`,
    toCode(category),
    severity,
    law.citation,
    law.status,
  ]);
  return toTable(["Rule", "Category", "Severity", "Law", "Status"], rows);
}

/** Writes the generated parts of docs/rules.md. */
export async function toRulesParts(): Promise<Record<string, string>> {
  const sections: string[] = [];
  for (const rule of byCategory()) sections.push(toSection(rule, await loadCases(rule.id)));
  return { "rules-table": toRulesTable(), rules: sections.join("\n\n") };
}
