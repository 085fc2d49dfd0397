import type { InteractionContext } from "../../events/compliance.ts";
import { linear, type Tester } from "../../text/pattern.ts";
import { anyWord, wholeText } from "../../text/word-patterns.ts";
import { hasFailed, listValues, toWords } from "./tool-results.ts";

const DECISION = anyWord`decision|status|outcome|result|approved|approval|underwriting|state`;
const GRANTED = wholeText`approved|accepted|granted|clear to close|final approval|true|yes`;
const SUITABILITY = anyWord`
  suitab\w{0,6}|best interest|adviser|advisor|licensed|reg bi|recommendation
`;
const SUITABLE = wholeText`approved|suitable|passed|pass|true|yes|cleared|licensed`;

const NAME_JOINS = linear(/[_.-]/g);

function saysIn({ toolsUsed = [] }: InteractionContext, name: Tester, answer: Tester): boolean {
  return toolsUsed.some(
    (tool) =>
      !hasFailed(tool) &&
      listValues(tool.result).some((one) => name.test(one.name) && answer.test(toWords(one.value))),
  );
}

/** Returns whether a tool reported that an application was approved. */
export function hasApproval(context: InteractionContext): boolean {
  return saysIn(context, DECISION, GRANTED);
}

/** Returns whether a tool reported that a recommendation suits the customer. */
export function hasSuitability(context: InteractionContext): boolean {
  if (saysIn(context, SUITABILITY, SUITABLE)) return true;
  return (context.toolsUsed ?? []).some(
    (tool) =>
      SUITABILITY.test(tool.name.replaceAll(NAME_JOINS, " ").toLowerCase()) &&
      !hasFailed(tool) &&
      listValues(tool.result).some(({ value }) => SUITABLE.test(String(value).toLowerCase())),
  );
}
