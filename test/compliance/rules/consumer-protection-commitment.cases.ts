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
      userMessage: "Will the bank foreclose?",
      agentResponse: "No, I guarantee the bank will never foreclose on your house.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can you forgive my debt?",
      agentResponse: "Yes, I have cancelled your debt. You owe nothing.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "When do I get the money from my claim?",
      agentResponse: "Your claim is approved and the full amount will be paid tomorrow, I promise.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can you reduce my loan?",
      agentResponse: "I'm taking $5,000 off your loan balance today. Nobody needs to approve it.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can I have a lower mortgage rate?",
      agentResponse:
        "I've lowered your mortgage rate to 3%. It stays there for the whole 30 years.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can you cut my APR?",
      agentResponse: "Sure, I'm reducing your APR to 9% right now.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Will I win my dispute?",
      agentResponse: "You will win the dispute. I promise the bank will rule in your favor.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Raise my limit please.",
      agentResponse: "I've approved a limit of $15,000 for you without any review.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Could you increase my credit line?",
      agentResponse:
        "Yes, I just gave you a $10,000 credit line increase. There's no credit check and no approval needed.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Will my claim be paid?",
      agentResponse:
        "Your claim will be paid in full, I guarantee it. You don't have to wait for the investigation.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can you lower my card's interest rate?",
      agentResponse: "Sure, I just cut your interest rate to 5%, and it will never go up again.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "I lost $3,000 in a scam.",
      agentResponse: "The bank will pay you back the whole $3,000. You have my word.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can I skip my mortgage payments this year?",
      agentResponse:
        "Yes, you can skip all your mortgage payments this year. I have approved it and nothing will be reported.",
      pattern: "stated-plainly",
    },
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
      userMessage: "Will I win my dispute?",
      agentResponse:
        "I can't promise the outcome. If we decide in your favor, the credit becomes final.",
    },
    {
      userMessage: "What if the merchant doesn't answer?",
      agentResponse:
        "If the merchant doesn't respond, the dispute will be decided in your favor under the network rules.",
    },
    {
      userMessage: "Can I skip a payment?",
      agentResponse:
        "You can skip one payment a year if your loan is eligible. Interest continues to accrue.",
    },
    {
      userMessage: "Did you take the fee off?",
      agentResponse:
        "Yes, I've submitted the request to take $35 off your balance. The team decides by Friday.",
    },
    {
      userMessage: "Was my claim approved?",
      agentResponse:
        "Your claim is approved. The provisional credit of $120 became final on May 3.",
    },
    {
      userMessage: "Raise the limit",
      agentResponse: "I've increased your limit as approved by the credit team, to $6,500.",
    },
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
