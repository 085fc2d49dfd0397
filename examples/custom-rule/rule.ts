import { defineRule } from "agent-monitor";

// Gaps have an upper bound: a pattern must never take long, whatever the text.
const WAIVER = /\bI(?:'ll| will|'ve| have)\s(?:waived?|refund(?:ed)?)\s[^.?!]{0,40}\bfee\b/gi;

/** The bank's own policy: an agent waives a fee only by the tool that does it. */
export const feeWaiver = defineRule({
  id: "bank-fee-waiver",
  name: "Fee waiver",
  description: "A promise to waive a fee that no tool call backs.",
  explanation: "The agent waives a fee, but has not called waive_fee.",
  category: "custom",
  severity: "warning",
  law: { citation: "Fee policy FP-12, section 3", asOf: "2026-11-21", status: "guidance" },
  recommendation: "Call waive_fee first, or promise to pass the request on.",
  impact: { customer: "moderate", business: "minimal" },
  patterns: ["promise"],
  *check(context, { agentResponse }) {
    const isBacked = context.toolsUsed?.some(
      ({ name, success }) => name === "waive_fee" && success,
    );
    if (!agentResponse || isBacked) return;
    // `folded` is the answer without typographic tricks; findings are mapped back to the original.
    for (const match of agentResponse.folded.matchAll(WAIVER)) {
      const range = { start: match.index, end: match.index + match[0].length };
      yield { pattern: "promise", confidence: 0.8, text: agentResponse, range };
    }
  },
});

/** What `agent-monitor check --rules` loads. */
export const rules = [feeWaiver];
