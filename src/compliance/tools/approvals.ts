import type { InteractionContext } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";
import { hasFailed, listValues } from "./tool-results.ts";

const DECISION = linear(
  /\b(?:decision|status|outcome|result|approved|approval|underwriting|state)\b/,
);
const GRANTED = linear(/^(?:approved|accepted|granted|clear to close|final approval|true|yes)$/);
const SUITABILITY = linear(
  /\b(?:suitab\w{0,6}|best interest|adviser|advisor|licensed|reg bi|recommendation)\b/,
);
const SUITABLE = linear(/^(?:approved|suitable|passed|pass|true|yes|cleared|licensed)$/);
const JOINS = linear(/[_-]/g);
const NAME_JOINS = linear(/[_.-]/g);

function saysIn({ toolsUsed = [] }: InteractionContext, name: RegExp, answer: RegExp): boolean {
  return toolsUsed.some(
    (tool) =>
      !hasFailed(tool) &&
      listValues(tool.result).some(
        (one) =>
          name.test(one.name) &&
          answer.test(String(one.value).toLowerCase().replaceAll(JOINS, " ")),
      ),
  );
}

/** Tells whether a tool reported that an application was approved. */
export function hasApproval(context: InteractionContext): boolean {
  return saysIn(context, DECISION, GRANTED);
}

/** Tells whether a tool reported that a recommendation suits the customer. */
export function hasSuitability(context: InteractionContext): boolean {
  if (saysIn(context, SUITABILITY, SUITABLE)) return true;
  return (context.toolsUsed ?? []).some(
    (tool) =>
      SUITABILITY.test(tool.name.replaceAll(NAME_JOINS, " ").toLowerCase()) &&
      !hasFailed(tool) &&
      listValues(tool.result).some(({ value }) => SUITABLE.test(String(value).toLowerCase())),
  );
}
