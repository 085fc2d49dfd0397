import type { ComplianceResult, ComplianceRule } from "../events/compliance.ts";
import type { Clock } from "../util/clock.ts";
import { isThenable } from "../util/untrusted-values.ts";
import type { BurstLogger } from "../util/logger.ts";
import { isBuiltInRule } from "./built-in-rules.ts";
import type { ContextView } from "./context-view.ts";
import type { RuleRun } from "./evaluation.ts";
import type { SecondLook } from "./learned/second-look.ts";
import type { HeardResult } from "./learned/wording-features.ts";
import { describeError, readRuleAnswer } from "./rule-answer.ts";
import { MAX_RULE_MILLIS, SKIP_MILLIS, type RuleCircuit } from "./rule-circuit.ts";
import type { Exchange } from "../phrases/exchange.ts";
import type { Work } from "../phrases/work.ts";

/** Longest time that the rules of the caller's own may take together for one exchange, in milliseconds. */
const MAX_OWN_RULES_MILLIS = 100;

/** A rule of an engine. */
export interface RuleEntry {
  readonly rule: ComplianceRule;
  readonly isBuiltIn: boolean;
  /** Whether the answer goes to review when it fails. */
  readonly isMandatory: boolean;
  /** Whether the time that it takes is no reason to skip it. */
  readonly isBounded: boolean;
  readonly circuit: RuleCircuit;
}

/** The promise of a rule. */
export interface LateAnswer {
  readonly rule: ComplianceRule;
  readonly result: PromiseLike<unknown>;
}

/** What a round works with. */
export interface RoundTools {
  readonly clock: Clock;
  readonly log: BurstLogger;
}

/** Lets rules judge one interaction. */
export class RuleRound {
  readonly view: ContextView;
  readonly exchange: Exchange;
  readonly run: RuleRun = {
    answers: [],
    ruleErrors: [],
    ruleOverruns: [],
    rulesSkipped: [],
    rulesNotEvaluated: [],
    rulesPending: [],
    reviewRules: [],
    mandatoryMissing: false,
  };
  readonly late: LateAnswer[] = [];
  /** Counts the steps of the rules. */
  readonly #work: Work;
  readonly #secondLook: SecondLook | null;
  readonly #tools: RoundTools;
  /** Of the rules that are looked at again, in their order. */
  readonly #heard: HeardResult[] = [];
  /** What the rules of the caller's own, whose steps can't all be counted, have taken. */
  #ownMillis = 0;

  constructor(
    view: ContextView,
    exchange: Exchange,
    secondLook: SecondLook | null,
    tools: RoundTools,
  ) {
    this.view = view;
    this.exchange = exchange;
    this.#work = exchange.work;
    this.#secondLook = secondLook;
    this.#tools = tools;
  }

  /** Hears the built-in rules, looks at what they found again, and hears the others. */
  hear(entries: readonly RuleEntry[]): void {
    for (const entry of entries) if (entry.isBuiltIn) this.#run(entry);
    for (const { rule, result } of this.#lookAgain()) this.#take(rule, result);
    for (const entry of entries) if (!entry.isBuiltIn) this.#run(entry);
  }

  #run(entry: RuleEntry): void {
    const { run, late } = this;
    const { rule, isMandatory, circuit } = entry;
    const startedAt = this.#tools.clock.monotonic();
    if (this.#work.isExhausted || (!isMandatory && this.#ownMillis > MAX_OWN_RULES_MILLIS)) {
      this.#stop(rule);
      return;
    }
    this.#work.begin();
    if (circuit.isOpen(startedAt)) {
      run.rulesSkipped.push(rule.id);
      run.mandatoryMissing ||= isMandatory;
      return;
    }
    try {
      const result = this.#ask(rule);
      if (isThenable(result)) {
        run.rulesPending.push(rule.id);
        late.push({ rule, result });
      } else if (this.#work.isOver) this.#stop(rule);
      else if (isBuiltInRule(rule)) this.#heard.push({ rule, result: result as ComplianceResult });
      else this.#take(rule, result);
    } catch (error) {
      if (this.#work.isOver) this.#stop(rule);
      else this.#fail(entry, error);
    }
    if (!isMandatory) this.#ownMillis += this.#tools.clock.monotonic() - startedAt;
    this.#record(entry, startedAt);
  }

  /** Lets a rule judge: a built-in one gets the exchange, others ask for it. */
  #ask(rule: ComplianceRule): unknown {
    const { context } = this.view;
    return isBuiltInRule(rule)
      ? rule.ruleFunction(context, this.exchange)
      : rule.ruleFunction(context);
  }

  /** Returns what the built-in rules found, as it is after the second look. */
  #lookAgain(): readonly HeardResult[] {
    try {
      return this.#secondLook?.revise(this.#heard, this.exchange) ?? this.#heard;
    } catch (error) {
      // What wording found stands as it is: more is reviewed, and nothing lost.
      this.#tools.log.log(
        "error",
        "compliance_second_look",
        `the second look at what the rules found failed: ${describeError(error)}`,
      );
      return this.#heard;
    }
  }

  #take(rule: ComplianceRule, result: unknown): void {
    const answer = readRuleAnswer(rule, result, this.view, this.#tools.clock.now());
    this.run.answers.push(answer);
    if (answer.requiresReview) this.run.reviewRules.push(rule.id);
  }

  /** Records that a rule was not evaluated to its end. */
  #stop(rule: ComplianceRule): void {
    this.run.rulesNotEvaluated.push(rule.id);
    this.#tools.log.log(
      "warn",
      "compliance_not_evaluated",
      `compliance rule "${rule.id}" was not evaluated: its answer goes to review, since reading it took too much`,
    );
  }

  #fail({ rule, isMandatory }: RuleEntry, error: unknown): void {
    const { run } = this;
    run.ruleErrors.push(rule.id);
    run.mandatoryMissing ||= isMandatory;
    this.#tools.log.log(
      "error",
      `compliance_rule_error:${rule.id}`,
      `compliance rule "${rule.id}" failed: ${describeError(error)}`,
    );
  }

  #record({ rule, isBounded, circuit }: RuleEntry, startedAt: number): void {
    const now = this.#tools.clock.monotonic();
    if (now - startedAt > MAX_RULE_MILLIS) this.run.ruleOverruns.push(rule.id);
    // A built-in rule is bounded by itself: a busy machine must not cost its findings.
    if (isBounded || !circuit.record(now - startedAt, now)) return;
    this.#tools.log.log(
      "warn",
      `compliance_rule_slow:${rule.id}`,
      `compliance rule "${rule.id}" took more than ${MAX_RULE_MILLIS} ms repeatedly: skipped for ${SKIP_MILLIS / 1000} s`,
    );
  }
}
