import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import { wholeText } from "../../text/word-patterns.ts";
import { findApproval } from "./approver.ts";
import { hasFailed } from "./tool-results.ts";
import { toolWords } from "./tool-words.ts";
import { READS } from "./tool-verbs.ts";

const DECIDES = wholeText`
  decide|decisions?|adjudicate|approve|underwrite|underwriting
  deny|denies|decline|reject|terminate|close|revoke
`;
const DECIDED_ABOUT = wholeText`
  loans?|credit|mortgage|limit|line|increase|card|underwriting
  applications?|applicant|accounts?|claim|dispute
`;
const TELLS = wholeText`
  ${READS}|query|view|status|explain|letter|notice|send|notify|simulate|preview|draft|recommend
`;

function decides({ name }: ToolUsageInfo): boolean {
  const words = toolWords(name);
  return (
    words.some((word) => DECIDES.test(word)) &&
    words.some((word) => DECIDED_ABOUT.test(word)) &&
    !words.some((word) => TELLS.test(word))
  );
}

/**
 * Names a tool that decided about a customer although the call says that no person approved it.
 *
 * A call that says nothing of approvers proves nothing.
 */
export function findUnapprovedDecision({ toolsUsed = [] }: InteractionContext): string | undefined {
  return toolsUsed.find(
    (tool) => decides(tool) && !hasFailed(tool) && findApproval(tool) === "denied",
  )?.name;
}
