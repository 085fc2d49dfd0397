import type { ComplianceEvaluation, LateVerdict } from "../compliance/evaluation.ts";

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
  #answers = 0;
  #reviews = 0;
  #findings = 0;
  #candidates = 0;

  /** Counts an answer, if a rule judged it. */
  count({ metadata, requiresReview, violations }: ComplianceEvaluation): void {
    if (!metadata.evaluated) return;
    this.#answers++;
    if (requiresReview) this.#reviews++;
    this.#findings += violations.length;
    this.#candidates += metadata.candidates ?? 0;
  }

  /** Counts what asynchronous rules found later in an answer. */
  countLate(findings: number, before: ComplianceEvaluation, now: LateVerdict | undefined): void {
    this.#findings += findings;
    if (now?.requiresReview === true && !before.requiresReview) this.#reviews++;
  }

  stats(): ComplianceStats {
    return {
      answers: this.#answers,
      reviews: this.#reviews,
      findings: this.#findings,
      candidates: this.#candidates,
    };
  }
}
