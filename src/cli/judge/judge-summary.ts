import type { Questions } from "./questions.ts";
import type { TierScore } from "./scores.ts";

/** What a run of the judge over cases came to. */
export interface JudgeSummary {
  readonly judge: {
    readonly gate: string;
    /** Share of the other answers that is sent. */
    readonly sampleRate: number;
    readonly content: string;
    readonly promptVersion: string;
    /** By family. */
    readonly promptHashes: Questions["promptHashes"];
    /** As replies name them. */
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
    /** True where the model told no tokens: characters / 4 then. */
    readonly isEstimated: boolean;
    /** USD; `null` where nobody said it. */
    readonly cost: number | null;
  };
  /** ms of a request, its second call included; `null` where it is not known. */
  readonly latency: { readonly p50: number; readonly p95: number } | null;
  /** Calls that gave no judgement, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  readonly finishReasons: Readonly<Record<string, number>>;
  /** Claims of the model that don't hold, by reason. */
  readonly droppedClaims: Readonly<Record<string, number>>;
  readonly findings: {
    readonly confirmed: number;
    readonly contradicted: number;
    readonly unjudged: number;
    /** Of the confirmed ones, what the judge alone has found. */
    readonly ofTheJudge: number;
  };
  /** Labelled cases; `null` without any. */
  readonly scores: { readonly confirmed: TierScore; readonly both: TierScore } | null;
}
