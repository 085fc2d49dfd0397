import type { JudgeReason } from "./judge-task.ts";

/**
 * Why an answer is not judged by a family of rules.
 *
 * `circuit_open`: a draft, which can't wait until the model is back. `too_old`: it has waited for an hour, a draft until its
 * deadline, or was left by an earlier process longer ago than a week, or than `maxSpoolAge`.
 */
export type JudgeDropReason =
  | "queue_full"
  | "budget"
  | "circuit_open"
  | "failed"
  | "too_old"
  | "shutdown";

/** What came of judging tracked answers for one reason; one answer is counted once for each family of rules. */
export interface JudgeYield {
  /** Judged to the end. */
  readonly judged: number;
  /** Of these, those in which the judge has found something of its own, once however much that is. */
  readonly withFindings: number;
}

/** What became of answers that the judge was to look at; one answer is counted once for each family of rules. */
export interface JudgeStats {
  /** `open`: the model has failed time and again, and is asked rarely. */
  readonly state: "closed" | "open";
  /** Handed to the judge by this process. */
  readonly submitted: number;
  /** Of an earlier process, without what is left to a later time: there is no room, or the budget is spent. */
  readonly recovered: number;
  /** They wait, or are being judged. */
  readonly pending: number;
  /** Of those submitted: not in the journal, although there is one; a full disk, for one. */
  readonly notKept: number;
  /** Judged to the end; `submitted + recovered = judged + pending + dropped`. */
  readonly judged: number;
  /** Given up, by reason. */
  readonly dropped: Readonly<Partial<Record<JudgeDropReason, number>>>;
  /** Calls of the model, retries included. */
  readonly calls: number;
  /** Calls whose reply was none, by reason: `timeout`, `error`, `truncated`, `not_json` … */
  readonly failures: Readonly<Record<string, number>>;
  /** The same by the finish reason that the provider gave; beyond 20 of them `other`. */
  readonly finishReasons: Readonly<Record<string, number>>;
  /** Findings of the judge's own. */
  readonly findings: number;
  /** By why answers were judged, without drafts. The share of `sample` estimates what is missed of the answers that nobody judges. */
  readonly byReason: Readonly<Partial<Record<JudgeReason, JudgeYield>>>;
  /** Claims of the model that were dropped, by reason: `unknown_rule`, `quote_not_found`, `quote_too_short`, `low_confidence`. */
  readonly droppedClaims: Readonly<Record<string, number>>;
  /** Findings of the first stage that the judge shares. */
  readonly confirmed: number;
  /** Findings of the first stage that it does not share. */
  readonly contradicted: number;
  /** Tokens of requests, as far as the model says it. */
  readonly inputTokens: number;
  /** Tokens of replies, as far as the model says it. */
  readonly outputTokens: number;
  /** USD, as far as the model says it. */
  readonly cost: number;
}
