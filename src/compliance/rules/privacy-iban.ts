import { defineBuiltInRule } from "../define-rule.ts";
import { findMentions, nameOf, severityIn } from "../identifiers/exchange-identifiers.ts";
import { findPassed, isLeakyTool, toEvidence } from "../identifiers/tool-parameters.ts";

/**
 * Flags international bank account numbers: a violation from the agent, a warning from the user.
 *
 * Exact length of the country and valid check digits are needed; references that merely look alike pass.
 *
 * @see ISO 13616-1; 15 U.S.C. § 6801 (GLBA)
 */
export const privacyIban = defineBuiltInRule({
  id: "privacy-iban",
  name: "IBAN exposure",
  description:
    "A full international bank account number in a message, or passed to a tool that logs, writes or searches.",
  explanation: "A full international bank account number is exposed.",
  category: "privacy",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 6801 (GLBA); Regulation (EU) 2016/679, art. 5(1)(f)",
    asOf: "2026-11-21",
    status: "in force",
    note: "The regulation of the EU applies to persons there.",
  },
  recommendation: "Mask the number except its country and the last four characters.",
  impact: { customer: "high", business: "moderate" },
  patterns: ["checksum", "split", "tool-parameter"],
  *check(context) {
    for (const { text, identifier } of findMentions(context, "iban")) {
      const { form, certainty, start, end } = identifier;
      const verb = form === "split" ? "completes" : "contains";
      yield {
        pattern: form,
        description: `${nameOf(text)} ${verb} an international bank account number.`,
        severity: severityIn(text),
        confidence: certainty,
        text,
        range: { start, end },
      };
    }
    for (const passed of findPassed(context, "iban", isLeakyTool)) {
      yield {
        pattern: "tool-parameter",
        description: "The agent passes a bank account number to a tool that has no need of it.",
        confidence: passed.identifier.certainty,
        evidence: toEvidence(passed),
      };
    }
  },
});
