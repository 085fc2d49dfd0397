import type { Check } from "./check.ts";
import { findMentions, nameOf, severityIn } from "../messages/exchange-identifiers.ts";
import { findPassed, toPassedFinding } from "../tools/tool-parameters.ts";

/** Finds credentials of systems in either message, and in what is passed to tools. */
export const secret: Check = {
  *find(context) {
    for (const { text, identifier } of findMentions(context, "secret")) {
      const { form, certainty, start, end } = identifier;
      yield {
        pattern: form,
        description: `${nameOf(text)} contains a credential (${form.replace("-", " ")}).`,
        severity: severityIn(text),
        confidence: certainty,
        text,
        range: { start, end },
      };
    }
    for (const passed of findPassed(context, "secret")) {
      yield toPassedFinding(
        passed,
        `The agent passes a credential (${passed.identifier.form.replace("-", " ")}) to a tool.`,
      );
    }
  },
};
