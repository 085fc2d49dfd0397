import type { ComplianceSettings } from "../../events/agent.ts";
import type {
  ComplianceFlag,
  ComplianceRule,
  InteractionContext,
} from "../../events/compliance.ts";
import type { PolicyPack } from "../../packs.ts";
import { builtInRules, ComplianceEngine, type ComplianceEvaluation } from "../../testing.ts";
import { systemClock, type Clock } from "../../util/clock.ts";
import type { BurstLogger, LogLevel } from "../../util/logger.ts";
import { UsageError } from "../parse-arguments.ts";
import { warn } from "../run-command.ts";
import { SEVERITIES, toCheckFinding, type CheckFinding, type Place } from "./finding.ts";
import type { SharedContext } from "./read-record.ts";

const noFindings = () => ({ info: 0, warning: 0, violation: 0 });
type FindingCounts = Record<string, ReturnType<typeof noFindings>>;

/** Creates an empty summary. */
function createSummary() {
  return {
    conversations: 0,
    /** Answers and other exchanges that were read. */
    answers: 0,
    /** Those of them that a rule assessed; the others had nothing to assess. */
    evaluated: 0,
    findings: 0,
    bySeverity: noFindings(),
    byCategory: {} as FindingCounts,
    byRule: {} as FindingCounts,
    requiresReview: 0,
    /** Passages found with less confidence than their rules require; they are no findings. */
    candidates: 0,
    maxRiskScore: 0,
    /** Answers of which only a part was read, because they are too long. */
    truncated: 0,
    /** Lines, or parts of them, that could not be read. */
    errors: 0,
    /** Failures of rules, by rule. */
    ruleErrors: {} as Record<string, number>,
  };
}

/** Counts of a check. */
export type CheckSummary = ReturnType<typeof createSummary>;

/** Counts a finding. */
export function countFinding(
  summary: CheckSummary,
  finding: Pick<CheckFinding, "severity" | "rule"> & { readonly category: string },
): void {
  const { severity, category, rule } = finding;
  summary.findings++;
  summary.bySeverity[severity]++;
  (summary.byCategory[category] ??= noFindings())[severity]++;
  (summary.byRule[rule] ??= noFindings())[severity]++;
}

/** Values of `--fail-on`. */
export const FAIL_ON = [...SEVERITIES.toReversed(), "never"] as const;

/** Conditions under which a check fails. */
export interface FailureLimits {
  readonly failOn: (typeof FAIL_ON)[number];
  /** An answer with this risk score fails as well. */
  readonly riskThreshold?: number | undefined;
}

/** `incomplete`: something could not be read or evaluated, so that the absence of findings proves little. */
export const EXIT_CODES = { passed: 0, failed: 1, incomplete: 2 } as const;

/** Returns whether everything could be read, and no rule failed. */
export function isWhole({ errors, ruleErrors }: CheckSummary): boolean {
  return errors === 0 && Object.keys(ruleErrors).length === 0;
}

/** Returns the exit code of a check. */
export function toExitCode(
  summary: CheckSummary,
  { failOn, riskThreshold }: FailureLimits,
): number {
  const { bySeverity, maxRiskScore, findings } = summary;
  if (!isWhole(summary)) return EXIT_CODES.incomplete;
  const failing = failOn === "never" ? [] : SEVERITIES.slice(SEVERITIES.indexOf(failOn));
  const isRisky = riskThreshold !== undefined && findings > 0 && maxRiskScore >= riskThreshold;
  const hasFailed = isRisky || failing.some((severity) => bySeverity[severity] > 0);
  return hasFailed ? EXIT_CODES.failed : EXIT_CODES.passed;
}

/** Options of a checker. */
interface CheckerOptions {
  /** Rules beside the built-in ones. */
  readonly rules?: readonly ComplianceRule[];
  /** Packs, which may change the built-in rules as well. */
  readonly packs: readonly PolicyPack[];
  /** For every agent; absent: those of the line, else every rule. */
  readonly settings?: Partial<ComplianceSettings> | undefined;
  readonly riskThreshold?: number | undefined;
}

/** An exchange with its evaluation by the rules. */
export interface Evaluated {
  readonly interaction: InteractionContext;
  /** With the results of asynchronous rules, with candidates, and with the turns before it. */
  readonly evaluation: ComplianceEvaluation;
}

/** Settings with every check on. */
export const ALL_ON: ComplianceSettings = {
  sr11_7_enabled: true,
  fair_lending_monitoring: true,
  bsa_aml_checks: true,
};

/** Time between two exchanges that have no timestamp, in ms. */
const TURN_MILLIS = 1000;

/** How the engine codes the line about an asynchronous rule without a result; the rule's id follows. */
const LATE_CODE = "compliance_rule_late:";

/** Evaluates exchanges and counts the findings. */
export class Checker {
  readonly summary: CheckSummary = createSummary();
  readonly #engine: ComplianceEngine;
  readonly #options: CheckerOptions;
  readonly #reported = new Set<string>();
  #now = Date.now();

  /** @throws ValidationError when a rule is malformed. */
  constructor(options: CheckerOptions) {
    this.#options = options;
    const clock: Clock = {
      // Sessions expire by the time of the conversation, not by that of the check.
      now: () => this.#now,
      // The clock stands still while a rule runs: one that is slow on a busy machine must not be skipped.
      monotonic: () => this.#now,
      schedule: (callback, delay) => systemClock.schedule(callback, delay, true),
    };
    const log: BurstLogger = {
      log: (level, code, message) => this.#hear(level, code, message),
      flush: () => undefined,
    };
    this.#engine = new ComplianceEngine({ clock, log, rules: builtInRules });
    for (const pack of options.packs) this.#engine.addRulePack(pack);
    for (const rule of options.rules ?? []) this.#engine.addRule(rule);
  }

  get rules(): readonly ComplianceRule[] {
    return this.#engine.rules;
  }

  /** Evaluates an exchange, and returns its findings with their places. */
  async check(
    context: Partial<InteractionContext>,
    session: string,
    place: Place,
  ): Promise<CheckFinding[]> {
    const { evaluation } = await this.evaluate(context, session);
    return this.report(evaluation.violations, place);
  }

  /** Adds the place to findings, and counts them. */
  report(flags: readonly ComplianceFlag[], place: Place): CheckFinding[] {
    return flags.map((flag) => {
      const rule = this.#engine.rules.find(({ id }) => id === flag.rule);
      const finding = toCheckFinding(flag, rule, place);
      countFinding(this.summary, finding);
      return finding;
    });
  }

  /**
   * Evaluates an exchange, and counts it; findings are counted when they are reported.
   *
   * @param session - Common to the exchanges of one conversation, so that rules see the earlier turns.
   */
  async evaluate(context: Partial<InteractionContext>, session: string): Promise<Evaluated> {
    const { timestamp } = context;
    this.#now = Number.isFinite(timestamp) ? Number(timestamp) : this.#now + TURN_MILLIS;
    const interaction: InteractionContext = {
      agentId: "agent",
      agentCategory: "tool_calling",
      ...context,
      timestamp: this.#now,
      sessionId: session,
    };
    const settings = this.#settingsFor(context);
    const wanted = { isGiven: true, candidates: true, turns: true };
    const result = this.#engine.evaluate(interaction, settings, wanted);
    const { summary } = this;
    summary.answers++;
    if (result.metadata.evaluated) summary.evaluated++;
    if (result.metadata.truncated) summary.truncated++;
    summary.candidates += result.metadata.candidates ?? 0;
    const { riskScore, requiresReview } = (await result.lateVerdict) ?? result;
    if (requiresReview) summary.requiresReview++;
    summary.maxRiskScore = Math.max(summary.maxRiskScore, riskScore);
    for (const id of result.metadata.ruleErrors ?? []) this.#countFailure(id);
    const violations = [...result.violations, ...((await result.late) ?? [])];
    return { interaction, evaluation: { ...result, violations, riskScore, requiresReview } };
  }

  #countFailure(ruleId: string): void {
    const { ruleErrors } = this.summary;
    ruleErrors[ruleId] = (ruleErrors[ruleId] ?? 0) + 1;
  }

  /** Reports warnings of the engine, each once; they contain no content. */
  #hear(level: LogLevel, code: string, message: string): void {
    if (code.startsWith(LATE_CODE)) this.#countFailure(code.slice(LATE_CODE.length));
    if ((level !== "warn" && level !== "error") || this.#reported.has(code)) return;
    this.#reported.add(code);
    warn(message);
  }

  #settingsFor(context: SharedContext): ComplianceSettings | undefined {
    const { settings, riskThreshold } = this.#options;
    const given = settings ?? context.complianceSettings;
    if (!given && riskThreshold === undefined) return undefined;
    const threshold = riskThreshold !== undefined && { risk_threshold: riskThreshold };
    return { ...ALL_ON, ...given, ...threshold };
  }
}

/**
 * Creates a checker.
 *
 * @param name - Name of the rules and packs, for messages.
 * @throws UsageError for rules that are malformed, and packs that conflict.
 */
export function createChecker(name: string, options: CheckerOptions): Checker {
  try {
    return new Checker(options);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}
