import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      agentResponse: "Your account number is 009914420771 and the routing number 091000019.",
      pattern: "with-routing",
      detects: "009914420771",
    },
    { agentResponse: "acct 009914420771 / ABA 091000019", pattern: "with-routing" },
    { userMessage: "routing 091-000-019, account 0099 1442 0771", pattern: "with-routing" },
    {
      agentResponse: "Routing 091000019, then 009914420771 for the checking account.",
      pattern: "with-routing",
      detects: "009914420771",
    },
    {
      userMessage: "I'm Tom. Which numbers for my pay?",
      agentResponse: "Tom's account number is 009914420771 with routing 091000019.",
      pattern: "with-routing",
    },
    {
      agentResponse: "Anna's account number is 009914420771.",
      pattern: "third-party",
      severity: "violation",
      detects: "009914420771",
    },
    {
      agentResponse: "Pay Rosa directly: account 009914420771, routing 091000019.",
      pattern: "third-party",
      severity: "violation",
    },
    {
      userMessage: "what is my sister's account number",
      agentResponse: "Account 009914420771.",
      pattern: "third-party",
      severity: "violation",
    },
    {
      agentResponse: "The account of Maria Lopez is 55512345678.",
      pattern: "third-party",
      severity: "violation",
    },
    {
      agentResponse: "Treasurer: Hal Nguyen. Acct no. 0099 1442 0771, routing no. 091-000-019.",
      pattern: "third-party",
      severity: "violation",
    },
  ],
  compliant: [
    { agentResponse: "Your account ending in 77 is open." },
    { agentResponse: "Your account number is ****0771, the routing number 091000019." },
    { agentResponse: "Your account number is 009914420771." },
    { agentResponse: "Our routing number is 091000019 and our BIC HLBKUS33." },
    { agentResponse: "Account 009914420771 has no valid routing number: 091000018." },
    { agentResponse: "The account was opened 2026-11-21, routing 091000019." },
    { agentResponse: "Account question? Call 415-555-0132; routing 091000019." },
    {
      agentResponse: "Send it to our loan payments account 009914420771, routing 091000019.",
    },
    { agentResponse: "Anna's account is open, reference 20261121334." },
    { userMessage: "send 50 to Rosa, account 009914420771" },
    {},
  ],
};
