import type { Check } from "./check.ts";
import { findMentions, toMentionFinding } from "../messages/exchange-identifiers.ts";
import { findPassed, isLeakyTool, toPassedFinding } from "../tools/tool-parameters.ts";

/** Finds international account numbers in either message, and in what is passed to tools that have no need of them. */
export const iban: Check = {
  *find(context, exchange) {
    for (const mention of findMentions(exchange, "iban")) {
      const verb = mention.identifier.form === "split" ? "completes" : "contains";
      yield toMentionFinding(mention, `${verb} an international bank account number`);
    }
    for (const passed of findPassed(context, "iban", isLeakyTool)) {
      yield toPassedFinding(
        passed,
        "The agent passes a bank account number to a tool that has no need of it.",
      );
    }
  },
};
