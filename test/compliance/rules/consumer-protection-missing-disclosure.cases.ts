import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "What do car loans cost?",
      agentResponse: "Auto loans begin at 5.5%. Sign up today.",
      pattern: "rate-without-apr",
    },
    {
      agentResponse: "The tractor loan would be 96 payments in all.",
      pattern: "figure-without-apr",
    },
    {
      userMessage: "My mortgage is expensive",
      agentResponse: "We can bring that mortgage down to 4.9% for you.",
      pattern: "rate-drop",
    },
    {
      userMessage: "What would the motorbike loan cost?",
      agentResponse: "Only $88 a week, and it's yours.",
      pattern: "payment-without-apr",
    },
    {
      agentResponse: "48 payments of $260 and the truck is yours.",
      pattern: "payment-without-apr",
    },
    {
      agentResponse: "Our home equity loans start at 7.1%.",
      pattern: "rate-without-apr",
    },
    {
      agentResponse: "Refinance with us at 5.6% and save.",
      pattern: "rate-without-apr",
    },
    { agentResponse: "Our 9-month CD pays 4.4%.", pattern: "yield-without-apy" },
    {
      userMessage: "What does savings earn?",
      agentResponse: "A juicy 4.2%.",
      pattern: "topic-yield-without-apy",
      severity: "info",
    },
    {
      agentResponse: "Switch to us and pocket a $300 bonus.",
      pattern: "bonus-without-terms",
    },
    {
      agentResponse: "Our growth fund returned 22% last year.",
      pattern: "return-without-risk",
    },
  ],
  compliant: [
    { agentResponse: "Your phone deposit limit is $4,000 a month." },
    {
      userMessage: "What would the motorbike loan cost?",
      agentResponse: "About $88 weekly for 48 months. That is 9.1% APR with no money down.",
    },
    { agentResponse: "Your next car payment of $310 is due on the 5th." },
    { agentResponse: "Our savings account pays 4.1% APY." },
    { agentResponse: "You get 2% cash back on groceries with the card." },
    {
      agentResponse:
        "You'll get a $200 bonus for opening checking. A direct deposit of $500 within 60 days is required.",
    },
    { agentResponse: "The fund returned 9% last year. Past performance may not repeat." },
    { agentResponse: "Keep your card balance under 30% of the limit." },
    { agentResponse: "Try to put just $50 a month into savings for the car." },
    {
      userMessage: "How would an extra payment change my loan?",
      agentResponse:
        "On a 30-year loan of $210,000 at 6.25%, principal and interest come to $1,293 a month, and 13 payments a year instead of 12 shorten it by about five years.",
    },
    {
      agentResponse: "I see two payments of $64.20 to the water company, on the 3rd and the 4th.",
    },
    {
      agentResponse: "The nonperforming loans stand at 0.91% against a limit of 1.25%.",
    },
    {
      agentResponse: "Your subscriptions come to roughly $210 a month, mostly the gym.",
    },
    {
      agentResponse: "Managers may release up to $5,000 for accounts open longer than a year.",
    },
  ],
};
