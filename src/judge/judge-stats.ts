import { cutString } from "../util/cut-string.ts";
import type { JudgeReason } from "./judge-task.ts";
import type { JudgedCounts, Judgement } from "./judgement.ts";

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

/** Results of judging tracked answers for one reason; one answer is counted once for each family of rules. */
export interface JudgeYield {
  /** Judged to the end. */
  readonly judged: number;
  /** Of these, those with at least one finding of the judge's own, however many. */
  readonly withFindings: number;
}

/** Counts of the answers that were submitted to the judge; one answer is counted once for each family of rules. */
export interface JudgeStats {
  /** `open`: the model has failed repeatedly, and is asked rarely. */
  readonly state: "closed" | "open";
  /** Handed to the judge by this process. */
  readonly submitted: number;
  /** Of an earlier process, without what is left to a later time: there is no room, or the budget is spent. */
  readonly recovered: number;
  /** Waiting, or being judged. */
  readonly pending: number;
  /** Of those submitted: not written to the journal although there is one, because of a full disk for example. */
  readonly notKept: number;
  /** Judged to the end; `submitted + recovered = judged + pending + dropped`. */
  readonly judged: number;
  /** Given up, by reason. */
  readonly dropped: Readonly<Partial<Record<JudgeDropReason, number>>>;
  /** Calls of the model, retries included. */
  readonly calls: number;
  /** Calls without a usable reply, by reason: `timeout`, `error`, `truncated`, `not_json` … */
  readonly failures: Readonly<Record<string, number>>;
  /** The same by the finish reason that the provider reported; beyond 20 distinct ones `other`. */
  readonly finishReasons: Readonly<Record<string, number>>;
  /** Findings of the judge's own. */
  readonly findings: number;
  /** By the reason why answers were judged, without drafts. The share of `sample` estimates what is missed in answers not judged. */
  readonly byReason: Readonly<Partial<Record<JudgeReason, JudgeYield>>>;
  /** Claims of the model that were dropped, by reason: `unknown_rule`, `quote_not_found`, `quote_too_short`, `low_confidence`. */
  readonly droppedClaims: Readonly<Record<string, number>>;
  /** Findings of the first stage that the judge confirms. */
  readonly confirmed: number;
  /** Findings of the first stage that the judge contradicts. */
  readonly contradicted: number;
  /** Tokens of requests, as far as the model reports them. */
  readonly inputTokens: number;
  /** Tokens of replies, as far as the model reports them. */
  readonly outputTokens: number;
  /** USD, as far as the model reports it. */
  readonly cost: number;
}

/** Distinct names of providers; all further ones are counted as one. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;
const OTHER_NAME = "other";

/** Bounds the names that providers choose: each would be a counter for ever. */
function toBoundedName(counts: ReadonlyMap<string, number>, given: string): string {
  const name = cutString(given, MAX_NAME_LENGTH);
  return counts.has(name) || counts.size < MAX_NAMES ? name : OTHER_NAME;
}

function addTo(counts: Map<string, number>, name: string, count = 1): void {
  if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Counts the outcomes of answers; every unit that is taken on ends as judged or dropped, once. */
export class JudgeCounts {
  readonly #counts = { submitted: 0, recovered: 0, pending: 0, notKept: 0, judged: 0 };
  readonly #found = { findings: 0, confirmed: 0, contradicted: 0 };
  readonly #usage = { inputTokens: 0, outputTokens: 0, cost: 0 };
  #calls = 0;
  readonly #byReason: Partial<Record<JudgeReason, JudgeYield>> = {};
  readonly #dropped = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #finishReasons = new Map<string, number>();
  readonly #droppedClaims = new Map<string, number>();

  get pending(): number {
    return this.#counts.pending;
  }

  submit(units: number): void {
    this.#counts.submitted += units;
    this.#counts.pending += units;
  }

  /** @param units - Below 0 for those that are left to a later time, or to another process. */
  recover(units: number): void {
    this.#counts.recovered += units;
    this.#counts.pending += units;
  }

  /** Counts units that the journal could not take. */
  missKeeping(units: number): void {
    this.#counts.notKept += units;
  }

  drop(reason: JudgeDropReason, units = 1): void {
    this.#counts.pending -= units;
    addTo(this.#dropped, reason, units);
  }

  /** @param reason - Of a tracked answer. */
  judge({ findings, confirmed, contradicted }: JudgedCounts, reason?: JudgeReason): void {
    this.#counts.pending--;
    this.#counts.judged++;
    if (reason !== undefined) {
      const { judged, withFindings } = this.#byReason[reason] ?? { judged: 0, withFindings: 0 };
      const found = findings > 0 ? withFindings + 1 : withFindings;
      this.#byReason[reason] = { judged: judged + 1, withFindings: found };
    }
    this.#found.findings += findings;
    this.#found.confirmed += confirmed;
    this.#found.contradicted += contradicted;
  }

  /** Counts a call of the model that starts. */
  addCall(): void {
    this.#calls++;
  }

  /** Counts the ended calls of a judgement, whatever their outcome. */
  addOutcome({ failedCalls, dropped, usage }: Judgement): void {
    for (const { failure, finishReason } of failedCalls) {
      addTo(this.#failures, failure);
      if (finishReason !== undefined)
        addTo(this.#finishReasons, toBoundedName(this.#finishReasons, finishReason));
    }
    for (const [problem, count] of Object.entries(dropped))
      addTo(this.#droppedClaims, problem, count);
    this.#usage.inputTokens += usage?.inputTokens ?? 0;
    this.#usage.outputTokens += usage?.outputTokens ?? 0;
    this.#usage.cost += usage?.cost ?? 0;
  }

  toStats(state: JudgeStats["state"]): JudgeStats {
    const { findings, ...opinions } = this.#found;
    return {
      state,
      ...this.#counts,
      dropped: Object.fromEntries(this.#dropped),
      calls: this.#calls,
      failures: Object.fromEntries(this.#failures),
      finishReasons: Object.fromEntries(this.#finishReasons),
      findings,
      byReason: { ...this.#byReason },
      droppedClaims: Object.fromEntries(this.#droppedClaims),
      ...opinions,
      ...this.#usage,
    };
  }
}
