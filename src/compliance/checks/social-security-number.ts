import type { Check } from "./check.ts";
import { findMentions, toMentionFinding } from "../messages/exchange-identifiers.ts";
import { findPassed, hasNoNeed, toPassedFinding } from "../tools/tool-parameters.ts";

const CLAIMS: Readonly<Record<string, string>> = {
  shape: "contains a number of the shape of a social security number",
  labelled: "contains a social security number",
  itin: "contains an individual taxpayer number",
  split: "completes a social security number that is given in parts",
};

/** Finds full social security and taxpayer numbers in either message, and in what is passed to tools that have no need of them. */
export const socialSecurityNumber: Check = {
  *find(context, exchange) {
    for (const mention of findMentions(exchange, "social-security-number")) {
      const claim = CLAIMS[mention.identifier.form] ?? "contains a social security number";
      yield toMentionFinding(mention, claim);
    }
    for (const passed of findPassed(context, "social-security-number", hasNoNeed)) {
      yield toPassedFinding(
        passed,
        "The agent passes a social security number to a tool that has no need of it.",
      );
    }
  },
};
