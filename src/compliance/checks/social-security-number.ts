import type { Finding } from "../rule-definition.ts";
import type { Check } from "./check.ts";
import {
  findMentions,
  nameOf,
  severityIn,
  type Mention,
} from "../messages/exchange-identifiers.ts";
import { findPassed, hasNoNeed, toPassedFinding } from "../tools/tool-parameters.ts";

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

/** Finds full social security and taxpayer numbers in either message, and in what is passed to tools that have no need of them. */
export const socialSecurityNumber: Check = {
  *find(context) {
    for (const mention of findMentions(context, "social-security-number")) yield toFinding(mention);
    for (const passed of findPassed(context, "social-security-number", hasNoNeed)) {
      yield toPassedFinding(
        passed,
        "The agent passes a social security number to a tool that has no need of it.",
      );
    }
  },
};
