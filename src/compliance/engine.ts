import type { ComplianceSettings } from "../events/agent.ts";
import type {
  ComplianceCategory,
  ComplianceRule,
  InteractionContext,
} from "../events/compliance.ts";
import type { Clock } from "../util/clock.ts";
import { readMember } from "../util/untrusted-values.ts";
import type { BurstLogger } from "../util/logger.ts";
import { judgeDraft, type AsyncOptions, type DraftJudge } from "./draft-judge.ts";
import { viewContext, type ContextView } from "./context-view.ts";
import { addWanted, toEvaluation, type ComplianceEvaluation } from "./evaluation.ts";
import { addPack } from "./add-pack.ts";
import type { PolicyPack } from "./policy-pack.ts";
import { isDefinedRule } from "./is-defined-rule.ts";
import { builtInSecondLook, isBuiltInSecondLookReady } from "./learned/built-in-second-look.ts";
import type { SecondLook } from "./learned/second-look.ts";
import { isOptions, type EvaluatedContext, type EvaluateOptions } from "./evaluate-options.ts";
import { addLate } from "./async-results.ts";
import { describeError } from "./rule-answer.ts";
import { RuleCircuit } from "./rule-circuit.ts";
import { Preparation } from "./preparation.ts";
import { checkPhrases, copyRule } from "./rule-copy.ts";
import { RuleRound, type RoundTools, type RuleEntry } from "./rule-round.ts";
import { RulePhrases } from "./rule-phrases.ts";
import { RuleSelector } from "./rule-selector.ts";
import { builtInRules, isBuiltInRule } from "./built-in-rules.ts";
import { SessionMemory } from "./session-memory.ts";
import { createExchange, forgetExchange, shareExchange } from "../phrases/exchange.ts";

/** What a ComplianceEngine works with. */
export interface ComplianceEngineOptions {
  /** Time, for the duration of rules. */
  readonly clock: Clock;
  /** Called with rules that fail or are slow; never with content. */
  readonly log: BurstLogger;
  /** Returns the settings of an agent that are used when `evaluate` gets none. */
  readonly settingsOf?: (agentId: string) => ComplianceSettings | undefined;
  /**
   * Rules that must not fail: one that does sends the answer to review. Default: the built-in rules.
   */
  readonly rules?: readonly ComplianceRule[];
  /**
   * Looks again at what the built-in rules find; `null` for none. Default: with what was learned of labelled texts.
   *
   * @internal
   */
  readonly secondLook?: SecondLook | null;
  /**
   * Reads what the rules leave open, for `evaluateAsync`. Default: nobody.
   *
   * @internal
   */
  readonly draftJudge?: DraftJudge | undefined;
}

const WANTED_FOR_JUDGE: EvaluateOptions = { candidates: true, turns: true };

/**
 * Checks interactions against rules of banking law, at once and on the caller's thread.
 *
 * A screening aid: rules find explicit wording, and what they don't find is no proof of compliance.
 */
export class ComplianceEngine {
  readonly #tools: RoundTools;
  readonly #settingsOf: (agentId: string) => ComplianceSettings | undefined;
  readonly #selector: RuleSelector;
  readonly #entries = new Map<string, RuleEntry>();
  readonly #memory: SessionMemory;
  readonly #preparation: Preparation;
  readonly #phrases: RulePhrases;
  readonly #getSecondLook: () => SecondLook | null;
  readonly #draftJudge: DraftJudge | undefined;

  constructor(options: ComplianceEngineOptions) {
    const { clock, log, settingsOf = () => undefined, rules = builtInRules, secondLook } = options;
    this.#getSecondLook = secondLook === undefined ? builtInSecondLook : () => secondLook;
    const isLookReady = secondLook === undefined ? isBuiltInSecondLookReady : () => true;
    this.#tools = { clock, log };
    this.#draftJudge = options.draftJudge;
    this.#settingsOf = settingsOf;
    this.#selector = new RuleSelector(log);
    this.#memory = new SessionMemory(clock);
    for (const rule of rules) this.#add(copyRule(rule), true);
    this.#phrases = new RulePhrases(() => this.rules);
    this.#preparation = new Preparation({
      clock,
      log,
      step: () => this.#prepare(),
      isDone: () => this.#phrases.isDone && isLookReady(),
    });
  }

  /**
   * Reads the wording of the rules, in slices; what needs the rules at once and can wait, waits here.
   *
   * @internal
   */
  get preparation(): Preparation {
    return this.#preparation;
  }

  /**
   * What an evaluation has to give for an answer to be judged; `undefined` without a judge.
   *
   * @internal
   */
  get wantedForJudge(): EvaluateOptions | undefined {
    return this.#draftJudge && WANTED_FOR_JUDGE;
  }

  /** Returns the rules in the order of their evaluation. */
  get rules(): readonly ComplianceRule[] {
    return Array.from(this.#entries.values(), ({ rule }) => rule);
  }

  /**
   * Adds a copy of a rule; one with the same id is replaced, with a warning.
   *
   * @throws {@link ValidationError} that lists every problem of the rule.
   */
  addRule(rule: ComplianceRule): void {
    const copy = copyRule(rule);
    checkPhrases(copy);
    const replaced = this.#entries.get(copy.id);
    if (replaced)
      this.#tools.log.log(
        "warn",
        `compliance_rule_replaced:${copy.id}`,
        `compliance rule "${copy.id}" is replaced`,
      );
    this.#add(copy, replaced?.isMandatory ?? false);
    this.#phrases.refresh();
    this.#preparation.resume();
  }

  /**
   * Adds the rules of a bank's own pack, and changes the built-in ones as it says.
   *
   * Its rules hold nothing but data: like the built-in ones they must not fail.
   *
   * @param pack - What `readRulePack` of `agent-monitor/packs` gives.
   * @throws {@link ValidationError} that lists every problem; the rules are then what they were.
   */
  addRulePack(pack: PolicyPack): void {
    const rules = addPack(this.rules, pack);
    for (const rule of rules)
      if (this.#entries.get(rule.id)?.rule !== rule) this.#add(copyRule(rule), true);
    this.#phrases.refresh();
    this.#preparation.resume();
  }

  /** Removes a rule and returns whether it was there. */
  removeRule(id: string): boolean {
    return this.#entries.delete(id);
  }

  /**
   * Evaluates an interaction, and remembers it for what follows in the session.
   *
   * Never throws and never changes the context. Before the rules are ready, which takes a process some milliseconds, the rest
   * is prepared at once: await `AgentMonitor.ready()` first. A rule that fails costs its own findings only, and a rule that is
   * slow time and again is skipped for a minute.
   *
   * @param settings - Default: `complianceSettings` of the context, else those of the agent; without any, every
   *   active rule applies.
   */
  evaluate(
    context: EvaluatedContext,
    settings?: ComplianceSettings,
    options?: EvaluateOptions,
  ): ComplianceEvaluation;
  /** Evaluates an interaction with the settings of the context or of the agent. */
  evaluate(context: EvaluatedContext, options: EvaluateOptions): ComplianceEvaluation;
  evaluate(
    context: EvaluatedContext,
    second?: ComplianceSettings | EvaluateOptions,
    third?: EvaluateOptions,
  ): ComplianceEvaluation {
    const [settings, options] = isOptions(second) ? [undefined, second] : [second, third];
    return this.#evaluate(context, settings, this.#memory, {
      isGiven: readMember(options, "isGiven") === true,
      candidates: readMember(options, "candidates") === true,
      turns: readMember(options, "turns") === true,
    });
  }

  /**
   * Evaluates a draft by the rules at once, and has the bank's own model read it where `judge` is configured: what that finds is among
   * the findings if it comes in time.
   *
   * Never rejects. Without a judge it is what `evaluate` gives. `metadata.secondStage` says whether the model has answered.
   *
   * @param options - `deadline` in ms, 5000 by default; `settings` as for `evaluate`.
   */
  async evaluateAsync(
    context: EvaluatedContext,
    options: AsyncOptions = {},
  ): Promise<ComplianceEvaluation> {
    const settings = readMember(options, "settings") as ComplianceSettings | undefined;
    const evaluation = this.evaluate(context, settings, this.wantedForJudge);
    if (!this.#draftJudge) return evaluation;
    const seen = viewContext(context, this.#tools.clock.now()).context;
    const deadline = readMember(options, "deadline");
    return judgeDraft({ context: seen, evaluation }, this.#draftJudge, this.#tools.clock, deadline);
  }

  /**
   * Evaluates an interaction of another time, with the sessions of that time.
   *
   * @internal
   */
  evaluateApart(
    context: InteractionContext,
    settings: ComplianceSettings,
    memory: SessionMemory,
    options: EvaluateOptions = {},
  ): ComplianceEvaluation {
    return this.#evaluate(context, settings, memory, { ...options, isGiven: true });
  }

  #evaluate(
    context: EvaluatedContext,
    settings: ComplianceSettings | undefined,
    memory: SessionMemory,
    { isGiven = false, ...wanted }: EvaluateOptions,
  ): ComplianceEvaluation {
    const { clock, log } = this.#tools;
    const startedAt = clock.monotonic();
    const view = viewContext(context, clock.now());
    if (view.ignored.length > 0)
      log.log(
        "warn",
        "compliance_context",
        `compliance context: the rules don't see ${view.ignored.join(", ")}, of another type than expected`,
      );
    const selection = this.#selector.select(
      settings ?? view.settings ?? this.#settingsFor(view),
      this.#entries,
    );
    if (view.hasContent && !this.#preparation.isDone) this.#preparation.finish();
    const turns = view.hasContent ? memory.recall(view.context, isGiven) : [];
    const exchange = createExchange(view.context, turns, this.#phrases.added);
    const round = new RuleRound(view, exchange, this.#getSecondLook(), this.#tools);
    const { run, late } = round;
    // A copy, because a rule may add or remove rules.
    const entries = [...this.#entries.values()].filter(({ rule }) => selection.applies(rule));
    if (entries.some(({ isBuiltIn }) => !isBuiltIn)) shareExchange(view.context, exchange);
    try {
      if (view.hasContent) {
        round.hear(entries);
        memory.note(view.context, isGiven);
      }
      const elapsed = clock.monotonic() - startedAt;
      const evaluation = toEvaluation(run, view, exchange, selection.riskThreshold, elapsed);
      const families = (): ComplianceCategory[] => [
        ...new Set(entries.map(({ rule }) => rule.category)),
      ];
      addWanted(evaluation, wanted, { answers: run.answers, turns, families });
      if (late.length > 0) addLate(evaluation, round, selection, this.#tools);
      return evaluation;
    } finally {
      exchange.release();
      // An asynchronous rule may come back to it.
      if (late.length === 0) forgetExchange(view.context);
    }
  }

  /** Reads the next part of what the rules need, and returns whether that was the last. */
  #prepare(): boolean {
    if (!this.#phrases.isDone && !this.#phrases.step()) return false;
    this.#getSecondLook();
    return true;
  }

  #add(rule: ComplianceRule, isMandatory: boolean): void {
    const isBounded = isMandatory && isDefinedRule(rule);
    const isBuiltIn = isBuiltInRule(rule);
    const circuit = new RuleCircuit();
    this.#entries.set(rule.id, { rule, isBuiltIn, isMandatory, isBounded, circuit });
  }

  #settingsFor({ context }: ContextView): ComplianceSettings | undefined {
    try {
      return this.#settingsOf(context.agentId);
    } catch (error) {
      this.#tools.log.log(
        "error",
        "compliance_settings",
        `compliance settings can't be looked up: ${describeError(error)}`,
      );
      return undefined;
    }
  }
}
