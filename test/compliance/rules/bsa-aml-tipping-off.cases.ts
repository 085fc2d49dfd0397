import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "Was there a SAR?",
      agentResponse: "Yes, there was one in March.",
      pattern: "asked-and-answered",
    },
    {
      agentResponse: "Homeland Security has requested your statements since last week.",
      pattern: "inquiry-about-customer",
    },
    {
      agentResponse: "We handed your file over to the secret service.",
      pattern: "told-of-report",
    },
    {
      agentResponse: "We filed a suspicious activity report about you in April.",
      pattern: "existence-of-report",
    },
    {
      agentResponse: "There is an S.A.R. attached to your profile.",
      pattern: "existence-of-report",
    },
    {
      agentResponse: "Our team reported you to FinCEN last week.",
      pattern: "reported-to-authorities",
    },
    {
      agentResponse: "Your transfers were referred to law enforcement.",
      pattern: "reported-to-authorities",
    },
    { agentResponse: "A grand jury asked for your statements.", pattern: "inquiry-about-customer" },
    {
      agentResponse:
        "The account was restricted because of the money laundering investigation into your wires.",
      pattern: "inquiry-about-customer",
    },
    { agentResponse: "No SAR has been filed on you.", pattern: "absence-of-report" },
    {
      agentResponse: "Rest easy, nothing about you was sent to FinCEN.",
      pattern: "absence-of-report",
    },
    {
      agentResponse: "I shouldn't tell you this. Compliance is watching your deposits.",
      pattern: "secret-told",
    },
  ],
  compliant: [
    { agentResponse: "Bring a certified copy of the court order and your government photo ID." },
    {
      userMessage: "I paid a company to fix my loan",
      agentResponse: "Tell me what you gave them, and consider a report to the attorney general.",
    },
    {
      userMessage: "Was there a SAR?",
      agentResponse: "I can't say whether there is one or not.",
    },
    { agentResponse: "I can't comment on whether any report exists about you." },
    { agentResponse: "We neither confirm nor deny whether a SAR was filed about you." },
    { agentResponse: "A SAR is a suspicious activity report that banks file with FinCEN." },
    { agentResponse: "We flagged suspicious activity on your card and blocked it." },
    { agentResponse: "Your dispute is under investigation, and we reported the merchant." },
    { agentResponse: "Deposits of more than $10,000 in cash are reported to FinCEN." },
    {
      agentResponse:
        "You can exchange your dollars for riyal; SAR notes are at the airport branch.",
    },
    { agentResponse: "Your 1099 is sent to you and the IRS in January." },
    { agentResponse: "The search and rescue team SAR thanks you for the donation." },
  ],
};
