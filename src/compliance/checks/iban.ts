import type { Check } from "./check.ts";
import { findMentions, nameOf, severityIn } from "../messages/exchange-identifiers.ts";
import { findPassed, isLeakyTool, toPassedFinding } from "../tools/tool-parameters.ts";

/** Finds international account numbers in either message, and in what is passed to tools that have no need of them. */
export const iban: Check = {
  *find(context) {
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
      yield toPassedFinding(
        passed,
        "The agent passes a bank account number to a tool that has no need of it.",
      );
    }
  },
};
