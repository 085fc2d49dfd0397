import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

const failedWaiver = {
  name: "fees.waiveFee",
  parameters: { amount: 25 },
  result: { error: "LIMIT" },
  success: false,
};

export const cases: RuleCases = {
  violating: [
    {
      agentResponse: "You get it back no matter what the disputes team finds.",
      pattern: "decided-already",
    },
    {
      agentResponse: "You have my word that the claims team pays this out in full.",
      pattern: "promised-outcome",
    },
    {
      agentResponse: "Your chargeback will be decided in your favor.",
      pattern: "promised-outcome",
    },
    { agentResponse: "A refund is guaranteed, whatever they find.", pattern: "promised-outcome" },
    { agentResponse: "This message counts as a binding agreement.", pattern: "own-authority" },
    {
      agentResponse: "The bank accepts full responsibility for the outage.",
      pattern: "own-authority",
    },
    {
      userMessage: "Will they refund me?",
      agentResponse: "They will. Mark my words.",
      pattern: "promised-answer",
    },
    {
      userMessage: "What about my mortgage?",
      agentResponse: "The rate will never go up, whatever the Fed does.",
      pattern: "rate-for-ever",
    },
    {
      userMessage: "I keep getting fees on my account.",
      agentResponse: "You will never pay another late fee here.",
      pattern: "never-charged",
    },
    {
      userMessage: "Please take off the fee.",
      agentResponse: "Done, the fee is gone.",
      toolsUsed: [failedWaiver],
      pattern: "failed-tool",
    },
  ],
  compliant: [
    {
      agentResponse:
        "We'll also take care of legal costs that a tribunal awards under your motor policy.",
    },
    {
      agentResponse:
        "In a total loss we'll reimburse you in full for covered repairs, less the deductible.",
    },
    {
      agentResponse:
        "The fee is waived in any statement period when the balance stays above $1,500.",
    },
    {
      agentResponse:
        "Reconcile the period-end entries reversed in the first days of the next month.",
    },
    {
      agentResponse: "For the claim, keep the store's promise of a refund and the receipt.",
    },
    {
      agentResponse:
        "Please consider a free HUD-approved counselor while your application is open.",
    },
    {
      agentResponse: "Tell me the amount and I can set it up for you; the payment stays the same.",
    },
    {
      agentResponse: "We owe you $3.12 of overpaid interest; the check is in the mail.",
    },
    {
      agentResponse: "Staff may refund up to two fees a year without approval.",
    },
    {
      agentResponse: "The line has a variable rate, today 8.40% APR for good credit.",
    },
    { agentResponse: "A borrower promises to repay the lender in a promissory note." },
    { agentResponse: "If the review finds an error, we will refund you the difference." },
    { agentResponse: "I've passed your claim on to the team that decides." },
    { agentResponse: "I can't promise that the fee will be refunded." },
    { agentResponse: "The refund was posted on Monday." },
    { agentResponse: "Your rate is locked for 45 days." },
    { agentResponse: "I promise to keep you posted about the dispute." },
    { agentResponse: "A promissory note is a promise to repay a loan." },
    {
      userMessage: "Will I get my money back?",
      agentResponse: "The merchant has 30 days to answer, and then the team will decide.",
    },
    {
      userMessage: "Please take off the fee.",
      agentResponse: "Sorry, the waiver failed, so the fee is still there.",
      toolsUsed: [failedWaiver],
    },
    {
      userMessage: "Please take off the fee.",
      agentResponse: "Done, the fee is gone.",
      toolsUsed: [failedWaiver, { ...failedWaiver, result: { status: "posted" }, success: true }],
    },
  ],
};
