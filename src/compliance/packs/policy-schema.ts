import * as z from "zod";
import { complianceSeveritySchema } from "../../events/compliance.ts";
import { idSchema, packSchema, ruleSchema, wordsSchema } from "./pack-schema.ts";

const MAX_RULES = 200;
const MAX_OVERRIDES = 1000;

/** A rule of a bank's pack finds what phrases say: checks are code, and need phrases that the build compiles. */
const policyRuleSchema = ruleSchema.omit({ check: true, exemption: true, probes: true });

const overrideSchema = z
  .strictObject({
    active: z.boolean().optional(),
    severity: complianceSeveritySchema.optional(),
    threshold: z.number().min(0).max(1).optional(),
    alwaysReview: z.boolean().optional(),
    patterns: z.record(idSchema, z.strictObject({ active: z.boolean() })).optional(),
  })
  .refine((override) => Object.keys(override).length > 0, "expected at least one member");

/** A bank's own pack: what several files say of the built-in one stands in one. */
export const policySchema = z
  .strictObject({
    pack: packSchema.omit({ order: true }).partial({ notes: true }),
    ...wordsSchema.shape,
    rules: z.array(policyRuleSchema).max(MAX_RULES).optional(),
    overrides: z
      .record(idSchema, overrideSchema)
      .refine(
        (record) => Object.keys(record).length <= MAX_OVERRIDES,
        `expected at most ${MAX_OVERRIDES}`,
      )
      .optional(),
  })
  .refine(
    ({ rules = [], overrides = {} }) => rules.length + Object.keys(overrides).length > 0,
    "expected rules or overrides",
  );

/** A pack that its schema has accepted. */
export type PolicyFile = z.infer<typeof policySchema>;
