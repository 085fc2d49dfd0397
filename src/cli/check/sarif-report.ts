import { isAbsolute, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { ComplianceRule, ComplianceSeverity } from "../../events/compliance.ts";
import { isDefinedRule } from "../../testing.ts";
import { VERSION } from "../../version.ts";
import { formatLaw } from "../format-rule.ts";
import type { CheckFinding } from "./finding.ts";
import { createSeparator, type Report } from "./report.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const FINGERPRINT = "agentMonitorFinding/v1";
const LEVELS = { info: "note", warning: "warning", violation: "error" } as const satisfies Record<
  ComplianceSeverity,
  string
>;

/** Gives a file's address: relative to the working directory where it lies below. */
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

function toResult(finding: CheckFinding, ruleIndex: number): object {
  const { severity, excerpt, explanation, conversation, turn, confidential } = finding;
  // A report of code scanning is read by many: what must stay confidential shows no text at all.
  const quoted = excerpt !== null && excerpt !== "" && !confidential ? ` "${excerpt}"` : "";
  const place = [conversation ?? "", turn === null ? "" : `turn ${turn}`].filter(Boolean).join("/");
  return {
    ruleId: finding.rule,
    ...(ruleIndex >= 0 && { ruleIndex }),
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

/** Makes a report in SARIF 2.1.0, for code scanning and its viewers. */
export function createSarifReport(): Report {
  const separate = createSeparator();
  let indexes = new Map<string, number>();
  return {
    begin(rules) {
      indexes = new Map(rules.map(({ id }, index) => [id, index]));
      const driver = {
        name: "agent-monitor",
        version: VERSION,
        semanticVersion: VERSION,
        rules: rules.map(toDescriptor),
      };
      const run = JSON.stringify({ tool: { driver }, columnKind: "utf16CodeUnits" });
      return [`{"$schema":"${SCHEMA}","version":"2.1.0","runs":[${run.slice(0, -1)},"results":[`];
    },
    finding: (finding) => [
      separate() + JSON.stringify(toResult(finding, indexes.get(finding.rule) ?? -1)),
    ],
    end(summary, problems) {
      const isWhole = summary.errors === 0 && Object.keys(summary.ruleErrors).length === 0;
      const notifications = problems.map((text) => ({ level: "error", message: { text } }));
      const invocation = {
        executionSuccessful: isWhole,
        ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
      };
      return [
        `],${JSON.stringify({ invocations: [invocation], properties: { summary } }).slice(1)}]}`,
      ];
    },
  };
}
