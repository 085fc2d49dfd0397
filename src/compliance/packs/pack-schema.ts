import * as z from "zod";
import { impactLevelSchema } from "../../events/base-event.ts";
import {
  complianceCategorySchema,
  complianceSeveritySchema,
  interactionContextSchema,
  toolUsageInfoSchema,
} from "../../events/compliance.ts";
import { GUARD_NAMES } from "../../phrases/guards.ts";
import { linear } from "../../text/pattern.ts";
import { splitBlock } from "./phrase-lines.ts";

const MAX_TEXT = 1000;
const MAX_LINES = 5000;
const MAX_NAMED = 1000;
const MAX_CASES = 1000;
const MAX_CASE_TEXT = 64 * 1024;

/** Name of a list or a probe, as phrases write it: `{cash}`, `@otherMatters`. */
const NAME = linear(/^[a-z][A-Za-z0-9]{0,47}$/);
/** Id of a rule or a pattern. */
const ID = linear(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
const ID_EXPECTED = "expected lower-case words joined by hyphens";
const VERSION = linear(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/);
const DATE = linear(/^\d{4}-\d{2}-\d{2}$/);

const textSchema = z.string().trim().min(1).max(MAX_TEXT);
const notesSchema = z
  .string()
  .trim()
  .min(1)
  .max(5 * MAX_TEXT);
const patternNameSchema = z.string().regex(ID, ID_EXPECTED);
/** Id of a pack, a rule or a pattern. */
export const idSchema = z.string().max(100).regex(ID, ID_EXPECTED);
/** Name of a list. */
export const listNameSchema = z
  .string()
  .regex(NAME, "expected a name in camel case, letters and digits");
const versionSchema = z.string().regex(VERSION, "expected a version such as 1.0.0");

/** Phrases or alternatives: a block of text with one a line, or a list. */
export const linesSchema = z
  .union([
    z.string().transform((block) => splitBlock(block).map(({ text }) => text)),
    z.array(z.string().trim().min(1)),
  ])
  .pipe(z.array(z.string().max(MAX_TEXT)).min(1).max(MAX_LINES));

/** Members by name, a bounded number. */
export function namedSchema<Value extends z.ZodType>(name: z.ZodString, value: Value) {
  return z
    .record(name, value)
    .refine((record) => Object.keys(record).length <= MAX_NAMED, `expected at most ${MAX_NAMED}`);
}

const namedLinesSchema = namedSchema(listNameSchema, linesSchema);

/** What both patterns and probes look for. */
const groupMembers = {
  match: linesSchema,
  in: z.enum(["userMessage", "agentResponse"]).optional(),
  within: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  user: linesSchema.optional(),
  inSession: z.boolean().optional(),
  about: linesSchema.optional(),
  alongside: linesSchema.optional(),
  unless: linesSchema.optional(),
  unlessAnywhere: linesSchema.optional(),
  ignore: z.array(z.enum(GUARD_NAMES)).optional(),
  guards: z.array(z.enum(GUARD_NAMES)).optional(),
};

/** Phrases that a rule's check looks for in its own way. */
const probeSchema = z.strictObject(groupMembers);

const patternSchema = z.strictObject({
  ...groupMembers,
  confidence: z.number().min(0).max(1).optional(),
  severity: complianceSeveritySchema.optional(),
  description: textSchema.optional(),
});

/** A pattern that the check finds; it has no phrases. */
const checkedPatternSchema = z.strictObject({ foundBy: z.literal("check") });

const lawSchema = z.strictObject({
  citation: textSchema,
  asOf: z.string().regex(DATE, "expected a date, YYYY-MM-DD"),
  status: z.enum(["in force", "proposed", "guidance"]),
  note: textSchema.optional(),
});

const contextSchema = z.strictObject({
  ...interactionContextSchema.shape,
  // Cases are kept as they are written, extensions included.
  toolsUsed: z.array(
    z.looseObject({ ...toolUsageInfoSchema.shape, approval: z.unknown().optional() }),
  ),
  userMessage: z.string().max(MAX_CASE_TEXT),
  agentResponse: z.string().max(MAX_CASE_TEXT),
});
const turnSchema = contextSchema.partial();
const caseMembers = { ...turnSchema.shape, history: z.array(turnSchema).optional() };

const casesSchema = z.strictObject({
  violating: z
    .array(
      z.strictObject({
        ...caseMembers,
        pattern: idSchema,
        detects: z.string().optional(),
        severity: complianceSeveritySchema.optional(),
      }),
    )
    .min(1)
    .max(MAX_CASES),
  compliant: z.array(z.strictObject(caseMembers)).min(1).max(MAX_CASES),
});

/** A rule as its file says it. */
export const ruleSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  title: textSchema,
  category: complianceCategorySchema,
  severity: complianceSeveritySchema,
  threshold: z.number().min(0).max(1).optional(),
  alwaysReview: z.boolean().optional(),
  confidential: z.boolean().optional(),
  description: textSchema,
  explanation: textSchema,
  notes: notesSchema.optional(),
  law: lawSchema,
  recommendation: textSchema,
  impact: z.strictObject({ customer: impactLevelSchema, business: impactLevelSchema }),
  check: idSchema.optional(),
  exemption: idSchema.optional(),
  patterns: namedSchema(patternNameSchema, z.union([checkedPatternSchema, patternSchema])).refine(
    (patterns) => Object.keys(patterns).length > 0,
    "expected at least one pattern",
  ),
  probes: namedSchema(
    z.string().regex(NAME, "expected a name in camel case"),
    probeSchema,
  ).optional(),
  phrases: namedLinesSchema.optional(),
  words: namedLinesSchema.optional(),
  cases: casesSchema,
});

/** Words and phrases that several rules share. */
export const wordsSchema = z.strictObject({
  phrases: namedLinesSchema.optional(),
  words: namedLinesSchema.optional(),
});

/** The pack itself. */
export const packSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  title: textSchema,
  notes: notesSchema,
  /** Categories in the order in which their rules are evaluated. */
  order: z.array(complianceCategorySchema).min(1),
});

/** A rule that its schema has accepted. */
export type PackRule = z.infer<typeof ruleSchema>;
/** Shared words and phrases that their schema has accepted. */
export type PackWords = z.infer<typeof wordsSchema>;
/** What a rule must find and what not. */
export type PackCases = z.infer<typeof casesSchema>;
/** A pattern of a rule. */
export type PackPattern = z.infer<typeof patternSchema>;
/** Phrases for a check. */
export type PackProbe = z.infer<typeof probeSchema>;
