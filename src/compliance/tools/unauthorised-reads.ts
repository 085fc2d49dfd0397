import type { ToolUsageInfo } from "../../events/compliance.ts";
import { wholeText } from "../../text/word-patterns.ts";
import { figuresOf, KnownFigures } from "./figures.ts";
import { listValues, toWords, type NamedValue } from "./tool-results.ts";

const ENTITLED = wholeText`
  (?:is )?(?:caller |user |requester )?(?:authori[sz]ed|entitled|permitted|account owner|owner verified)
  (?:has )?(?:consent|authori[sz]ation)
`;
const RELATION = wholeText`
  (?:caller |requester |user )?(?:relation|relationship)(?: to (?:caller|customer|owner|applicant))?
`;
const NO_RELATION = wholeText`
  none|no|n/a|unrelated|stranger|third party|not related|no relation
`;

function deniesEntitlement({ name, value }: NamedValue): boolean {
  const text = toWords(String(value).trim());
  if (ENTITLED.test(name))
    return value === false || text === "false" || text === "no" || text === "none";
  return RELATION.test(name) && NO_RELATION.test(text);
}

/**
 * Returns whether an answer states figures of a record although the call that read it says that who asks is not entitled
 * to it.
 */
export function statesForbiddenRecord(tool: ToolUsageInfo, answer: string): boolean {
  if (!tool.success || !listValues(tool.parameters).some(deniesEntitlement)) return false;
  const numbers = listValues(tool.result).flatMap(({ value }) =>
    typeof value === "number" && value !== 0 ? [value] : [],
  );
  const known = new KnownFigures(numbers);
  return figuresOf(answer).some(({ value }) => known.has(value));
}
