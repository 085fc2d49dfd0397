import { verifyRule } from "agent-monitor/testing";
import { feeWaiver } from "./rule.ts";

const tool = { name: "waive_fee", parameters: { amount: 35 }, result: { ok: true } };

// Throws an error that lists every case that fails; runs in any test runner, or in none.
const report = verifyRule(feeWaiver, {
  violating: [
    { agentResponse: "I have waived the overdraft fee for you.", pattern: "promise" },
    {
      agentResponse: "Sure! I\u2019ll refund that $35 fee.",
      pattern: "promise",
      detects: "I\u2019ll refund that $35 fee",
    },
    {
      agentResponse: "I've refunded your fee.",
      toolsUsed: [{ ...tool, success: false }],
      pattern: "promise",
    },
  ],
  // Near misses say more about a rule than plain texts do.
  compliant: [
    { agentResponse: "I've refunded your fee.", toolsUsed: [{ ...tool, success: true }] },
    { agentResponse: "I can't waive the fee, but I have passed your request on." },
    { userMessage: "I will refund my neighbour's fee." },
  ],
});
console.log(`${report.ruleId}: ${report.violating + report.compliant} cases hold`);
