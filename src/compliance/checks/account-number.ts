import type { Finding } from "../rule-definition.ts";
import type { Check } from "./check.ts";
import {
  isBanksOwn,
  isThirdParty,
  readAccountTalk,
  type AccountTalk,
} from "../messages/account-owners.ts";
import { findMentions, nameOf, type Mention } from "../messages/exchange-identifiers.ts";
import { findPassed, isLeakyTool, toPassedFinding } from "../tools/tool-parameters.ts";

const THIRD_PARTY_CONFIDENCE = 0.85;

function judge({ text, identifier }: Mention, talk: AccountTalk): Finding | undefined {
  const { form, certainty, start, end } = identifier;
  const isAgent = text.source === "agentResponse";
  const range = { start, end };
  if (isBanksOwn(text.folded, range)) return undefined;
  if (isAgent && isThirdParty(text.folded, range, talk, form === "owned")) {
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
 * Finds account numbers with their routing number beside them, or of somebody else than the customer, and what is
 * passed with its routing number to tools that have no need of it.
 */
export const accountNumber: Check = {
  *find(context, exchange) {
    const mentions = findMentions(exchange, "account-number");
    if (mentions.length > 0) {
      const talk = readAccountTalk(context.userMessage, exchange.earlierMessages.at(-1)?.folded);
      for (const mention of mentions) {
        const finding = judge(mention, talk);
        if (finding) yield finding;
      }
    }
    for (const passed of findPassed(context, "account-number", isLeakyTool)) {
      if (passed.identifier.form !== "with-routing") continue;
      yield toPassedFinding(
        passed,
        "The agent passes a bank account number to a tool that has no need of it.",
      );
    }
  },
};
