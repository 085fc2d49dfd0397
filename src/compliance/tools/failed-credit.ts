import type { InteractionContext } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";
import { hasFailed, toolsNamed } from "./tool-results.ts";

const GIVES_BACK = linear(
  /\b(?:refunds?|reimburs\w+|revers\w+|waiv\w+|waivers?|credits?|fees?|adjust\w*|rebates?|goodwill|forgiv\w+|compensat\w+|disput\w+|chargebacks?|claims?|charges?|returns?|payouts?|concessions?)\b/,
);

/** Finds the tool that was to refund, reverse or waive and failed without a later success. */
export function findFailedCredit(context: InteractionContext): string | undefined {
  const tools = toolsNamed(context, GIVES_BACK);
  return tools.length > 0 && tools.every(hasFailed) ? tools.at(-1)?.name : undefined;
}
