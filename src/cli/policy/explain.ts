import { builtInRules } from "../../testing.ts";
import { UsageError } from "../command.ts";
import { parseArguments, toHint } from "../parse-arguments.ts";
import { toPrintable } from "../spool/format.ts";
import { readPolicyArgument } from "./read-argument.ts";

const OPTIONS = { pack: { type: "string" }, json: { type: "boolean" } } as const;

/** What is known of a rule, or of one of its patterns. */
interface Explanation {
  readonly id: string;
  readonly name: string;
  readonly version: string | null;
  readonly pack: string | null;
  readonly category: string;
  readonly severity: string;
  readonly threshold: number;
  readonly description: string;
  readonly law: string;
  readonly recommendation: string;
  readonly patterns: readonly string[];
  /** By pattern and member; `null` where the build has compiled them. */
  readonly phrases: Readonly<Record<string, unknown>> | null;
  readonly cases: unknown;
}

const isOf = (id: string, pattern: string): boolean =>
  !id.includes("/") || id.slice(id.indexOf("/") + 1) === pattern;

function explainOwn(path: string, id: string): Explanation | undefined {
  const { policy, cases } = readPolicyArgument(path);
  const [ruleId = ""] = id.split("/");
  const rule = policy.rules.find(({ facts }) => facts.id === ruleId);
  if (!rule) return undefined;
  const { facts, phrases } = rule;
  const own = cases.get(ruleId);
  const patterns = facts.patterns.filter((name) => isOf(id, name));
  if (patterns.length === 0) return undefined;
  return {
    id: facts.id,
    name: facts.title,
    version: facts.version,
    pack: `${policy.id} ${policy.version}, SHA-256 ${policy.sha256}`,
    category: facts.category,
    severity: facts.severity,
    threshold: facts.threshold ?? 0.6,
    description: facts.description,
    law: `${facts.law.citation} (${facts.law.status}, as of ${facts.law.asOf})`,
    recommendation: facts.recommendation,
    patterns,
    phrases: Object.fromEntries(patterns.map((name) => [name, phrases[name]])),
    cases: own && {
      violating: own.violating.filter(({ pattern }) => patterns.includes(pattern)),
      compliant: own.compliant,
    },
  };
}

function explainBuiltIn(id: string): Explanation | undefined {
  const [ruleId] = id.split("/");
  const rule = builtInRules.find((one) => one.id === ruleId);
  const patterns = rule?.patternIds
    .map((name) => name.slice(rule.id.length + 1))
    .filter((name) => isOf(id, name));
  if (!rule || !patterns || patterns.length === 0) return undefined;
  const { pack, law, version, name, category, severity, threshold, description } = rule;
  return {
    id: rule.id,
    name,
    version: version ?? null,
    pack: pack ? `${pack.id} ${pack.version}, SHA-256 ${pack.sha256}` : null,
    category,
    severity,
    threshold,
    description: description ?? "",
    law: `${law.citation} (${law.status}, as of ${law.asOf})`,
    recommendation: rule.recommendation,
    patterns,
    phrases: null,
    cases: null,
  };
}

function formatPhrases(phrases: Explanation["phrases"]): string[] {
  if (phrases === null)
    return [
      "Phrases and cases: compiled in this package; they stand in its repository, src/compliance/rules.",
    ];
  return Object.entries(phrases).flatMap(([pattern, group]) => [
    "",
    `${pattern}:`,
    ...Object.entries(group as object).flatMap(([member, value]: [string, unknown]) =>
      Array.isArray(value)
        ? [`  ${member}:`, ...value.map((line) => `    ${String(line)}`)]
        : [`  ${member}: ${JSON.stringify(value)}`],
    ),
  ]);
}

function formatCases(cases: unknown): string[] {
  if (typeof cases !== "object" || cases === null) return [];
  return Object.entries(cases).flatMap(([kind, list]: [string, unknown]) => [
    "",
    `${kind}:`,
    ...(list as unknown[]).map((one) => `  ${JSON.stringify(one)}`),
  ]);
}

function format(explanation: Explanation): string {
  const { phrases, cases, patterns, ...facts } = explanation;
  const lines = [
    ...Object.entries(facts).map(([name, value]) => `${name}: ${String(value ?? "none")}`),
    `patterns: ${patterns.join(", ")}`,
    ...formatPhrases(phrases),
    ...formatCases(cases),
  ];
  return `${lines.map((line) => toPrintable(line)).join("\n")}\n`;
}

/** Shows a rule or a pattern. */
export function explainPolicy(args: readonly string[]): number {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0)
    throw new UsageError("policy explain needs the id of one rule or pattern");
  const own = values.pack === undefined ? undefined : explainOwn(values.pack, id);
  const explanation = own ?? explainBuiltIn(id);
  if (!explanation) {
    const known = builtInRules.flatMap((rule) => [rule.id, ...rule.patternIds]);
    throw new UsageError(`no rule or pattern has the id ${id}${toHint(id, known)}`);
  }
  process.stdout.write(values.json ? `${JSON.stringify(explanation)}\n` : format(explanation));
  return 0;
}
