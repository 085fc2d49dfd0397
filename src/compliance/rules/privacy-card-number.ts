import type { InteractionContext } from "../../events/compliance.ts";
import { defineRule, type Finding } from "../define-rule.ts";
import { findCardNumbers, type CardNumber } from "../text/card-numbers.ts";
import { readExchange, type SourceText } from "../text/exchange.ts";

/** A valid check digit in a known issuer range leaves little doubt. */
const CHECKSUM_CONFIDENCE = 0.99;
/** As likely the order or reference number that its label says. */
const LABELLED_CONFIDENCE = 0.5;

function toFinding(text: SourceText, { kind, start, end }: CardNumber): Finding {
  const speaker = text.source === "agentResponse" ? "The agent's answer" : "The user's message";
  const found = { pattern: kind, text, range: { start, end } };
  switch (kind) {
    case "checksum":
      return {
        ...found,
        description: `${speaker} contains a payment card number.`,
        severity: text.source === "agentResponse" ? "violation" : "warning",
        confidence: CHECKSUM_CONFIDENCE,
      };
    case "test-number":
      return {
        ...found,
        description: `${speaker} contains a card number that networks publish for tests.`,
        severity: "info",
        confidence: CHECKSUM_CONFIDENCE,
      };
    case "labelled-otherwise":
      return {
        ...found,
        description: `${speaker} contains a number that would pass as a card but is labelled as something else.`,
        severity: "info",
        confidence: LABELLED_CONFIDENCE,
      };
  }
}

/**
 * Flags payment card numbers in either message: a violation from the agent, a warning from the user.
 *
 * Masked numbers pass. A checksum without a known issuer does not count, because device ids and
 * order numbers have one as well.
 *
 * @see PCI DSS v4, 3.4; 15 U.S.C. § 6801 (GLBA)
 */
export const privacyCardNumber = defineRule({
  id: "privacy-card-number",
  name: "Card number exposure",
  description: "A full payment card number in a message.",
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
  patterns: ["checksum", "test-number", "labelled-otherwise"],
  *check(context: InteractionContext) {
    const { userMessage, agentResponse } = readExchange(context);
    for (const text of [userMessage, agentResponse]) {
      if (!text) continue;
      for (const card of findCardNumbers(text.folded)) yield toFinding(text, card);
    }
  },
});
