import * as z from "zod";
import {
  agentCategorySchema,
  bankingSpecialtySchema,
  impactLevelSchema,
  riskLevelSchema,
} from "./base-event.ts";
import {
  lazyEnum,
  lazyObject,
  lazyPartialObject,
  lazySchema,
  partialObject,
} from "./lazy-schema.ts";
import { approvalSchema, percentSchema } from "./metadata.ts";
import { functionSchema } from "./utility.ts";

export const complianceCategorySchema = lazySchema(() =>
  z.enum(["sr_11_7", "fair_lending", "bsa_aml", "privacy", "consumer_protection", "custom"]),
);
/** Area of law a rule belongs to. */
export type ComplianceCategory = z.infer<typeof complianceCategorySchema>;

export const complianceSeveritySchema = lazyEnum("info", "warning", "violation");
/** Weight of a finding. */
export type ComplianceSeverity = z.infer<typeof complianceSeveritySchema>;

const confidenceSchema = lazySchema(() => z.number().min(0).max(1));

export const toolUsageInfoSchema = lazyObject(() => ({
  name: z.string(),
  parameters: z.unknown(),
  result: z.unknown(),
  success: z.boolean(),
  executionTime: z.number().nonnegative().optional().describe("ms"),
  category: z
    .string()
    .optional()
    .describe("Category of the tool in the agent's profile (an extension)."),
  riskLevel: riskLevelSchema
    .optional()
    .describe("Risk of the tool in the agent's profile (an extension)."),
  version: z.string().optional().describe("Version of the tool when it was called (an extension)."),
  approval: approvalSchema.optional().describe("Approval of the call (an extension)."),
}));
/** A tool call that led to the answer under evaluation. */
export type ToolUsageInfo = z.infer<typeof toolUsageInfoSchema>;

export const customerProfileSchema = lazyObject(() => ({
  customerId: z.string(),
  customerTier: z.string().optional(),
  riskRating: z.string().optional(),
  accountTypes: z.array(z.string()).optional(),
  relationshipLength: z.number().nonnegative().optional().describe("Months."),
  previousViolations: z.number().nonnegative().optional(),
}));
/** The customer on whose behalf the agent acts. */
export type CustomerProfile = z.infer<typeof customerProfileSchema>;

export const transactionContextSchema = lazySchema(() =>
  z
    .object({
      transactionId: z.string(),
      transactionType: z.string(),
      frequency: z.string(),
      location: z.string(),
      merchantCategory: z.string(),
      amount: z.number(),
    })
    .partial(),
);
/** The transaction that the conversation is about. */
export type TransactionContext = z.infer<typeof transactionContextSchema>;

export const interactionContextSchema = lazyObject(() => ({
  agentId: z.string(),
  agentCategory: agentCategorySchema,
  sessionId: z.string(),
  timestamp: z.number(),
  agentSpecialty: bankingSpecialtySchema.optional(),
  userMessage: z.string().optional(),
  agentResponse: z.string().optional(),
  toolsUsed: z.array(toolUsageInfoSchema).optional(),
  userId: z.string().optional(),
  metadata: z.unknown().optional(),
  customerProfile: customerProfileSchema.optional(),
  transactionContext: transactionContextSchema.optional(),
  riskFactors: z.array(z.string()).optional(),
}));
/** One interaction as a rule sees it. */
export type InteractionContext = z.infer<typeof interactionContextSchema>;

export const violationContextSchema = lazyPartialObject(() => ({
  detectedContent: z.string().describe("Masked excerpt of the original text."),
  detectedPattern: z.string().describe("Stable id of the pattern that fired."),
  riskFactors: z.array(z.string()),
  relatedViolations: z.array(z.string()),
  alsoMatched: z
    .array(z.string())
    .describe("Ids of the rule's other patterns that fired on the passage (an extension)."),
  groupedUnder: z
    .string()
    .describe("Rule of the most severe finding on the passage (an extension)."),
  customerImpact: impactLevelSchema,
  businessImpact: impactLevelSchema,
  regulatoryImpact: z.string().describe("Citation of the law and the date it was read."),
  ruleVersion: z.string().describe("Version of the rule (an extension)."),
  packId: z.string().describe("Pack of rules that the rule is of (an extension)."),
  packVersion: z.string().describe("Version of the pack (an extension)."),
  packSha256: z.string().describe("Digest of the pack's files, in hex (an extension)."),
  overridePackId: z.string().describe("Pack of the bank that has changed the rule (an extension)."),
  overridePackVersion: z.string().describe("Version of that pack (an extension)."),
  overridePackSha256: z.string().describe("Digest of that pack's file, in hex (an extension)."),
  secondLookVersion: z
    .string()
    .describe("Version of the model that made or confirmed the finding (an extension)."),
  secondLookSha256: z.string().describe("Digest of the model's files, in hex (an extension)."),
}));
/** Evidence of a finding. */
export type ViolationContext = z.infer<typeof violationContextSchema>;

export const complianceViolationSchema = lazyObject(() => ({
  rule: z.string().describe("Rule id."),
  severity: complianceSeveritySchema,
  description: z.string(),
  context: violationContextSchema.optional(),
  recommendation: z.string().optional(),
  confidence: confidenceSchema.optional(),
  timestamp: z.number().optional(),
}));
/** A finding of one rule. */
export type ComplianceViolation = z.infer<typeof complianceViolationSchema>;

export const complianceFlagSchema = lazySchema(() =>
  complianceViolationSchema.extend({
    category: complianceCategorySchema.describe("Category of the rule."),
  }),
);
/** A finding as it stands on an `agent_response`: the violation and its rule's category. */
export type ComplianceFlag = z.infer<typeof complianceFlagSchema>;

export const complianceResultSchema = lazyObject(() => ({
  isCompliant: z.boolean(),
  violations: z.array(complianceViolationSchema),
  riskScore: percentSchema,
  requiresReview: z.boolean(),
  candidates: z
    .array(complianceViolationSchema)
    .optional()
    .describe("What was found with less confidence than its rule asks for (an extension)."),
  metadata: partialObject({
    evaluationTime: z.number().nonnegative().describe("ms"),
    rulesEvaluated: z.number().nonnegative(),
    confidence: confidenceSchema,
  }).optional(),
}));
/** Outcome of a rule or of the whole engine. */
export type ComplianceResult = z.infer<typeof complianceResultSchema>;

export const complianceRuleSchema = lazyObject(() => ({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string(),
  category: complianceCategorySchema,
  severity: complianceSeveritySchema,
  isActive: z.boolean(),
  ruleFunction: functionSchema<
    (context: InteractionContext) => ComplianceResult | PromiseLike<ComplianceResult>
  >("(context) => ComplianceResult"),
  version: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
  tags: z.array(z.string()).optional(),
}));
/** A rule that the engine evaluates. */
export type ComplianceRule = z.infer<typeof complianceRuleSchema>;
