import type { ComplianceSeverity } from "../../events/compliance.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import {
  findMentions,
  nameOf,
  severityIn,
  type Mention,
} from "../identifiers/exchange-identifiers.ts";
import { findPassed, isLeakyTool, toEvidence } from "../identifiers/tool-parameters.ts";

const CLAIMS: Readonly<Record<string, string>> = {
  checksum: "contains a payment card number",
  "test-number": "contains a card number that networks publish for tests",
  "labelled-otherwise":
    "contains a number that would pass as a card but is labelled as something else",
  split: "completes a payment card number that is given in parts",
};

function isExposure(form: string): boolean {
  return form === "checksum" || form === "split";
}

function toFinding({ text, identifier }: Mention): Finding {
  const { form, certainty, start, end } = identifier;
  const severity: ComplianceSeverity = isExposure(form) ? severityIn(text) : "info";
  return {
    pattern: form,
    description: `${nameOf(text)} ${CLAIMS[form] ?? "contains a payment card number"}.`,
    severity,
    confidence: certainty,
    text,
    range: { start, end },
  };
}

/**
 * Flags payment card numbers in either message: a violation from the agent, a warning from the user.
 *
 * Masked numbers pass. A checksum without a known issuer does not count, because device ids and order numbers have
 * one as well. A payment tool needs the number; a tool that writes messages, notes or logs does not.
 *
 * @see PCI DSS v4, 3.4; 15 U.S.C. § 6801 (GLBA)
 */
export const privacyCardNumber = defineBuiltInRule({
  id: "privacy-card-number",
  name: "Card number exposure",
  description:
    "A full payment card number in a message, in one piece or in parts, or passed to a tool that logs, writes or searches.",
  explanation: "A full payment card number is exposed.",
  category: "privacy",
  severity: "violation",
  law: {
    citation: "PCI DSS v4, 3.4; 15 U.S.C. § 6801 (GLBA)",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Show the last four digits only, and purge the full number from the conversation and its copies.",
  impact: { customer: "high", business: "high" },
  patterns: ["checksum", "split", "tool-parameter", "test-number", "labelled-otherwise"],
  *check(context) {
    for (const mention of findMentions(context, "card-number")) yield toFinding(mention);
    for (const passed of findPassed(context, "card-number", isLeakyTool)) {
      if (!isExposure(passed.identifier.form)) continue;
      yield {
        pattern: "tool-parameter",
        description: "The agent passes a payment card number to a tool that has no need of it.",
        confidence: passed.identifier.certainty,
        evidence: toEvidence(passed),
      };
    }
  },
});
