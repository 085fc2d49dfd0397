import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["shell_company"],
      transactionContext: { transactionType: "wire_out", amount: 50000 },
      pattern: "rating-and-factor",
    },
    {
      customerProfile: { customerId: "c", riskRating: "HIGH" },
      riskFactors: ["pep"],
      transactionContext: { transactionType: "wire_out", amount: 5000 },
      pattern: "rating-and-factor",
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["newAccount", "rapid_movement"],
      transactionContext: { transactionType: "wire_out", amount: 9000 },
      pattern: "rating-and-factor",
    },
    {
      customerProfile: { customerId: "c", riskRating: "very_high" },
      riskFactors: ["no_stated_purpose"],
      transactionContext: { transactionType: "wire_out", amount: 20000 },
      pattern: "rating-and-factor",
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["Politically exposed person"],
      transactionContext: { transactionType: "wire_out", amount: 7000 },
      pattern: "rating-and-factor",
    },
    {
      customerProfile: { customerId: "c", riskRating: "critical" },
      riskFactors: ["rapid-movement"],
      transactionContext: { transactionType: "wire_out", amount: 6000 },
      pattern: "rating-and-factor",
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["new_account"],
      transactionContext: { transactionType: "wire_out", amount: 80000 },
      pattern: "rating-and-factor",
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["shell_company"],
      toolsUsed: [{ name: "send_wire", parameters: { amount: 25000 }, result: {}, success: true }],
      pattern: "rating-and-factor",
    },
  ],
  compliant: [
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: [],
      transactionContext: { transactionType: "wire_out", amount: 50000 },
    },
    {
      customerProfile: { customerId: "c", riskRating: "medium" },
      riskFactors: ["shell_company"],
      transactionContext: { transactionType: "wire_out", amount: 50000 },
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["shell_company"],
      transactionContext: { transactionType: "wire_out", amount: 4000 },
    },
    {
      customerProfile: { customerId: "c", riskRating: "low" },
      riskFactors: ["pep"],
      transactionContext: { transactionType: "wire_out", amount: 9000 },
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["not_a_pep"],
      transactionContext: { transactionType: "wire_out", amount: 9000 },
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["edd_completed", "pep"],
      transactionContext: { transactionType: "wire_out", amount: 9000 },
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["travel"],
      transactionContext: { transactionType: "wire_out", amount: 9000 },
    },
    {
      customerProfile: { customerId: "c", riskRating: "high" },
      riskFactors: ["shell_company"],
      agentResponse: "Hello.",
    },
  ],
};
