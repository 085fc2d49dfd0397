import * as z from "zod";
import { complianceSeveritySchema } from "../../events/compliance.ts";
import {
  idSchema,
  linesSchema,
  listNameSchema,
  namedSchema,
  packSchema,
  ruleSchema,
  wordsSchema,
} from "./pack-schema.ts";

const MAX_RULES = 200;

/** A rule of a bank's pack finds what phrases say: checks are code, and need phrases that the build compiles. */
const policyRuleSchema = ruleSchema.omit({ check: true, exemption: true, probes: true });

const listChangeSchema = z
  .strictObject({
    active: z.boolean().optional(),
    replace: linesSchema.optional(),
    add: linesSchema.optional(),
    remove: linesSchema.optional(),
  })
  .refine(({ active, replace, add, remove }) => {
    const ways = [active !== undefined, replace !== undefined, (add ?? remove) !== undefined];
    return ways.filter(Boolean).length === 1;
  }, "expected either active, or replace, or add and remove");

const namedChangesSchema = namedSchema(listNameSchema, listChangeSchema);

/** Changes of lists of the built-in rules. */
const listChanges = {
  words: namedChangesSchema.optional(),
  phrases: namedChangesSchema.optional(),
};

/** What of a rule, and of a pattern, can be another. */
const findingMembers = {
  active: z.boolean().optional(),
  severity: complianceSeveritySchema.optional(),
  threshold: z.number().min(0).max(1).optional(),
};

const hasMembers = (override: object): boolean => Object.keys(override).length > 0;
const NO_MEMBERS = "expected at least one member";

const secondLookSchema = z.strictObject({ active: z.boolean() });

const overrideSchema = z
  .strictObject({
    ...findingMembers,
    alwaysReview: z.boolean().optional(),
    patterns: z
      .record(idSchema, z.strictObject(findingMembers).refine(hasMembers, NO_MEMBERS))
      .optional(),
    secondLook: secondLookSchema.optional(),
    ...listChanges,
  })
  .refine(hasMembers, NO_MEMBERS);

/** A bank's own pack: what several files say of the built-in one stands in one. */
export const policySchema = z
  .strictObject({
    pack: packSchema.omit({ order: true }).partial({ notes: true }),
    ...wordsSchema.shape,
    rules: z.array(policyRuleSchema).max(MAX_RULES).optional(),
    overrides: namedSchema(idSchema, overrideSchema).optional(),
    listOverrides: z.strictObject(listChanges).optional(),
    secondLook: secondLookSchema.optional(),
  })
  .refine(
    ({ rules = [], overrides = {}, listOverrides = {}, secondLook }) =>
      secondLook !== undefined ||
      rules.length + Object.keys(overrides).length + Object.keys(listOverrides).length > 0,
    "expected rules or overrides",
  );

/** A pack that its schema has accepted. */
export type PolicyFile = z.infer<typeof policySchema>;
