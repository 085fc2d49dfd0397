import * as z from "zod";
import { MAX_SUPPRESSION_DAYS } from "../quality/suppression.ts";
import { type Sampling, samplingSchema } from "../quality/sampling.ts";

export const DISPOSITIONS = [
  "violation",
  "false_positive",
  "acceptable",
  "insufficient_evidence",
] as const;
/** A decision about a finding or an item. */
export type Disposition = (typeof DISPOSITIONS)[number];

export const FINDING_SEVERITIES = ["info", "warning", "violation"] as const;
/** Severity of a finding. */
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

const reasonCodeSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "expected lower case letters, digits, _ and -");
const dispositionSchema = z.enum(DISPOSITIONS);

/** Rules of the review. */
export interface ReviewPolicy {
  /** Reasons that a disposition may have; the first one is offered first. A disposition without any takes none. */
  readonly reasonCodes: Readonly<Record<Disposition, readonly string[]>>;
  /** Dispositions that need a comment. */
  readonly commentRequired: readonly Disposition[];
  /** Severities whose items a second person has to approve before they are closed. */
  readonly secondReviewFor: readonly FindingSeverity[];
  /** Minutes until a claim expires: 1 to 1440. */
  readonly claimMinutes: number;
  /** Hours until an item is due, by its severity: 1 to 8760. */
  readonly dueHours: Readonly<Record<FindingSeverity, number>>;
  /** Days that a suppression is proposed for: 1 to 365. */
  readonly suppressionDays: number;
  /** Answers without findings that people look at as well. */
  readonly sampling: Sampling;
}

const hoursSchema = z.number().int().min(1).max(8760);

export const reviewPolicySchema: z.ZodType<ReviewPolicy> = z.strictObject({
  reasonCodes: z.record(dispositionSchema, z.array(reasonCodeSchema).max(100)),
  commentRequired: z.array(dispositionSchema),
  secondReviewFor: z.array(z.enum(FINDING_SEVERITIES)),
  claimMinutes: z.number().int().min(1).max(1440),
  dueHours: z.strictObject({ info: hoursSchema, warning: hoursSchema, violation: hoursSchema }),
  suppressionDays: z.number().int().min(1).max(MAX_SUPPRESSION_DAYS),
  sampling: samplingSchema,
});

/** The rules of the review where none are configured. */
export const DEFAULT_REVIEW_POLICY: ReviewPolicy = {
  reasonCodes: {
    violation: ["confirmed", "customer_harm", "reported", "agent_corrected"],
    false_positive: [
      "refusal_or_warning",
      "quoted_from_customer",
      "definition",
      "wrong_subject",
      "other",
    ],
    acceptable: ["disclosed", "approved_wording", "internal_use", "other"],
    insufficient_evidence: ["content_missing", "context_missing", "other"],
  },
  commentRequired: [],
  secondReviewFor: [],
  claimMinutes: 30,
  dueHours: { info: 720, warning: 120, violation: 24 },
  suppressionDays: 90,
  sampling: {},
};
