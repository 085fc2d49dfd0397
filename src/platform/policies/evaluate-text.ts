import * as z from "zod";
import { agentCategorySchema, bankingSpecialtySchema } from "../../events/base-event.ts";
import type { ComplianceFlag } from "../../testing.ts";
import { createEngine, loadRules } from "./rule-engine.ts";

/** Characters that a text may have. */
const MAX_TEXT = 32_768;

/** A text to be tried, as an agent's answer. */
export const textSchema = z.strictObject({
  content: z.string().min(1).max(MAX_TEXT),
  userMessage: z.string().max(MAX_TEXT).optional(),
  agentCategory: agentCategorySchema.default("tool_calling"),
  agentSpecialty: bankingSpecialtySchema.optional(),
  channel: z.string().min(1).max(64).optional(),
});

/** A text to be tried, as an agent's answer. */
export type TriedText = z.infer<typeof textSchema>;

const spanSchema = z.object({
  source: z.enum(["agentResponse", "userMessage"]),
  start: z.int(),
  end: z.int(),
});

/** Where something was found, in UTF-16 units. */
export type TriedSpan = z.infer<typeof spanSchema>;

function readSpans({ context }: ComplianceFlag): TriedSpan[] {
  const spans = z.array(spanSchema).safeParse(context?.["spans"]);
  return spans.data ?? [];
}

/** Evaluates a text with the built-in rules. Nothing of it is kept: the engine is thrown away, and with it what it remembers. */
export async function evaluateText({ content, userMessage, channel, ...facts }: TriedText) {
  const { builtInRules } = await loadRules();
  const engine = await createEngine(builtInRules);
  const evaluation = engine.evaluate(
    {
      ...facts,
      agentId: "playground",
      sessionId: "playground",
      timestamp: 0,
      agentResponse: content,
      ...(userMessage !== undefined && { userMessage }),
      ...(channel !== undefined && { metadata: { channel } }),
    },
    { candidates: true },
  );
  const rules = new Map(builtInRules.map((rule) => [rule.id, rule]));
  const describe = (flag: ComplianceFlag, isCandidate: boolean) => {
    const rule = rules.get(flag.rule);
    const { detectedPattern, detectedContent } = flag.context ?? {};
    return {
      rule: flag.rule,
      ...(rule
        ? { name: rule.name, threshold: rule.threshold, law: rule.law }
        : { name: flag.rule, threshold: null, law: null }),
      category: flag.category,
      severity: flag.severity,
      description: flag.description,
      recommendation: flag.recommendation ?? null,
      confidence: flag.confidence ?? null,
      pattern: detectedPattern ?? null,
      quote: detectedContent ?? null,
      spans: readSpans(flag),
      isCandidate,
    };
  };
  const { violations, candidates = [], riskScore, requiresReview, metadata } = evaluation;
  return {
    findings: [
      ...violations.map((flag) => describe(flag, false)),
      ...candidates.map((flag) => describe(flag, true)),
    ],
    riskScore,
    requiresReview,
    rulesEvaluated: metadata.rulesEvaluated,
    riskThreshold: metadata.riskThreshold,
    truncated: metadata.truncated === true,
  };
}

/** What the rules say of a text. */
export type TriedResult = Awaited<ReturnType<typeof evaluateText>>;
