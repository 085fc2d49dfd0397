import type { Check } from "./check.ts";
import { findMentions, toMentionFinding } from "../messages/exchange-identifiers.ts";
import { findPassed, toPassedFinding } from "../tools/tool-parameters.ts";

/** Finds credentials of systems in either message, and in what is passed to tools. */
export const secret: Check = {
  *find(context, exchange) {
    for (const mention of findMentions(exchange, "secret")) {
      const kind = mention.identifier.form.replace("-", " ");
      yield toMentionFinding(mention, `contains a credential (${kind})`);
    }
    for (const passed of findPassed(context, "secret")) {
      yield toPassedFinding(
        passed,
        `The agent passes a credential (${passed.identifier.form.replace("-", " ")}) to a tool.`,
      );
    }
  },
};
