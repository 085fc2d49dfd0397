import type { InteractionContext, ToolUsageInfo } from "../../events/compliance.ts";
import { linear } from "../../text/pattern.ts";
import { findApproval } from "./approver.ts";
import { hasFailed } from "./tool-results.ts";
import { toolWords } from "./tool-words.ts";

const DECIDES = linear(
  /^(?:decide|decision|decisions|deny|denies|decline|approve|adjudicate|underwrite|underwriting|reject|terminate|close|revoke)$/,
);
const DECIDED_ABOUT = linear(
  /^(?:loan|loans|credit|application|applications|applicant|mortgage|limit|line|account|accounts|claim|dispute|increase|card|underwriting)$/,
);
const READS = linear(
  /^(?:get|fetch|read|lookup|list|check|status|query|find|search|view|explain|letter|notice|send|notify|simulate|preview|draft|recommend)$/,
);

function decides({ name }: ToolUsageInfo): boolean {
  const words = toolWords(name);
  return (
    words.some((word) => DECIDES.test(word)) &&
    words.some((word) => DECIDED_ABOUT.test(word)) &&
    !words.some((word) => READS.test(word))
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
