import * as z from "zod";
import { complianceFlagSchema, type ComplianceFlag } from "./compliance.ts";
import type { DetailedEvent } from "./detailed-event.ts";
import { lazySchema } from "./lazy-schema.ts";

/** How sure a finding is after the judge has read the exchange. */
export type JudgedTier = "confirmed" | "contradicted";

/** What the judge says of an answer, as it stands on the event that tells it. */
export interface JudgeResult {
  /** Id of the answer's event. */
  readonly eventId: string;
  readonly tier: JudgedTier;
  /** A finding of the judge's own, or the one of the first stage that it has an opinion on. */
  readonly finding: ComplianceFlag;
  readonly isOpinion: boolean;
  /** The passage that shows it, as the model got it. */
  readonly quote?: string | undefined;
  readonly reason?: string | undefined;
  /** 0 to 1 */
  readonly confidence?: number | undefined;
  /** Name of the model, if its provider said it. */
  readonly model?: string | undefined;
  readonly requiresReview: boolean;
}

const claimMembers = {
  quote: z.string().optional(),
  reason: z.string().optional(),
};

const metadataSchema = lazySchema(() =>
  z.looseObject({
    ...claimMembers,
    eventId: z.string(),
    tier: z.enum(["confirmed", "contradicted"]),
    finding: complianceFlagSchema,
    evaluator: z.looseObject({ id: z.string(), model: z.string().optional() }),
    opinion: z.looseObject({ ...claimMembers, confidence: z.number().optional() }).optional(),
    requiresReview: z.boolean().optional(),
  }),
);

/** Reads what the judge says; `undefined` for an event that is none of the judge's. Others may have sent it. */
export function readJudgeResult(event: DetailedEvent): JudgeResult | undefined {
  if (event.interactionType !== "compliance_violation") return undefined;
  const { success, data } = metadataSchema.safeParse(event.metadata);
  if (!success) return undefined;
  const { eventId, tier, finding, evaluator, opinion, requiresReview = false } = data;
  const { quote, reason } = opinion ?? data;
  return {
    eventId,
    tier,
    finding,
    isOpinion: opinion !== undefined,
    quote,
    reason,
    confidence: opinion ? opinion.confidence : finding.confidence,
    model: evaluator.model,
    requiresReview,
  };
}
