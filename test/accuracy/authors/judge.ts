import type { ReplayedExchange } from "../../../src/cli/check/replay.ts";
import type { ComplianceEvaluation } from "../../../src/compliance/evaluation.ts";
import type { ComplianceFlag, ComplianceSeverity } from "../../../src/events/compliance.ts";
import { answerLengthOf, type AuthorText, type Passage } from "./texts.ts";

/** A finding in one of the exchanges of a text. */
export interface JudgedFinding {
  readonly rule: string;
  readonly pattern: string | undefined;
  /** The rule's other patterns that found the passage. */
  readonly alsoMatched?: readonly string[];
  readonly category: string;
  readonly severity: ComplianceSeverity;
  readonly confidence: number | undefined;
  /** Whether it lies below its rule's threshold. */
  readonly isCandidate: boolean;
  /** Whether it is no candidate, and the answer that it was found in demands review. */
  readonly isReviewed: boolean;
  /** Whether it overlaps the passage that is marked as wrong; `null` when none is marked. */
  readonly isOnPassage: boolean | null;
}

/** A text, and what the engine made of all its exchanges: one unit of every figure. */
export interface JudgedText {
  readonly text: AuthorText;
  /** UTF-16 units of its answers. */
  readonly length: number;
  /** Whether one of its answers demands review. */
  readonly requiresReview: boolean;
  /** Highest of its answers. */
  readonly riskScore: number;
  readonly findings: readonly JudgedFinding[];
}

/** Evaluates the exchanges of an item in order. */
export type Replay = (item: unknown) => {
  readonly exchanges: readonly ReplayedExchange[];
  readonly evaluations: readonly ComplianceEvaluation[];
};

interface Span {
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

function overlaps(
  { context }: ComplianceFlag,
  { userTurn, agentTurn }: ReplayedExchange,
  { turn, start, text }: Passage,
): boolean {
  const spans = (context?.["spans"] ?? []) as readonly Span[];
  return spans.some((span) => {
    const spanTurn = span.source === "userMessage" ? userTurn : agentTurn;
    return spanTurn === turn + 1 && span.start < start + text.length && span.end > start;
  });
}

const UNJUDGED = { isCandidate: true, isReviewed: false };

/** Judges what was found in an exchange of a text, by its passage. */
export function judgeFinding(
  flag: ComplianceFlag,
  exchange: ReplayedExchange,
  passage: Passage | undefined,
  state: Pick<JudgedFinding, "isCandidate" | "isReviewed"> = UNJUDGED,
): JudgedFinding {
  const { rule, category, severity, confidence, context } = flag;
  return {
    rule,
    pattern: context?.detectedPattern,
    ...(context?.alsoMatched && { alsoMatched: context.alsoMatched }),
    category,
    severity,
    confidence,
    ...state,
    isOnPassage: passage ? overlaps(flag, exchange, passage) : null,
  };
}

/** Judges a text as the engine does by default: each exchange in turn, in a session of its own. */
export function judgeText(text: AuthorText, replay: Replay): JudgedText {
  const { exchanges, evaluations } = replay(text);
  return {
    text,
    length: answerLengthOf(text),
    requiresReview: evaluations.some(({ requiresReview }) => requiresReview),
    riskScore: Math.max(0, ...evaluations.map(({ riskScore }) => riskScore)),
    findings: evaluations.flatMap(({ violations, candidates = [], requiresReview }, index) => {
      const exchange = exchanges[index] ?? { context: {} };
      const found = { isCandidate: false, isReviewed: requiresReview };
      return [
        ...violations.map((flag) => judgeFinding(flag, exchange, text.passage, found)),
        ...candidates.map((flag) => judgeFinding(flag, exchange, text.passage)),
      ];
    }),
  };
}
