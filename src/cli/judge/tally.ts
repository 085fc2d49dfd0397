import type { Judgement } from "../../judge/judgement.ts";
import { PROMPT_VERSION } from "../../judge/prompt.ts";
import type { CaseLabel } from "../check/finding.ts";
import type { Answer, Question, QuestionOptions, Questions, Unasked } from "./questions.ts";
import type { TieredFinding } from "./tiered-findings.ts";

/** A case, one line of a file, and the findings of all its exchanges. */
export interface JudgedCase {
  readonly label?: CaseLabel | undefined;
  readonly findings: readonly TieredFinding[];
}

/** Tiers of findings that count. */
export type Tiers = "confirmed" | "both";

/** Returns whether a finding counts: both tiers hold everything for review, found by rules or judge. */
export const isCounted = ({ tier, isReviewed }: TieredFinding, tiers: Tiers): boolean =>
  isReviewed && (tiers === "both" || tier === "confirmed");

/** Lists the findings that the label names: in a violation those of its category, in a lawful case all. */
export function listFound({ label, findings }: JudgedCase, tiers: Tiers): TieredFinding[] {
  const expected = label?.isViolation === true ? label.expectedCategory : undefined;
  return findings.filter(
    (finding) =>
      isCounted(finding, tiers) && (expected === undefined || finding.category === expected),
  );
}

const divide = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

function toKappa(tp: number, fp: number, fn: number, tn: number): number | null {
  const all = tp + fp + fn + tn;
  const byChance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn);
  // Findings and labels each put all cases into one class: that agreement is chance.
  return divide((tp + tn) * all - byChance, all * all - byChance);
}

/** Returns the input of scores for a case; `undefined` for one without a label. */
export function toVerdict(one: JudgedCase) {
  if (!one.label) return undefined;
  const { isViolation } = one.label;
  const isFound = (tiers: Tiers): boolean => listFound(one, tiers).length > 0;
  return { isViolation, isFound: { confirmed: isFound("confirmed"), both: isFound("both") } };
}

/** Whether something was found in a labelled case, by tiers. */
type CaseVerdict = NonNullable<ReturnType<typeof toVerdict>>;

/** Scores the agreement of findings with labels; shares are `null` where the denominator is 0. */
export function scoreCases(cases: readonly CaseVerdict[], tiers: Tiers) {
  const count = (isViolation: boolean, isFound: boolean): number =>
    cases.filter((one) => one.isViolation === isViolation && one.isFound[tiers] === isFound).length;
  const [tp, fn] = [count(true, true), count(true, false)];
  const [fp, tn] = [count(false, true), count(false, false)];
  return {
    /** Violations with a finding of the expected category. */
    truePositives: tp,
    falseNegatives: fn,
    /** Lawful cases with any finding. */
    falsePositives: fp,
    trueNegatives: tn,
    precision: divide(tp, tp + fp),
    recall: divide(tp, tp + fn),
    f1: divide(2 * tp, 2 * tp + fp + fn),
    /** Agreement beyond chance, Cohen's kappa: 1 is full agreement. */
    kappa: toKappa(tp, fp, fn, tn),
  };
}

/** Agreement of findings with labels. */
export type TierScore = ReturnType<typeof scoreCases>;

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
  readonly #about: Pick<QuestionOptions, "gate" | "sampleRate" | "content"> &
    Pick<Questions, "promptHashes">;
  readonly #verdicts: CaseVerdict[] = [];
  /** Answers that were sent, and why; those that demand review by the rules alone, by the confirmed tier, and by both tiers. */
  readonly #answers = {
    total: 0,
    sent: 0,
    byReason: {} as Counts,
    reviewedByRules: 0,
    reviewedConfirmed: 0,
    reviewedBoth: 0,
  };
  /** `failed`: asked, and not judged; `unasked`: by reason. */
  readonly #requests = { total: 0, judged: 0, failed: 0, unasked: {} as Counts, calls: 0 };
  readonly #usage = { inputTokens: 0, outputTokens: 0 };
  readonly #estimated = { inputTokens: 0, outputTokens: 0 };
  /** `ofTheJudge`: of the confirmed ones, those that the judge alone has found. */
  readonly #findings = { confirmed: 0, contradicted: 0, unjudged: 0, ofTheJudge: 0 };
  /** Calls without a judgement, by reason. */
  readonly #failures: Counts = {};
  readonly #finishReasons: Counts = {};
  /** Claims of the model that don't hold, by reason. */
  readonly #droppedClaims: Counts = {};
  /** Names of the models in the replies. */
  readonly #models = new Set<string>();
  /** ms of each request, its second call included. */
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

  toSummary() {
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
        // Characters / 4 where the model reported no tokens.
        isEstimated: !this.#isUsageReported,
        // USD; `null` if not reported.
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

/** Summary of a run of the judge over cases. */
export type JudgeSummary = Readonly<ReturnType<JudgeTally["toSummary"]>>;
