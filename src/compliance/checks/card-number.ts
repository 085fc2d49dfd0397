import type { InteractionContext } from "../../events/compliance.ts";
import type { Finding } from "../rule-definition.ts";
import type { Exchange } from "../../phrases/exchange.ts";
import type { Check } from "./check.ts";
import { isAboutCardOnFile } from "../messages/card-on-file.ts";
import { findMentions, toMentionFinding, type Mention } from "../messages/exchange-identifiers.ts";
import { findPassed, hasNoNeed, isTakingTool, toPassedFinding } from "../tools/tool-parameters.ts";

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

function toFinding(mention: Mention): Finding {
  const { form } = mention.identifier;
  const finding = toMentionFinding(mention, CLAIMS[form] ?? "contains a payment card number");
  return isExposure(form) ? finding : { ...finding, severity: "info" };
}

/** Finds the numbers of a card on file that the user has not given: a reference to it is enough for every tool. */
function* findOnFile(context: InteractionContext, exchange: Exchange): Iterable<Finding> {
  const { userMessage = "" } = context;
  if (!isAboutCardOnFile(userMessage)) return;
  const isGiven = findMentions(exchange, "card-number").some(
    ({ text }) => text.source === "userMessage",
  );
  if (isGiven) return;
  const mayRefer = (tool: string): boolean => !hasNoNeed(tool) && !isTakingTool(tool);
  for (const passed of findPassed(context, "card-number", mayRefer)) {
    if (!isExposure(passed.identifier.form)) continue;
    const finding = toPassedFinding(
      passed,
      "The agent passes the full number of a card on file to a tool: a reference to the card is enough.",
    );
    yield { ...finding, severity: "warning" };
  }
}

/** Finds full payment card numbers in either message, and in what is passed to tools that have no need of them. */
export const cardNumber: Check = {
  *find(context, exchange) {
    for (const mention of findMentions(exchange, "card-number")) yield toFinding(mention);
    for (const passed of findPassed(context, "card-number", hasNoNeed)) {
      if (!isExposure(passed.identifier.form)) continue;
      yield toPassedFinding(
        passed,
        "The agent passes a payment card number to a tool that has no need of it.",
      );
    }
    yield* findOnFile(context, exchange);
  },
};
