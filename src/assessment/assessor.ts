import type { ComplianceEvaluation, LateVerdict } from "../compliance/evaluation.ts";
import type { ComplianceFlag } from "../events/compliance.ts";
import { type BurstLogger, type LogLevel, toErrorName } from "../util/logger.ts";

/** Gets what asynchronous rules found, all at once, and the verdict with it. */
type OnLateFindings = (
  findings: readonly ComplianceFlag[],
  verdict: LateVerdict | undefined,
) => void;

/** What is logged when a handler of late findings fails. */
interface LateFailure {
  readonly log: BurstLogger;
  readonly level: LogLevel;
  readonly message: string;
}

/** Has answers assessed by the rules, tracked ones and foreign ones alike, and waits for asynchronous rules. */
export class Assessor {
  readonly #failure: LateFailure;
  readonly #late = new Set<Promise<void>>();
  #isAssessing = false;

  constructor(failure: LateFailure) {
    this.#failure = failure;
  }

  /** Whether a rule runs: an answer that it tracks, or a span that it ends, must not be assessed by itself, without end. */
  get isAssessing(): boolean {
    return this.#isAssessing;
  }

  /** Whether asynchronous rules still look at answers; each is given up after the time that these rules have. */
  get isBusy(): boolean {
    return this.#late.size > 0;
  }

  /** Returns what the rules say of an answer. */
  assess(evaluate: () => ComplianceEvaluation): ComplianceEvaluation {
    this.#isAssessing = true;
    try {
      return evaluate();
    } finally {
      this.#isAssessing = false;
    }
  }

  /** Hands on what asynchronous rules find later in an answer that was assessed. */
  follow(evaluation: ComplianceEvaluation, onLate: OnLateFindings): void {
    if (!evaluation.late) return;
    const reporting = this.#report(evaluation, onLate).finally(() => this.#late.delete(reporting));
    this.#late.add(reporting);
  }

  /** Resolves once what asynchronous rules find in the answers so far is handed on. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all(this.#late);
  }

  async #report(evaluation: ComplianceEvaluation, onLate: OnLateFindings): Promise<void> {
    try {
      onLate((await evaluation.late) ?? [], await evaluation.lateVerdict);
    } catch (error) {
      const { log, level, message } = this.#failure;
      log.log(level, "late_finding", message, { error: toErrorName(error) });
    }
  }
}

/** What the rules made of the tracked answers. */
export interface ComplianceStats {
  /** Answers that the rules judged. */
  readonly answers: number;
  /** Answers that a person must look at. */
  readonly reviews: number;
  /** Findings in all answers. */
  readonly findings: number;
  /** Passages that were found with less confidence than their rules ask for, and that are on no event. */
  readonly candidates: number;
}

/** Counts what the rules make of tracked answers. */
export class ComplianceCounter {
  readonly #counts = { answers: 0, reviews: 0, findings: 0, candidates: 0 };

  /** Counts an answer, if a rule judged it. */
  count({ metadata, requiresReview, violations }: ComplianceEvaluation): void {
    if (!metadata.evaluated) return;
    this.#counts.answers++;
    if (requiresReview) this.#counts.reviews++;
    this.#counts.findings += violations.length;
    this.#counts.candidates += metadata.candidates ?? 0;
  }

  /** Counts what asynchronous rules found later in an answer. */
  countLate(findings: number, before: ComplianceEvaluation, now: LateVerdict | undefined): void {
    this.#counts.findings += findings;
    if (now?.requiresReview === true && !before.requiresReview) this.#counts.reviews++;
  }

  stats(): ComplianceStats {
    return { ...this.#counts };
  }
}
