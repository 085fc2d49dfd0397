import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import {
  isBanksOwn,
  isThirdParty,
  readAccountTalk,
  type AccountTalk,
} from "../identifiers/account-owners.ts";
import { findMentions, nameOf, type Mention } from "../identifiers/exchange-identifiers.ts";

const THIRD_PARTY_CONFIDENCE = 0.85;

function judge({ text, identifier }: Mention, talk: AccountTalk): Finding | undefined {
  const { form, certainty, start, end } = identifier;
  const isAgent = text.source === "agentResponse";
  const range = { start, end };
  if (isBanksOwn(text.folded, range)) return undefined;
  if (isAgent && isThirdParty(text.folded, range, talk)) {
    return {
      pattern: "third-party",
      description: "The agent's answer contains the account number of somebody else.",
      severity: "violation",
      confidence: THIRD_PARTY_CONFIDENCE,
      text,
      range,
    };
  }
  if (form !== "with-routing") return undefined;
  return {
    pattern: form,
    description: `${nameOf(text)} contains an account number together with its routing number.`,
    confidence: certainty,
    text,
    range,
  };
}

/**
 * Flags bank account numbers that can be misused: with a routing number beside them, or of somebody else.
 *
 * The bank's own routing number is public, and the customer's own account number alone opens nothing.
 *
 * @see 12 CFR § 1016.10 (Regulation P); ANSI X9.100-160
 */
export const privacyAccountNumber = defineBuiltInRule({
  id: "privacy-account-number",
  name: "Account number exposure",
  description:
    "A full bank account number together with a valid routing number, or of a person other than the customer.",
  explanation: "A full bank account number is exposed.",
  category: "privacy",
  severity: "warning",
  law: {
    citation: "12 CFR §§ 1016.10, 1016.12 (Regulation P); 15 U.S.C. § 6802",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Give full account numbers only to the authenticated owner, in the secure area and not in a message.",
  impact: { customer: "high", business: "moderate" },
  patterns: ["third-party", "with-routing"],
  *check(context) {
    const mentions = findMentions(context, "account-number");
    if (mentions.length === 0) return;
    const talk = readAccountTalk(context.userMessage);
    for (const mention of mentions) {
      const finding = judge(mention, talk);
      if (finding) yield finding;
    }
  },
});
