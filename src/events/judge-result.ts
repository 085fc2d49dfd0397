import type { ComplianceFlag } from "./compliance.ts";
import type { DetailedEvent } from "./detailed-event.ts";

/** State of a finding after the judge has read the exchange. */
export type JudgedTier = "confirmed" | "contradicted";

/** The judge's result for an answer, as its event carries it. */
export interface JudgeResult {
  /** Id of the answer's event. */
  readonly eventId: string;
  readonly tier: JudgedTier;
  /** A finding of the judge's own, or the first stage's finding that it confirms or contradicts. */
  readonly finding: ComplianceFlag;
  readonly isOpinion: boolean;
  /** The passage that proves the finding, as the model got it. */
  readonly quote?: string | undefined;
  readonly reason?: string | undefined;
  /** 0 to 1 */
  readonly confidence?: number | undefined;
  /** Name of the model, if its provider reports it. */
  readonly model?: string | undefined;
  readonly requiresReview: boolean;
}

type Members = Readonly<Record<string, unknown>>;

function readObject(value: unknown): Members | undefined {
  return typeof value === "object" && value !== null ? (value as Members) : undefined;
}

const readText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

function readFinding(value: unknown): ComplianceFlag | undefined {
  const { rule, category, severity, description } = readObject(value) ?? {};
  const isFinding = [rule, category, severity, description].every(
    (member) => typeof member === "string",
  );
  return isFinding ? (value as ComplianceFlag) : undefined;
}

/**
 * Reads the judge's result; `undefined` for any other event. Others may have sent it.
 *
 * The pages use this as well, so it needs no schema.
 */
export function readJudgeResult(event: DetailedEvent): JudgeResult | undefined {
  if (event.interactionType !== "compliance_violation") return undefined;
  const members: Members = event.metadata ?? {};
  const { eventId, tier, requiresReview } = members;
  const evaluator = readObject(members["evaluator"]);
  const finding = readFinding(members["finding"]);
  const isTier = tier === "confirmed" || tier === "contradicted";
  if (typeof eventId !== "string" || !isTier || !evaluator || !finding) return undefined;
  const opinion = readObject(members["opinion"]);
  const { quote, reason } = opinion ?? members;
  const confidence = opinion ? opinion["confidence"] : finding.confidence;
  return {
    eventId,
    tier,
    finding,
    isOpinion: opinion !== undefined,
    quote: readText(quote),
    reason: readText(reason),
    confidence: typeof confidence === "number" ? confidence : undefined,
    model: readText(evaluator["model"]),
    requiresReview: requiresReview === true,
  };
}
