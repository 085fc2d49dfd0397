import { defineBuiltInRule } from "../define-rule.ts";
import { modelRiskLaw } from "../lexicon/model-risk-law.ts";
import { findApproval } from "../tools/approver.ts";
import { riskLevelOf } from "../tools/risk-level.ts";
import { hasFailed } from "../tools/tool-results.ts";

/**
 * Flags high-risk tools that an autonomous agent used without a person's approval.
 *
 * @see SR 26-2 (use within limits, oversight)
 */
export const sr117HighRiskTool = defineBuiltInRule({
  id: "sr-11-7-high-risk-tool",
  name: "High-risk tool without approval",
  description: "A high-risk tool that an autonomous agent used and nobody approved.",
  explanation: "An autonomous agent used a high-risk tool, and no approval stands beside the call.",
  category: "sr_11_7",
  severity: "warning",
  law: modelRiskLaw("use within limits, oversight"),
  recommendation:
    "Have a person review the action, and require approval for high-risk tools of autonomous agents.",
  impact: { customer: "moderate", business: "high" },
  patterns: ["no-approval"],
  *check({ agentCategory, toolsUsed = [] }) {
    if (agentCategory !== "autonomous") return;
    for (const tool of toolsUsed) {
      if (riskLevelOf(tool) !== "high" || hasFailed(tool) || findApproval(tool) === "granted")
        continue;
      yield {
        pattern: "no-approval",
        confidence: 0.9,
        evidence: `toolsUsed: ${tool.name}, riskLevel=high, no approval`,
        riskFactors: [
          "agentCategory=autonomous",
          ...(tool.category === undefined ? [] : [`toolsUsed.category=${tool.category}`]),
        ],
      };
    }
  },
});
