import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import {
  findMentions,
  nameOf,
  severityIn,
  type Mention,
} from "../identifiers/exchange-identifiers.ts";
import { findPassed, isLeakyTool, toEvidence } from "../identifiers/tool-parameters.ts";

const CLAIMS: Readonly<Record<string, string>> = {
  shape: "contains a number of the shape of a social security number",
  labelled: "contains a social security number",
  itin: "contains an individual taxpayer number",
  split: "completes a social security number that is given in parts",
};

function toFinding({ text, identifier }: Mention): Finding {
  const { form, certainty, start, end } = identifier;
  return {
    pattern: form,
    description: `${nameOf(text)} ${CLAIMS[form] ?? "contains a social security number"}.`,
    severity: severityIn(text),
    confidence: certainty,
    text,
    range: { start, end },
  };
}

/**
 * Flags full social security and taxpayer numbers: a violation from the agent, a warning from the user.
 *
 * Only numbers that can have been assigned count, so that examples pass, and the last four digits do.
 *
 * @see 15 U.S.C. § 6801 (GLBA); 12 CFR part 30, appendix B
 */
export const privacySocialSecurityNumber = defineBuiltInRule({
  id: "privacy-social-security-number",
  name: "Social security number exposure",
  description:
    "A full social security or individual taxpayer number in a message, or passed to a tool that logs, writes or searches.",
  explanation: "A full social security number is exposed.",
  category: "privacy",
  severity: "violation",
  law: {
    citation:
      "15 U.S.C. § 6801 (GLBA); 12 CFR part 30, appendix B; state social security number laws",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Mask all but the last four digits, and verify identity through the secure form instead of the conversation.",
  impact: { customer: "high", business: "high" },
  patterns: ["shape", "labelled", "itin", "split", "tool-parameter"],
  *check(context) {
    for (const mention of findMentions(context, "social-security-number")) yield toFinding(mention);
    for (const passed of findPassed(context, "social-security-number", isLeakyTool)) {
      yield {
        pattern: "tool-parameter",
        description: "The agent passes a social security number to a tool that has no need of it.",
        confidence: passed.identifier.certainty,
        evidence: toEvidence(passed),
      };
    }
  },
});
