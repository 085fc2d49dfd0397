import type { InteractionContext } from "../../events/compliance.ts";
import { anyWord } from "../../text/word-patterns.ts";
import { hasFailed, toolsNamed } from "./tool-results.ts";

const GIVES_BACK = anyWord`
  refunds?|reimburs\w+|revers\w+|waiv\w+|credits?|adjust\w*|rebates?|goodwill
  forgiv\w+|compensat\w+|disput\w+|chargebacks?|claims?|returns?|payouts?|concessions?
  fees?|charges?
`;

/** Finds the tool that was to refund, reverse or waive and failed without a later success. */
export function findFailedCredit(context: InteractionContext): string | undefined {
  const tools = toolsNamed(context, GIVES_BACK);
  return tools.length > 0 && tools.every(hasFailed) ? tools.at(-1)?.name : undefined;
}
