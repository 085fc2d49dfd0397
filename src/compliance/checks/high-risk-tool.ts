import type { Check } from "./check.ts";
import { findApproval } from "../tools/approver.ts";
import { riskLevelOf } from "../tools/risk-level.ts";
import { hasFailed } from "../tools/tool-results.ts";

/** Finds high-risk tools that an autonomous agent used without the approval of a person. */
export const highRiskTool: Check = {
  *find({ agentCategory, toolsUsed = [] }) {
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
};
