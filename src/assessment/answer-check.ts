import { createEngine } from "../compliance/deferred-rules.ts";
import type { ComplianceEngine, ComplianceEngineOptions } from "../compliance/engine.ts";
import type { EvaluateOptions } from "../compliance/evaluate-options.ts";
import type { ComplianceEvaluation } from "../compliance/evaluation.ts";
import type { Preparation } from "../compliance/preparation.ts";
import type { ComplianceSettings } from "../events/agent.ts";
import type { ComplianceFlag, InteractionContext } from "../events/compliance.ts";
import type { AgentResponseEvent } from "../events/detailed-event.ts";
import type { PublicScore } from "../telemetry/compliance-assessment.ts";
import { startCountdown, withDeadline } from "../util/clock.ts";
import { toErrorName } from "../util/logger.ts";
import { attachVerdict, toUncheckedAnswer } from "./answer-verdict.ts";
import { Assessor, ComplianceCounter, type ComplianceStats } from "./assessor.ts";
import { readInteractionContext, type Subject } from "./interaction-context.ts";
import { toPublicScore } from "./public-assessment.ts";
import type { SecondStage } from "./second-stage.ts";

/** What the caller wants for one answer. */
export interface CheckWish {
  /** Whether it is checked. Default: as the monitor is configured. */
  readonly complianceChecks: boolean | undefined;
}

/** An answer, and what its check depends on. */
export interface CheckedAnswer {
  /** Gets the findings. */
  readonly event: AgentResponseEvent;
  /** The whole text. */
  readonly content: string;
  readonly subject: Subject;
  readonly options: CheckWish | undefined;
}

/** An answer for which the rules are not ready, with what was known when it was tracked. */
export interface EarlyAnswer extends CheckedAnswer {
  readonly context: InteractionContext;
  /** The agent may be registered anew meanwhile. */
  readonly settings: ComplianceSettings;
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

/** What the gate of the judge asks for. */
const FOR_JUDGE = { isGiven: true, candidates: true, turns: true } as const;
const GIVEN = { isGiven: true } as const;

/** Hands a checked answer on to the judge; for when its event is kept. */
export type HandOver = () => void;
const NO_HAND_OVER: HandOver = () => undefined;

/** What the check of an answer has brought beside the members of its event. */
export interface Checked {
  readonly handOver: HandOver;
  /** Of an answer with confidential findings. */
  readonly publicScore: PublicScore | undefined;
}

const NOT_CHECKED: Checked = { handOver: NO_HAND_OVER, publicScore: undefined };

/** Told of a finding, and of the answer as it is with all of them. */
export type OnFinding = (flag: ComplianceFlag, answer: AgentResponseEvent) => void;

/** Told of a finding that came after the answer's event had left. */
export type OnLateFinding = (
  flag: ComplianceFlag,
  answer: AgentResponseEvent,
  subject: Subject,
) => void;

/** Has answers checked by the rules and attaches what they find. */
export class AnswerCheck {
  /** The rules, when checks are on. */
  readonly engine: ComplianceEngine | undefined;
  readonly #options: ComplianceEngineOptions;
  readonly #onLate: OnLateFinding;
  readonly #secondStage: SecondStage | undefined;
  readonly #counter = new ComplianceCounter();
  /** Built when a single interaction asks for checks although they are off. */
  #lazyEngine: ComplianceEngine | undefined;
  #isClosed = false;
  readonly #assessor: Assessor;

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
    this.#assessor = new Assessor((error) =>
      options.log.log("error", "late_finding", "a late finding could not be tracked", {
        error: toErrorName(error),
      }),
    );
    this.engine = isOn ? createEngine({ ...options, draftJudge: secondStage }) : undefined;
  }

  /** What an evaluation has to give for an answer to be judged. */
  get evaluateOptions(): EvaluateOptions {
    return this.#secondStage ? FOR_JUDGE : GIVEN;
  }

  /** Resolves when answers are checked at once, or will not be checked any more. Never rejects. */
  async ready(): Promise<void> {
    await this.#preparation?.ready();
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
    const isTooLate = !preparation.isDone || this.#secondStage?.isClosed === true;
    return this.#isClosed && isTooLate ? "closed" : engine;
  }

  /** Returns what the rules made of the tracked answers; `undefined` while none is to be checked. */
  stats(): ComplianceStats | undefined {
    return this.engine || this.#lazyEngine ? this.#counter.stats() : undefined;
  }

  /**
   * Counts what was found in an answer, has told what asynchronous rules find in it, and waits for it where it waits for
   * others.
   */
  follow(result: ComplianceEvaluation, answer: AgentResponseEvent, onFinding: OnFinding): void {
    this.#counter.count(result);
    this.#assessor.follow(result, (findings, verdict) => {
      this.#counter.countLate(findings.length, result, verdict);
      const complianceFlags = [...(answer.complianceFlags ?? []), ...findings];
      const now = { ...answer, complianceFlags, ...verdict };
      for (const flag of findings) onFinding(flag, now);
    });
  }

  get #preparation(): Preparation | undefined {
    return (this.engine ?? this.#lazyEngine)?.preparation;
  }

  /** Whether answers wait for their check. */
  get hasWaiting(): boolean {
    return this.#preparation?.hasTasks === true;
  }

  /** Does something behind the answers that wait. */
  defer(run: () => void): void {
    if (this.#preparation) this.#preparation.defer(run, 0);
    else run();
  }

  /** Whether an answer is to be checked, and the rules are not ready for it. */
  mustWait(options: CheckWish | undefined): boolean {
    return this.#findEngine(options?.complianceChecks)?.preparation.isDone === false;
  }

  /**
   * Checks the whole answer, not what a limit left of it, and attaches the findings to its event.
   *
   * @param known - The verdict, when the answer was checked before.
   */
  check(answer: CheckedAnswer, known?: ComplianceEvaluation): Checked {
    const { event, content, subject, options } = answer;
    const engine = this.#findEngine(options?.complianceChecks);
    if (!engine) return NOT_CHECKED;
    return this.#judge(engine, answer, this.#toContext(event, content, subject), known);
  }

  /** Records what is known of an answer now, for a check that comes later. */
  toEarly(answer: CheckedAnswer): EarlyAnswer {
    const { event, content, subject } = answer;
    return {
      ...answer,
      context: this.#toContext(event, content, subject),
      settings: subject.agent?.complianceSettings ?? EVERY_RULE,
    };
  }

  /**
   * Checks an answer like `check`, with what was known of it then, as soon as the rules are ready.
   *
   * @param toKnown - Returns the verdict, when the answer was checked meanwhile.
   * @param onChecked - Gets the event with its findings, or as it is when there is no time left for the rules.
   */
  checkLater(
    answer: EarlyAnswer,
    toKnown: (() => ComplianceEvaluation | undefined) | undefined,
    onChecked: (event: AgentResponseEvent, publicScore: PublicScore | undefined) => void,
  ): void {
    const { event, content, options, context, settings } = answer;
    const engine = this.#findEngine(options?.complianceChecks);
    if (!engine) return;
    const characters = content.length + (context.userMessage?.length ?? 0);
    engine.preparation.defer((isPrepared) => {
      let checked = NOT_CHECKED;
      try {
        if (isPrepared) checked = this.#judge(engine, answer, context, toKnown?.(), settings);
        // The event is kept already, as an unchecked one: a kill between the two has the next process do both again.
        checked.handOver();
      } finally {
        onChecked(isPrepared ? event : toUncheckedAnswer(event), checked.publicScore);
      }
    }, characters);
  }

  /**
   * Decides whether an answer is to be judged.
   *
   * @param result - With what `evaluateOptions` asks for.
   * @returns Hands it over, once its event is kept.
   */
  toHandOver(
    event: AgentResponseEvent,
    result: ComplianceEvaluation,
    context: InteractionContext,
  ): HandOver {
    const stage = this.#secondStage;
    const task = stage?.consider(event, result, context);
    return stage && task ? () => stage.submit(task) : NO_HAND_OVER;
  }

  /** Returns the engine when an answer is to be checked. */
  #findEngine(isWanted: boolean | undefined): ComplianceEngine | undefined {
    const isOn = isWanted ?? this.engine !== undefined;
    // A rule that tracks an answer must not have it checked by itself, without end.
    if (!isOn || this.#assessor.isAssessing) return undefined;
    return this.engine ?? (this.#lazyEngine ??= createEngine(this.#options));
  }

  #judge(
    engine: ComplianceEngine,
    { event, subject }: CheckedAnswer,
    context: InteractionContext,
    known: ComplianceEvaluation | undefined,
    // What the agent was when it answered: it may have been registered anew since.
    settings: ComplianceSettings | undefined = subject.agent?.complianceSettings,
  ): Checked {
    const options = this.evaluateOptions;
    const result = known ?? this.#assessor.assess(engine, { context, settings, options });
    attachVerdict(result, event);
    this.follow(result, event, (flag, answer) => this.#onLate(flag, answer, subject));
    if (!result.metadata.evaluated) return NOT_CHECKED;
    const publicScore = toPublicScore(result, context);
    return { handOver: this.toHandOver(event, result, context), publicScore };
  }

  /** Emits what was found in a text that stands beside a tool call, in events of its own. */
  emitBeside(said: AgentResponseEvent, subject: Subject): void {
    for (const flag of said.complianceFlags ?? []) this.#onLate(flag, said, subject);
  }

  #toContext(event: AgentResponseEvent, content: string, subject: Subject): InteractionContext {
    return readInteractionContext(event, content, subject, this.#options.log);
  }

  /** Resolves when what asynchronous rules find in the answers so far is tracked, or at the deadline. */
  async #reported(timeoutMillis: number | undefined): Promise<void> {
    if (!this.#assessor.isBusy) return;
    await withDeadline(this.#options.clock, this.#assessor.settled(), timeoutMillis);
  }
}
