import type { Draft, DraftJudge, DraftJudgement } from "../compliance/draft-judge.ts";
import type { ComplianceEvaluation, SecondStageOutcome } from "../compliance/evaluation.ts";
import { readBuiltInSource } from "../compliance/packs/pack-source.ts";
import type { ResolvedJudgeOptions } from "../config/judge-options.ts";
import type { ComplianceRule, InteractionContext } from "../events/compliance.ts";
import type { PlatformPath } from "../delivery/platform-path.ts";
import type { AgentResponseEvent } from "../events/detailed-event.ts";
import { type FoundAnswer, toFoundAnswer } from "../events/late-finding.ts";
import { isSampled, type JudgeTask } from "../judge/judge-task.ts";
import type { JudgeWork, Judged, JudgedCounts, Judgement } from "../judge/judgement.ts";
import { Judge } from "../judge/judge.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { isUnobserved } from "../scope/scopes.ts";
import { toErrorName } from "../util/logger.ts";
import { isConclusive } from "./judge-opinion.ts";
import { type JudgeFinding, toJudgeFindings } from "./judge-results.ts";
import { redactExchange, toJudgeRules, toWholeExchange } from "./judge-input.ts";
import { type JournalSettings, openJudgeJournal, toKeptTask } from "./judge-journal.ts";

export type GateOptions = Pick<ResolvedJudgeOptions, "gate" | "sampleRate" | "sampleSeed">;

/**
 * Decides whether an answer is judged: by the families in which the first stage found something, or, as one of the
 * sample, by all.
 *
 * @param all - The families that have rules.
 * @returns `undefined` for an answer that is not judged.
 */
export function passGate(
  eventId: string,
  { violations, candidates = [], metadata }: ComplianceEvaluation,
  all: JudgeTask["families"],
  { gate, sampleRate, sampleSeed }: GateOptions,
): Pick<JudgeTask, "reason" | "families"> | undefined {
  if (!metadata.evaluated) return undefined;
  if (gate === "everything") return { reason: "everything", families: all };
  const counting = gate === "findings" ? violations : [...violations, ...candidates];
  const found = new Set(counting.map(({ category }) => category));
  const families = all.filter((family) => found.has(family));
  if (families.length > 0)
    return { reason: violations.length > 0 ? "finding" : "candidate", families };
  return isSampled(sampleSeed, eventId, sampleRate)
    ? { reason: "sample", families: all }
    : undefined;
}

/** What a SecondStage works with. */
export interface SecondStageOptions extends Pick<
  JudgeWork,
  "options" | "clock" | "log" | "isolate"
> {
  /** The rules as they are at the time. */
  readonly rules: () => readonly ComplianceRule[];
  /** Keeps what waits beyond the end of the process; absent without a spool. */
  readonly journal: JournalSettings | undefined;
  /** Takes out what the model may not see under the content policy `redacted`. */
  readonly redactor: Redactor;
  /** Records everything that the judge says of a tracked answer. */
  readonly onFinding: (finding: JudgeFinding, answer: FoundAnswer) => void;
  /** Records a judgement by a family in which nobody has found anything. */
  readonly onClean: (judgement: Judgement, answer: FoundAnswer) => void;
}

/** Share of a deadline for the judge. */
const JUDGE_SHARE = 0.7;

/** What sends the answers that are judged. */
type Flushed = Pick<PlatformPath, "flush">;

const toById = (rules: readonly ComplianceRule[]): ReadonlyMap<string, ComplianceRule> =>
  new Map(rules.map((rule) => [rule.id, rule]));

/** Returns whether nothing was found by a family, for sure. */
function isClean(judgement: Judgement, { complianceFlags = [] }: FoundAnswer): boolean {
  const { claims, family } = judgement;
  const isFound = claims.length > 0 || complianceFlags.some(({ category }) => category === family);
  return !isFound && isConclusive(judgement);
}

/** Says what became of a draft of which so many families were judged. */
function toOutcome(judged: number, families: number, isLate: boolean): SecondStageOutcome {
  if (judged >= families) return "judged";
  if (judged > 0) return "partial";
  return isLate ? "too_late" : "failed";
}

/** Has the bank's own model read what the rules leave open, behind the answers that are tracked, and in drafts. */
export class SecondStage implements DraftJudge {
  readonly judge: Judge;
  readonly #options: SecondStageOptions;

  constructor(options: SecondStageOptions) {
    const { journal, rules } = options;
    this.#options = options;
    this.judge = new Judge({
      ...options,
      journal:
        journal &&
        openJudgeJournal({
          log: journal.log,
          toKept: (task) => toKeptTask(task, journal.redactors),
        }),
      rules: () => toJudgeRules(rules(), readBuiltInSource().rules),
      toVisible: (exchange) =>
        options.options.content === "full" ? exchange : redactExchange(exchange, options.redactor),
      onJudged: (judged) => this.#emit(judged),
    });
  }

  /**
   * Decides whether an answer is judged, and gives what is to be submitted. Never throws.
   *
   * @param evaluation - With candidates and turns.
   */
  consider(
    event: AgentResponseEvent,
    evaluation: ComplianceEvaluation,
    context: InteractionContext,
  ): JudgeTask | undefined {
    try {
      return this.#toTask(event, evaluation, context, this.#options.options);
    } catch (error) {
      const problem = { error: toErrorName(error) };
      const message = "an answer could not be handed to the judge";
      this.#options.log.log("error", "judge:gate", message, problem);
      return undefined;
    }
  }

  async judgeDraft({ context, evaluation }: Draft, signal: AbortSignal): Promise<DraftJudgement> {
    const { options, rules } = this.#options;
    const { agentId, sessionId } = context;
    const { violations: complianceFlags } = evaluation;
    const answer = { eventId: "", requestId: "", agentId, sessionId, complianceFlags };
    const task = this.#toTask(answer, evaluation, context, { ...options, sampleRate: 0 });
    if (!task) return { outcome: "not_asked", findings: [], requiresReview: false };
    const judged = await this.judge.judgeNow(task, signal);
    const byId = toById(rules());
    const found = judged
      .flatMap((one) => this.#read(one, byId))
      .filter(({ opinion }) => opinion === undefined);
    return {
      outcome: toOutcome(judged.length, task.families.length, signal.aborted),
      findings: found.map(({ finding }) => finding),
      requiresReview: found.some(({ requiresReview }) => requiresReview === true),
    };
  }

  /**
   * Waits for judgements for a part of a deadline, while the answers themselves are sent: the model may be slow, or away, and what
   * it says has to be sent as well.
   */
  async settledBeside(platform: Flushed, timeoutMillis: number | undefined): Promise<void> {
    if (!this.judge.isBusy) return;
    const millis = timeoutMillis && timeoutMillis * JUDGE_SHARE;
    await Promise.all([this.judge.settled(millis), platform.flush(millis)]);
  }

  /** Does what `settledBeside` does, and asks nothing more. */
  async finish(platform: Flushed, timeoutMillis: number): Promise<void> {
    await this.settledBeside(platform, timeoutMillis);
    this.judge.close();
  }

  /**
   * Keeps a process that is about to end by itself until everything is judged, or a deadline: what comes too late is given up, or it
   * would keep the process.
   *
   * @returns Whether there is something to wait for.
   */
  waitAtExit(timeoutMillis: number): boolean {
    if (!this.judge.isBusy) return false;
    void this.judge.settled(timeoutMillis).then(() => {
      if (this.judge.isBusy) this.judge.close();
    });
    return true;
  }

  #toTask(
    event: FoundAnswer,
    evaluation: ComplianceEvaluation,
    context: InteractionContext,
    gate: GateOptions,
  ): JudgeTask | undefined {
    const { families = [], turns = [] } = evaluation;
    const isMeant = this.#options.options.agents?.includes(event.agentId) !== false;
    // What the model's own function tracks or drafts must not be judged, without end.
    if (!isMeant || isUnobserved()) return undefined;
    const decision = passGate(event.eventId, evaluation, families, gate);
    if (!decision) return undefined;
    const exchange = toWholeExchange(context, turns);
    const at = this.#options.clock.now();
    return { answer: toFoundAnswer(event), ...decision, exchange, at };
  }

  #read(
    { task, judgement, sent }: Judged,
    rules: ReadonlyMap<string, ComplianceRule>,
  ): JudgeFinding[] {
    const { options, clock } = this.#options;
    // Where a passage stands in the answer as it is can't be known of a part of it.
    const known = task.isRedacted === true ? { agentResponse: "" } : task.exchange;
    const judged = { answer: task.answer, judgement, texts: { sent, whole: known } };
    return toJudgeFindings(judged, rules, options, clock.now());
  }

  #emit(judged: Judged): JudgedCounts {
    const { rules, onFinding, onClean } = this.#options;
    const { answer, reason } = judged.task;
    const evaluator = { ...judged.judgement.evaluator, reason };
    const judgement = { ...judged.judgement, evaluator };
    const findings = this.#read({ ...judged, judgement }, toById(rules()));
    for (const finding of findings) onFinding(finding, answer);
    if (isClean(judgement, answer)) onClean(judgement, answer);
    const opinions = findings.filter(({ opinion }) => opinion !== undefined);
    const contradicted = opinions.filter(({ tier }) => tier === "contradicted").length;
    return {
      findings: findings.length - opinions.length,
      confirmed: opinions.length - contradicted,
      contradicted,
    };
  }
}
