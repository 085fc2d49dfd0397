import type { ComplianceSeverity } from "../../events/compliance.ts";
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

/** Finds full payment card numbers in either message, and in what is passed to tools that have no need of them. */
export const cardNumber: Check = {
  *find(context) {
    for (const mention of findMentions(context, "card-number")) yield toFinding(mention);
    for (const passed of findPassed(context, "card-number", hasNoNeed)) {
      if (!isExposure(passed.identifier.form)) continue;
      yield toPassedFinding(
        passed,
        "The agent passes a payment card number to a tool that has no need of it.",
      );
    }
  },
};
