import type { Judgement } from "../../judge/judgement.ts";
import { PROMPT_VERSION } from "../../judge/prompt.ts";
import type { Answer, Question, QuestionOptions, Questions, Unasked } from "./questions.ts";
import {
  isCounted,
  scoreCases,
  toVerdict,
  type CaseVerdict,
  type JudgedCase,
  type TierScore,
} from "./scores.ts";
import type { TieredFinding } from "./tiered-findings.ts";

/** Summary of a run of the judge over cases. */
export interface JudgeSummary {
  readonly judge: {
    readonly gate: string;
    /** Share of the other answers that is sent. */
    readonly sampleRate: number;
    readonly content: string;
    readonly promptVersion: string;
    /** By family. */
    readonly promptHashes: Questions["promptHashes"];
    /** Names of the models in the replies. */
    readonly models: readonly string[];
  };
  readonly cases: {
    readonly total: number;
    readonly violations: number;
    readonly ok: number;
    readonly unlabelled: number;
  };
  readonly answers: {
    readonly total: number;
    /** Answers that were sent, and why. */
    readonly sent: number;
    readonly byReason: Readonly<Record<string, number>>;
    /** Answers that demand review by the rules alone, by the confirmed tier, and by both tiers. */
    readonly reviewedByRules: number;
    readonly reviewedConfirmed: number;
    readonly reviewedBoth: number;
  };
  readonly requests: {
    readonly total: number;
    readonly judged: number;
    /** Asked, and not judged. */
    readonly failed: number;
    /** Not asked, by reason. */
    readonly unasked: Readonly<Record<string, number>>;
    readonly calls: number;
  };
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** Whether the model reported no tokens: then characters / 4. */
    readonly isEstimated: boolean;
    /** USD; `null` if not reported. */
    readonly cost: number | null;
  };
  /** ms of a request, its second call included; `null` if not known. */
  readonly latency: { readonly p50: number; readonly p95: number } | null;
  /** Calls without a judgement, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  readonly finishReasons: Readonly<Record<string, number>>;
  /** Claims of the model that don't hold, by reason. */
  readonly droppedClaims: Readonly<Record<string, number>>;
  readonly findings: {
    readonly confirmed: number;
    readonly contradicted: number;
    readonly unjudged: number;
    /** Of the confirmed ones, those that the judge alone has found. */
    readonly ofTheJudge: number;
  };
  /** Labelled cases; `null` without any. */
  readonly scores: { readonly confirmed: TierScore; readonly both: TierScore } | null;
}

const CHARACTERS_PER_TOKEN = 4;

/** A question, and its outcome. */
export interface Asked {
  readonly question: Question;
  readonly answer: Answer | Unasked;
}

type Counts = Record<string, number>;

function add(counts: Counts, name: string, by = 1): void {
  if (by > 0) counts[name] = (counts[name] ?? 0) + by;
}

const estimate = (length: number): number => Math.ceil(length / CHARACTERS_PER_TOKEN);

/** Nearest rank; values in order. */
function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
}

/** Counts the judge's results over cases. */
export class JudgeTally {
  readonly #about: Pick<JudgeSummary["judge"], "gate" | "sampleRate" | "content" | "promptHashes">;
  readonly #verdicts: CaseVerdict[] = [];
  readonly #answers = {
    total: 0,
    sent: 0,
    byReason: {} as Counts,
    reviewedByRules: 0,
    reviewedConfirmed: 0,
    reviewedBoth: 0,
  };
  readonly #requests = { total: 0, judged: 0, failed: 0, unasked: {} as Counts, calls: 0 };
  readonly #usage = { inputTokens: 0, outputTokens: 0 };
  readonly #estimated = { inputTokens: 0, outputTokens: 0 };
  readonly #findings = { confirmed: 0, contradicted: 0, unjudged: 0, ofTheJudge: 0 };
  readonly #failures: Counts = {};
  readonly #finishReasons: Counts = {};
  readonly #droppedClaims: Counts = {};
  readonly #models = new Set<string>();
  readonly #latencies: number[] = [];
  #cost: number | undefined;
  #isUsageReported = false;
  #cases = 0;

  constructor(
    { gate, sampleRate, content }: QuestionOptions,
    { promptHashes }: Pick<Questions, "promptHashes">,
  ) {
    this.#about = { gate, sampleRate, content, promptHashes };
  }

  /** Requests that were not judged, for any reason. */
  get unjudged(): number {
    return this.#requests.total - this.#requests.judged;
  }

  addCase(one: JudgedCase): void {
    const verdict = toVerdict(one);
    this.#cases++;
    if (verdict) this.#verdicts.push(verdict);
  }

  /** @param isReviewed - Whether the rules alone demand review. */
  addExchange(
    asked: readonly Asked[],
    findings: readonly TieredFinding[],
    isReviewed: boolean,
  ): void {
    const answers = this.#answers;
    answers.total++;
    const [first] = asked;
    if (first) {
      answers.sent++;
      add(answers.byReason, first.question.reason);
    }
    const isConfirmed = findings.some((one) => isCounted(one, "confirmed"));
    if (isReviewed) answers.reviewedByRules++;
    if (isConfirmed) answers.reviewedConfirmed++;
    if (isReviewed || isConfirmed) answers.reviewedBoth++;
    for (const { tier, flag } of findings) {
      this.#findings[tier]++;
      if (!flag) this.#findings.ofTheJudge++;
    }
    for (const one of asked) this.#addRequest(one);
  }

  #addRequest({ question, answer }: Asked): void {
    const requests = this.#requests;
    requests.total++;
    if (typeof answer === "string") {
      add(requests.unasked, answer);
      return;
    }
    const { judgement, latency } = answer;
    requests[judgement.failure === undefined ? "judged" : "failed"]++;
    requests.calls += judgement.calls;
    if (latency !== undefined) this.#latencies.push(latency);
    this.#addJudgement(judgement);
    const { system, user } = question.request;
    this.#estimated.inputTokens += judgement.calls * estimate(system.length + user.length);
    this.#estimated.outputTokens += estimate(judgement.replyLength);
  }

  #addJudgement({ failedCalls, dropped, usage, evaluator }: Judgement): void {
    for (const { failure, finishReason } of failedCalls) {
      add(this.#failures, failure);
      if (finishReason !== undefined) add(this.#finishReasons, finishReason);
    }
    for (const [reason, count] of Object.entries(dropped)) add(this.#droppedClaims, reason, count);
    if (evaluator.model !== undefined) this.#models.add(evaluator.model);
    if (!usage) return;
    this.#isUsageReported = true;
    this.#usage.inputTokens += usage.inputTokens;
    this.#usage.outputTokens += usage.outputTokens;
    if (usage.cost !== undefined) this.#cost = (this.#cost ?? 0) + usage.cost;
  }

  toSummary(): JudgeSummary {
    const verdicts = this.#verdicts;
    const violations = verdicts.filter(({ isViolation }) => isViolation).length;
    const latencies = this.#latencies.toSorted((one, other) => one - other);
    return {
      judge: { ...this.#about, promptVersion: PROMPT_VERSION, models: [...this.#models] },
      cases: {
        total: this.#cases,
        violations,
        ok: verdicts.length - violations,
        unlabelled: this.#cases - verdicts.length,
      },
      answers: this.#answers,
      requests: this.#requests,
      usage: {
        ...(this.#isUsageReported ? this.#usage : this.#estimated),
        isEstimated: !this.#isUsageReported,
        cost: this.#cost ?? null,
      },
      latency:
        latencies.length > 0
          ? { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) }
          : null,
      failures: this.#failures,
      finishReasons: this.#finishReasons,
      droppedClaims: this.#droppedClaims,
      findings: this.#findings,
      scores:
        verdicts.length === 0
          ? null
          : { confirmed: scoreCases(verdicts, "confirmed"), both: scoreCases(verdicts, "both") },
    };
  }
}
