import * as z from "zod";

/** What a person decides about a finding or an item. */
export const DISPOSITIONS = [
  "violation",
  "false_positive",
  "acceptable",
  "insufficient_evidence",
] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

const severitySchema = z.enum(["info", "warning", "violation"]);
const reasonCodeSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "expected lower case letters, digits, _ and -");
const dispositionSchema = z.enum(DISPOSITIONS);

/** Rules of the review. */
export const reviewPolicySchema = z.strictObject({
  reasonCodes: z
    .record(dispositionSchema, z.array(reasonCodeSchema).max(100))
    .describe("Reasons that a disposition may have; the first one is offered first."),
  commentRequired: z.array(dispositionSchema).describe("Dispositions that need a comment."),
  secondReviewFor: z
    .array(severitySchema)
    .describe("Severities whose items a second person has to approve before they are closed."),
  claimMinutes: z.number().int().min(1).max(1440).describe("Minutes until a claim expires."),
  dueHours: z
    .strictObject({
      info: z.number().int().min(1).max(8760),
      warning: z.number().int().min(1).max(8760),
      violation: z.number().int().min(1).max(8760),
    })
    .describe("Hours until an item is due, by its severity."),
});
export type ReviewPolicy = z.infer<typeof reviewPolicySchema>;

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
};
