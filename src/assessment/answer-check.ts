import { createEngine } from "../compliance/deferred-rules.ts";
import type { ComplianceEngine, ComplianceEngineOptions } from "../compliance/engine.ts";
import type { EvaluateOptions } from "../compliance/evaluate-options.ts";
import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { Preparation } from "../compliance/preparation.ts";
import type { ComplianceSettings } from "../events/agent.ts";
import type { ComplianceFlag, InteractionContext } from "../events/compliance.ts";
import type { AgentResponseEvent } from "../events/detailed-event.ts";
import type { JudgeTask } from "../judge/judge-task.ts";
import type { PublicScore } from "../telemetry/compliance-assessment.ts";
import type { Subject } from "../telemetry/conversations.ts";
import { startCountdown, withDeadline } from "../util/clock.ts";
import { attachVerdict, toUncheckedAnswer } from "./answer-verdict.ts";
import { Assessor, ComplianceCounter, type ComplianceStats } from "./assessor.ts";
import { readInteractionContext } from "./interaction-context.ts";
import { toPublicScore } from "./public-assessment.ts";
import type { SecondStage } from "./second-stage.ts";

/** What the rules said of an answer that is checked elsewhere as well; absent until they are ready. */
export interface KnownVerdict {
  readonly evaluation?: ComplianceEvaluation;
}

/** An answer, and what its check depends on. */
export interface CheckedAnswer {
  /** Gets the findings. */
  readonly event: AgentResponseEvent;
  /** The whole text. */
  readonly content: string;
  readonly subject: Subject;
  /** Whether it is checked. Default: as the monitor is configured. */
  readonly complianceChecks?: boolean | undefined;
  /** Of an answer that is checked on its span: each answer is checked once. */
  readonly verdict?: KnownVerdict | undefined;
}

/** An answer for which the rules are not ready, with what was known when it was tracked. */
export interface EarlyAnswer extends CheckedAnswer {
  readonly context: InteractionContext;
  /** The agent may be registered anew meanwhile. */
  readonly settings: ComplianceSettings;
}

/** What the check of an answer has brought beside the members of its event. */
export interface Checked {
  /** Of an answer that is to be judged, once its event is kept. */
  readonly task?: JudgeTask | undefined;
  /** Of an answer with confidential findings. */
  readonly publicScore?: PublicScore | undefined;
}

/** Share of a deadline in which what waits for the rules is done in slices. */
const SLICED_SHARE = 0.5;
/** And after which it is left as it is, so that it can be sent at least. */
const LONGEST_SHARE = 0.75;

/** What applies to an agent that is not registered; it may be meanwhile. */
const EVERY_RULE: ComplianceSettings = {
  sr11_7_enabled: true,
  fair_lending_monitoring: true,
  bsa_aml_checks: true,
};

const NOT_CHECKED: Checked = {};

/** Records a finding that has no place on its answer's event; the subject is absent for an answer of an earlier process. */
export type OnLateFinding = (
  flag: ComplianceFlag,
  answer: AgentResponseEvent,
  subject?: Subject,
) => void;

/** Has answers checked by the rules and attaches what they find. */
export class AnswerCheck {
  /** The rules, when checks are on. */
  readonly engine: ComplianceEngine | undefined;
  readonly #options: ComplianceEngineOptions;
  readonly #evaluateOptions: EvaluateOptions;
  readonly #onLate: OnLateFinding;
  readonly #secondStage: SecondStage | undefined;
  readonly #counter = new ComplianceCounter();
  readonly #assessor: Assessor;
  /** Built when a single interaction asks for checks although they are off. */
  #lazyEngine: ComplianceEngine | undefined;
  #isClosed = false;

  /** @param secondStage - Gets what the rules of `engine` leave open. */
  constructor(
    isOn: boolean,
    options: ComplianceEngineOptions,
    onLate: OnLateFinding,
    secondStage?: SecondStage,
  ) {
    this.#options = options;
    this.#onLate = onLate;
    this.#secondStage = secondStage;
    const message = "a late finding could not be tracked";
    this.#assessor = new Assessor({ log: options.log, level: "error", message });
    this.engine = isOn ? createEngine({ ...options, draftJudge: secondStage }) : undefined;
    this.#evaluateOptions = { isGiven: true, ...this.engine?.wantedForJudge };
  }

  /** Resolves when answers are checked at once, or will not be checked any more. Never rejects. */
  async ready(): Promise<void> {
    await this.#preparation?.ready();
  }

  /** Whether answers wait for their check. */
  get hasWaiting(): boolean {
    return this.#preparation?.hasTasks === true;
  }

  /** Whether answers wait for their check, or asynchronous rules still look at them. */
  get isBusy(): boolean {
    return this.hasWaiting || this.#assessor.isBusy;
  }

  /** Resolves when answers are checked and what asynchronous rules find is tracked, or at the deadline. Never rejects. */
  async settled(timeoutMillis: number | undefined): Promise<void> {
    const { clock } = this.#options;
    const remaining = startCountdown(clock, timeoutMillis);
    if (this.hasWaiting) await withDeadline(clock, this.ready(), timeoutMillis);
    await this.#reported(remaining());
  }

  /**
   * Does what `settled` does within a part of a deadline: in slices, then at once.
   *
   * @param isWanted - Whether somebody else wants the rules.
   */
  async finish(timeoutMillis: number, isWanted: boolean): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    const remaining = startCountdown(clock, timeoutMillis * LONGEST_SHARE);
    const preparation = this.#preparation;
    if (preparation && (this.hasWaiting || isWanted)) {
      await withDeadline(clock, preparation.ready(), timeoutMillis * SLICED_SHARE);
      if (!preparation.isDone) preparation.finish(startedAt + timeoutMillis * LONGEST_SHARE);
    }
    await this.#reported(remaining());
  }

  /** Prepares nothing more; answers that still wait are given as not evaluated. */
  close(): void {
    this.#isClosed = true;
    this.#preparation?.close();
  }

  /**
   * Returns the rules for an answer of an earlier process as soon as they are ready.
   *
   * @param complianceChecks - What its caller said of checks for this one answer.
   * @returns `off` when there are none for it, `closed` when they will not be ready any more.
   */
  async whenReady(
    complianceChecks: boolean | undefined,
  ): Promise<ComplianceEngine | "off" | "closed"> {
    const engine = this.#findEngine(complianceChecks);
    if (!engine) return "off";
    const { preparation } = engine;
    if (!preparation.isDone) await preparation.ready();
    // Whoever comes next has it judged as well.
    const isTooLate = !preparation.isDone || this.#secondStage?.judge.isClosed === true;
    return this.#isClosed && isTooLate ? "closed" : engine;
  }

  /** Returns what the rules made of the tracked answers; `undefined` while none is to be checked. */
  stats(): ComplianceStats | undefined {
    return this.engine || this.#lazyEngine ? this.#counter.stats() : undefined;
  }

  /** Counts what was found in an answer, and records what asynchronous rules find in it. */
  follow(result: ComplianceEvaluation, answer: AgentResponseEvent, subject?: Subject): void {
    this.#counter.count(result);
    this.#assessor.follow(result, (findings, verdict) => {
      this.#counter.countLate(findings.length, result, verdict);
      const complianceFlags = [...(answer.complianceFlags ?? []), ...findings];
      const now = { ...answer, complianceFlags, ...verdict };
      for (const flag of findings) this.#onLate(flag, now, subject);
    });
  }

  /** Does something behind the answers that wait. */
  defer(run: () => void): void {
    if (this.#preparation) this.#preparation.defer(run, 0);
    else run();
  }

  /** Returns whether an answer is to be checked, and the rules are not ready for it. */
  mustWait({ complianceChecks }: CheckedAnswer): boolean {
    return this.#findEngine(complianceChecks)?.preparation.isDone === false;
  }

  /** Checks the whole answer, not what a limit left of it, and attaches the findings to its event. */
  check(answer: CheckedAnswer): Checked {
    const engine = this.#findEngine(answer.complianceChecks);
    if (!engine) return NOT_CHECKED;
    const settings = answer.subject.agent?.complianceSettings;
    return this.#attach(engine, answer, this.#toContext(answer), settings);
  }

  /** Records what is known of an answer now, for a check that comes later. */
  toEarly(answer: CheckedAnswer): EarlyAnswer {
    return {
      ...answer,
      context: this.#toContext(answer),
      settings: answer.subject.agent?.complianceSettings ?? EVERY_RULE,
    };
  }

  /**
   * Checks an answer like `check`, with what was known of it then, as soon as the rules are ready.
   *
   * @param onChecked - Gets the event with its findings, or as it is when there is no time left for the rules.
   */
  checkLater(
    answer: EarlyAnswer,
    onChecked: (event: AgentResponseEvent, publicScore: PublicScore | undefined) => void,
  ): void {
    const { event, content, context, settings } = answer;
    const engine = this.#findEngine(answer.complianceChecks);
    if (!engine) return;
    const characters = content.length + (context.userMessage?.length ?? 0);
    engine.preparation.defer((isPrepared) => {
      let checked = NOT_CHECKED;
      try {
        if (isPrepared) checked = this.#attach(engine, answer, context, settings);
        // The event is kept already, as an unchecked one: a kill between the two has the next process do both again.
        this.handOver(checked);
      } finally {
        onChecked(isPrepared ? event : toUncheckedAnswer(event), checked.publicScore);
      }
    }, characters);
  }

  /** Returns what follows from an evaluation that was attached to its event. */
  toChecked(
    event: AgentResponseEvent,
    result: ComplianceEvaluation,
    context: InteractionContext,
  ): Checked {
    if (!result.metadata.evaluated) return NOT_CHECKED;
    const task = this.#secondStage?.consider(event, result, context);
    return { task, publicScore: toPublicScore(result, context) };
  }

  /** Has an answer judged whose event is kept, if it is to be. */
  handOver({ task }: Checked): void {
    if (task) this.#secondStage?.judge.submit(task);
  }

  /** Emits what was found in a text that stands beside a tool call, in events of its own. */
  emitBeside(said: AgentResponseEvent, subject?: Subject): void {
    for (const flag of said.complianceFlags ?? []) this.#onLate(flag, said, subject);
  }

  get #preparation(): Preparation | undefined {
    return (this.engine ?? this.#lazyEngine)?.preparation;
  }

  /** Returns the engine when an answer is to be checked. */
  #findEngine(isWanted: boolean | undefined): ComplianceEngine | undefined {
    const isOn = isWanted ?? this.engine !== undefined;
    // A rule that tracks an answer must not have it checked by itself, without end.
    if (!isOn || this.#assessor.isAssessing) return undefined;
    return this.engine ?? (this.#lazyEngine ??= createEngine(this.#options));
  }

  /** @param settings - What the agent was when it answered: it may have been registered anew since. */
  #attach(
    engine: ComplianceEngine,
    { event, subject, verdict }: CheckedAnswer,
    context: InteractionContext,
    settings: ComplianceSettings | undefined,
  ): Checked {
    const options = this.#evaluateOptions;
    const result =
      verdict?.evaluation ??
      this.#assessor.assess(() => engine.evaluate(context, settings, options));
    attachVerdict(result, event);
    this.follow(result, event, subject);
    return this.toChecked(event, result, context);
  }

  #toContext({ event, content, subject }: CheckedAnswer): InteractionContext {
    return readInteractionContext(event, content, subject, this.#options.log);
  }

  /** Resolves when what asynchronous rules find in the answers so far is tracked, or at the deadline. */
  async #reported(timeoutMillis: number | undefined): Promise<void> {
    if (!this.#assessor.isBusy) return;
    await withDeadline(this.#options.clock, this.#assessor.settled(), timeoutMillis);
  }
}
