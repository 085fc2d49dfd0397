import { inspect } from "node:util";
import type {
  ComplianceFlag,
  ComplianceRule,
  ComplianceSeverity,
  InteractionContext,
} from "../events/compliance.ts";
import { isDefinedRule } from "./is-defined-rule.ts";
import { stressExchanges, type StressExchange } from "./stress-texts.ts";
import { tryRule, type Trial } from "./rule-trial.ts";

/** An interaction of which a case says what matters. */
export interface ContextCase extends Partial<InteractionContext> {
  /** Earlier turns of the session, the oldest first; what the rule finds in them does not count. */
  readonly history?: readonly Partial<InteractionContext>[];
}

/** An interaction in which a rule must find something. */
export interface ViolatingCase extends ContextCase {
  /** Name of the pattern, without the rule's id; only a rule that names no patterns may go without. */
  readonly pattern?: string;
  /** What the finding's spans cover in the original text; without spans, its excerpt. */
  readonly detects?: string;
  /** Severity of the finding. @defaultValue the rule's severity */
  readonly severity?: ComplianceSeverity;
}

/** Cases of one rule. */
export interface RuleCases {
  /** In each of these the rule must find something. */
  readonly violating: readonly ViolatingCase[];
  /** Near misses, in which the rule must find nothing. */
  readonly compliant: readonly ContextCase[];
}

/** One case, or one demand on the cases, that failed. */
export interface RuleFailure {
  /** `violating[2]`, with the beginning of its text. */
  readonly where: string;
  /** What the rule should have done. */
  readonly expected: string;
  /** What it did. */
  readonly got: string;
}

/** What was verified. */
export interface RuleReport {
  /** Id of the rule. */
  readonly ruleId: string;
  /** Number of cases in which it found what it must. */
  readonly violating: number;
  /** Number of near misses in which it found nothing. */
  readonly compliant: number;
  /** Names of the patterns that a case shows. */
  readonly patterns: readonly string[];
  /** Number of exchanges of odd texts that the rule survived. */
  readonly oddTexts: number;
}

/** Thrown when a rule does not do what its cases say; lists every failure. */
export class RuleVerificationError extends Error {
  /** Always `RuleVerificationError`, also across copies of the package. */
  override readonly name = "RuleVerificationError" as const;
  /** Id of the rule. */
  readonly ruleId: string;
  /** What failed. */
  readonly failures: readonly RuleFailure[];

  constructor(ruleId: string, failures: readonly RuleFailure[]) {
    const lines = failures.map(
      ({ where, expected, got }) => `  ${where}: expected ${expected}, got ${got}`,
    );
    const count = `${failures.length} ${failures.length === 1 ? "failure" : "failures"}`;
    super(`rule "${ruleId}": ${count}\n${lines.join("\n")}`);
    this.ruleId = ruleId;
    this.failures = failures;
  }
}

const MAX_TITLE_LENGTH = 100;

function titleOf(list: string, index: number, { userMessage, agentResponse }: ContextCase): string {
  const texts = [userMessage && `user: ${userMessage}`, agentResponse && `agent: ${agentResponse}`];
  const title = texts.filter(Boolean).join(" | ").slice(0, MAX_TITLE_LENGTH);
  return `${list}[${index}]${title === "" ? "" : ` (${title})`}`;
}

function patternOf(rule: ComplianceRule, { context }: ComplianceFlag): string | undefined {
  const prefix = `${rule.id}/`;
  const pattern = context?.detectedPattern;
  return pattern?.startsWith(prefix) ? pattern.slice(prefix.length) : pattern;
}

function isSpan(value: unknown): value is { source: string; start: number; end: number } {
  return typeof value === "object" && value !== null && "source" in value && "start" in value;
}

/** What the spans of a finding cover; without spans in a text of the case, its excerpt. */
function coveredBy({ context }: ComplianceFlag, testCase: ContextCase): string | undefined {
  const spans = Array.isArray(context?.["spans"]) ? context["spans"].filter(isSpan) : [];
  const texts = spans.flatMap(({ source, start, end }) => {
    const text = (testCase as Readonly<Record<string, unknown>>)[source];
    return typeof text === "string" ? [text.slice(start, end)] : [];
  });
  if (texts.length === 0) return context?.detectedContent;
  return texts.includes("") ? "an empty span" : texts.join(" \u2026 ");
}

function describe(rule: ComplianceRule, testCase: ContextCase, trial: Trial): string {
  if (trial.error !== undefined) return trial.error;
  const found = trial.violations.map((flag) => {
    const covered = coveredBy(flag, testCase)?.slice(0, MAX_TITLE_LENGTH);
    const place = covered === undefined ? "" : ` at "${covered}"`;
    return `${patternOf(rule, flag) ?? "a finding"} (${flag.severity})${place}`;
  });
  return found.join(", ") || "nothing";
}

function runCase(rule: ComplianceRule, testCase: ContextCase): Trial {
  const { history = [], ...context } = testCase;
  const {
    pattern: _pattern,
    detects: _detects,
    severity: _severity,
    ...last
  } = context as ViolatingCase;
  return tryRule(rule, [...history, last]);
}

function checkViolating(rule: ComplianceRule, testCase: ViolatingCase, where: string) {
  const { pattern, detects, severity = rule.severity } = testCase;
  const trial = runCase(rule, testCase);
  const isExpected = (flag: ComplianceFlag): boolean => {
    const covered = coveredBy(flag, testCase);
    return (
      (pattern === undefined || patternOf(rule, flag) === pattern) &&
      flag.severity === severity &&
      covered !== "an empty span" &&
      (detects === undefined || covered === detects)
    );
  };
  if (trial.error !== undefined || !trial.violations.some(isExpected)) {
    const place = detects === undefined ? "" : ` at "${detects}"`;
    const expected = `${pattern ?? "a finding"} (${severity})${place}`;
    return [{ where, expected, got: describe(rule, testCase, trial) }];
  }
  const again = runCase(rule, testCase);
  if (inspect(again, { depth: null }) === inspect(trial, { depth: null })) return [];
  const expected = "the same findings when asked again";
  return [{ where, expected, got: describe(rule, testCase, again) }];
}

function checkCompliant(rule: ComplianceRule, testCase: ContextCase, where: string): RuleFailure[] {
  const trial = runCase(rule, testCase);
  if (trial.error === undefined && trial.violations.length === 0) return [];
  return [{ where, expected: "nothing", got: describe(rule, testCase, trial) }];
}

function checkOddExchange(
  rule: ComplianceRule,
  exchange: StressExchange,
  index: number,
): RuleFailure[] {
  const { error } = tryRule(rule, [exchange]);
  if (error === undefined) return [];
  const [user, agent] = [exchange.userMessage, exchange.agentResponse].map(
    (text) => `"${text.slice(0, 20).toWellFormed()}" (${text.length} characters)`,
  );
  const where = `odd texts ${index}: user ${user}, agent ${agent}`;
  return [{ where, expected: "any answer", got: error }];
}

function checkCases(rule: ComplianceRule, { violating, compliant }: RuleCases): RuleFailure[] {
  const failures: RuleFailure[] = [];
  const shown = violating.map(({ pattern }) => pattern);
  const named = isDefinedRule(rule) ? rule.patternIds : [];
  const missing = named.filter((id) => !shown.some((pattern) => id === `${rule.id}/${pattern}`));
  if (missing.length > 0) {
    const got = `none for ${missing.join(", ")}`;
    failures.push({ where: "violating", expected: "a case for every pattern", got });
  }
  if (named.length > 0 && shown.includes(undefined))
    failures.push({ where: "violating", expected: "a pattern in every case", got: "none in one" });
  if (violating.length === 0)
    failures.push({ where: "violating", expected: "at least one case", got: "none" });
  if (compliant.length === 0)
    failures.push({ where: "compliant", expected: "at least one near miss", got: "none" });
  const places = new Map<string, string>();
  for (const [list, cases] of Object.entries({ violating, compliant })) {
    for (const [index, testCase] of cases.entries()) {
      const key = inspect(testCase, { depth: null, sorted: true, maxStringLength: null });
      const first = places.get(key);
      const where = titleOf(list, index, testCase);
      if (first === undefined) places.set(key, `${list}[${index}]`);
      else failures.push({ where, expected: "each case once", got: `the same as ${first}` });
    }
  }
  return failures;
}

/**
 * Verifies that a rule finds what its cases say, nothing in the near misses, and survives odd texts.
 *
 * The rule runs alone in an engine on frozen copies of the cases, so that sessions with a `history` work. Every
 * pattern of a rule made by `defineRule` needs a violating case. It needs no test runner: it throws, or it is fine.
 *
 * @throws {@link RuleVerificationError} that lists every failure.
 * @throws {@link ValidationError} when the rule is malformed.
 */
export function verifyRule(rule: ComplianceRule, cases: RuleCases): RuleReport {
  const { violating, compliant } = cases;
  const samples = violating.flatMap(({ agentResponse, userMessage }) =>
    [agentResponse, userMessage].filter((text) => text !== undefined),
  );
  const odd = stressExchanges(samples);
  const failures = [
    ...checkCases(rule, cases),
    ...violating.flatMap((testCase, index) =>
      checkViolating(rule, testCase, titleOf("violating", index, testCase)),
    ),
    ...compliant.flatMap((testCase, index) =>
      checkCompliant(rule, testCase, titleOf("compliant", index, testCase)),
    ),
    ...odd.flatMap((exchange, index) => checkOddExchange(rule, exchange, index)),
  ];
  if (failures.length > 0) throw new RuleVerificationError(rule.id, failures);
  const shown = violating.map(({ pattern }) => pattern).filter((pattern) => pattern !== undefined);
  return {
    ruleId: rule.id,
    violating: violating.length,
    compliant: compliant.length,
    patterns: [...new Set(shown)],
    oddTexts: odd.length,
  };
}
