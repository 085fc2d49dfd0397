import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { ComplianceRule, ComplianceSeverity } from "../../events/compliance.ts";
import { type RuleLaw, type RulePack, isDefinedRule } from "../../testing.ts";
import { VERSION } from "../../version.ts";
import { formatTable, joinParts, toPrintable, toPrintableLines } from "../spool/output.ts";
import { isWhole, type CheckSummary } from "./checker.ts";
import type { CheckFinding } from "./finding.ts";
import { countNoun } from "../../util/count-noun.ts";

/** A check that runs. */
interface CheckRun {
  readonly rules: readonly ComplianceRule[];
  readonly findings: AsyncIterable<CheckFinding>;
  /** Complete once the findings have ended, as are the problems. */
  readonly summary: CheckSummary;
  /** Texts of the first problems of reading. */
  readonly problems: readonly string[];
}

/** Writes the elements of a JSON array, one a line. */
async function* toElements<T>(
  values: AsyncIterable<T>,
  convert: (value: T) => unknown = (value) => value,
): AsyncGenerator<string> {
  let separator = "";
  for await (const value of values) {
    yield separator + JSON.stringify(convert(value));
    separator = ",";
  }
}

/**
 * Writes findings and their summary as one JSON object, line by line.
 *
 * @param name - Name of the member with the findings.
 * @param toSummary - Called once the findings have ended.
 */
export async function* writeJson(
  name: string,
  findings: AsyncIterable<object>,
  toSummary: () => object,
): AsyncGenerator<string> {
  yield `{"${name}":[`;
  yield* toElements(findings);
  yield `],"summary":${JSON.stringify(toSummary())}}`;
}

/** Writes a law: its citation, whether it binds, and when it was read. */
export function formatLaw({ citation, status, asOf }: RuleLaw): string {
  return `${citation} (${status}, as of ${asOf})`;
}

/** Writes a pack as findings name it. */
export function formatPack({ id, version, sha256 }: RulePack): string {
  return `${id} ${version}, SHA-256 ${sha256}`;
}

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const FINGERPRINT = "agentMonitorFinding/v1";
const LEVELS = { info: "note", warning: "warning", violation: "error" } as const satisfies Record<
  ComplianceSeverity,
  string
>;

/** Returns a file's URI: relative to the working directory if the file lies below it. */
function toUri(file: string): string {
  const path = relative(process.cwd(), file);
  if (path.startsWith("..") || isAbsolute(path)) return pathToFileURL(file).href;
  return path.split(sep).map(encodeURIComponent).join("/");
}

function toDescriptor(rule: ComplianceRule): object {
  const { id, name, description, category, severity } = rule;
  const law = isDefinedRule(rule) ? rule.law : undefined;
  const legal = law && formatLaw(law);
  const advice = isDefinedRule(rule) ? rule.recommendation : undefined;
  const help = [description, advice, legal && `Law: ${legal}`].filter(Boolean);
  return {
    id,
    name,
    shortDescription: { text: name },
    fullDescription: { text: description || name },
    help: { text: help.join("\n") || name, markdown: help.join("\n\n") || name },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ["compliance", category], ...(law && { law: legal, lawAsOf: law.asOf }) },
  };
}

function toResult(finding: CheckFinding, ruleIndex: number | undefined): object {
  const { severity, excerpt, explanation, conversation, turn, confidential } = finding;
  // A code scanning report has many readers: confidential findings show no text at all.
  const quoted = excerpt !== null && excerpt !== "" && !confidential ? ` "${excerpt}"` : "";
  const place = [conversation ?? "", turn === null ? "" : `turn ${turn}`].filter(Boolean).join("/");
  return {
    ruleId: finding.rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level: LEVELS[severity],
    message: { text: `${explanation}${quoted}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(finding.file) },
          region: { startLine: finding.line },
        },
        ...(place !== "" && { logicalLocations: [{ fullyQualifiedName: place }] }),
      },
    ],
    partialFingerprints: { [FINGERPRINT]: finding.fingerprint },
    properties: {
      category: finding.category,
      pattern: finding.pattern,
      confidence: finding.confidence,
      law: finding.law,
      ruleVersion: finding.ruleVersion,
      pack: finding.pack,
      override: finding.override,
      secondLook: finding.secondLook,
      recommendation: finding.recommendation,
      confidential,
    },
  };
}

/** Writes a check in SARIF 2.1.0, for code scanning and its viewers, line by line. */
export async function* writeSarif(run: CheckRun): AsyncGenerator<string> {
  const { rules, findings, summary, problems } = run;
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const driver = {
    name: "agent-monitor",
    version: VERSION,
    semanticVersion: VERSION,
    rules: rules.map(toDescriptor),
  };
  const head = JSON.stringify({ tool: { driver }, columnKind: "utf16CodeUnits" });
  yield `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[${head.slice(0, -1)},"results":[`;
  yield* toElements(findings, (finding) => toResult(finding, indexes.get(finding.rule)));
  const notifications = problems.map((text) => ({ level: "error", message: { text } }));
  const invocation = {
    executionSuccessful: isWhole(summary),
    ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
  };
  const rest = JSON.stringify({ invocations: [invocation], properties: { summary } });
  yield `],${rest.slice(1)}]}`;
}

type Counts = Readonly<Record<string, Readonly<Record<ComplianceSeverity, number>>>>;

/** Writes the place of a finding. */
export function formatPlace({
  file,
  line,
  conversation,
  turn,
}: Pick<CheckFinding, "file" | "line" | "conversation" | "turn">): string {
  const name = conversation === null ? "" : ` conversation ${conversation}`;
  return `${file}:${line}${name}${turn === null ? "" : ` turn ${turn}`}`;
}

function formatFinding(finding: CheckFinding): string[] {
  const { severity, rule, pattern, confidence, excerpt } = finding;
  const { recommendation, law, groupedUnder, override } = finding;
  const details = joinParts([
    finding.category,
    confidence !== null && `confidence ${confidence}`,
    finding.confidential && "confidential",
  ]);
  return toPrintableLines([
    formatPlace(finding),
    `  ${severity} ${pattern ?? rule} (${details})`,
    excerpt !== null && excerpt !== "" && `  > ${excerpt}`,
    `  ${finding.explanation}`,
    groupedUnder !== null && `  Same passage as: ${groupedUnder}`,
    recommendation !== null && `  Do: ${recommendation}`,
    law !== null && `  Law: ${law}`,
    override !== null && `  Rule changed by: ${formatPack(override)}`,
  ]);
}

function toRows(head: string, counts: Counts): string[][] {
  const rows = Object.entries(counts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { violation, warning, info }]) => [
      toPrintable(name),
      ...[violation, warning, info].map(String),
    ]);
  return [[head, "VIOLATION", "WARNING", "INFO"], ...rows];
}

function formatSummary(summary: CheckSummary): string[] {
  const { conversations, answers, evaluated, bySeverity, candidates, errors, truncated } = summary;
  const failures = Object.entries(summary.ruleErrors);
  return toPrintableLines([
    `${countNoun(conversations, "conversation")}, ${countNoun(answers, "answer")}, ${evaluated} evaluated: ` +
      `${countNoun(bySeverity.violation, "violation")}, ${countNoun(bySeverity.warning, "warning")}, ` +
      `${bySeverity.info} info; ${summary.requiresReview} to review, highest risk score ${summary.maxRiskScore}`,
    candidates > 0 &&
      `${countNoun(candidates, "passage")} found with less confidence than the rules ask for, not counted`,
    errors > 0 && `${countNoun(errors, "problem")} of reading: not everything was evaluated`,
    truncated > 0 && `${countNoun(truncated, "answer")} too long to be read as a whole`,
    failures.length > 0 &&
      `rules that failed: ${failures.map(([id, count]) => `${id} (${count})`).join(", ")}`,
  ]);
}

/** Writes a check for people, line by line. */
export async function* writeText({ findings, summary }: CheckRun): AsyncGenerator<string> {
  for await (const finding of findings) yield* [...formatFinding(finding), ""];
  if (summary.findings > 0) {
    // A table ends its last line: an empty line follows.
    yield formatTable(toRows("CATEGORY", summary.byCategory));
    yield formatTable(toRows("RULE", summary.byRule));
  }
  yield* formatSummary(summary);
}
