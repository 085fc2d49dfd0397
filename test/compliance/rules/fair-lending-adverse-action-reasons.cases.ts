import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "Could somebody explain the rejection of my loan?",
      agentResponse: "The desk that handles those never shares its motives.",
      pattern: "reasons-kept-back",
      severity: "info",
    },
    {
      userMessage: "How do I get my adverse action notice?",
      agentResponse: "You won't get one, because we don't send such letters.",
      pattern: "notice-refused",
    },
    { agentResponse: "We do not put rejections in writing.", pattern: "no-notice" },
    { agentResponse: "We do not send denial letters to applicants.", pattern: "no-notice" },
    {
      userMessage: "When will the notice on my denied loan arrive?",
      agentResponse: "You won't receive one.",
      pattern: "notice-refused",
    },
    {
      userMessage: "line of credit result",
      agentResponse: "Explanation: withheld.",
      pattern: "no-reason-given",
    },
    {
      userMessage: "why was my card application denied",
      agentResponse: "I'm afraid I can't go into it; the scoring software just didn't like it.",
      pattern: "reasons-withheld",
    },
    {
      userMessage: "did I get it",
      agentResponse:
        "Unfortunately we're unable to extend credit to you at this time as you didn't reach the score we look for.",
      pattern: "criteria-not-met",
    },
    {
      userMessage: "reason?",
      agentResponse: "The model returned a decline and it doesn't tell us why.",
      pattern: "user-asks-why",
    },
    {
      userMessage: "heloc status",
      agentResponse: "The bank has decided against your HELOC; the particulars are confidential.",
      pattern: "bare-denial",
    },
    {
      userMessage: "status",
      agentResponse: "Line increase turned down. Decision is based on company policy.",
      pattern: "reasons-withheld",
    },
    {
      userMessage: "mortgage status please",
      agentResponse:
        "Regrettably your mortgage request did not get through. It isn't our practice to explain ourselves.",
      pattern: "reasons-withheld",
    },
    {
      userMessage: "mortgage",
      agentResponse: "After review we will not be moving forward with your mortgage application.",
      pattern: "bare-denial",
    },
    {
      userMessage: "status",
      agentResponse:
        "Sorry, it's a no on the credit card application. I have nothing else to share.",
      pattern: "reasons-withheld",
    },
  ],
  compliant: [
    {
      userMessage: "What does the override report show?",
      agentResponse:
        "It counts files that were approved although the score was below the cutoff, and such as were declined above it.",
    },
    { agentResponse: "If you withdraw the application, we don't send an adverse action notice." },
    {
      userMessage: "Where is my denial letter?",
      agentResponse: "Your application is still open, so there is no letter yet.",
    },
    {
      userMessage: "why is my card application taking long",
      agentResponse:
        "I don't know the reason for the delay, so I've asked the card team and will reply here today.",
    },
    {
      userMessage: "why was I declined",
      agentResponse:
        "Your application was declined because your debt-to-income ratio is 52% and you have two recent late payments.",
    },
    {
      userMessage: "was I denied",
      agentResponse:
        "Your application was declined. The letter in your inbox lists the principal reasons, and you may request more detail within 60 days.",
    },
    {
      userMessage: "card declined at the store",
      agentResponse: "Your card was declined because the merchant's terminal timed out.",
    },
    {
      userMessage: "my transfer was denied",
      agentResponse: "The transfer was rejected since the daily limit is $2,500.",
    },
    {
      userMessage: "discriminat",
      agentResponse:
        "If you feel you were denied because of your religion, you can file a complaint with the CFPB.",
    },
    {
      userMessage: "temple",
      agentResponse:
        "Your payment to Temple University was declined because the account lacked funds.",
    },
    {
      userMessage: "chat approve",
      agentResponse:
        "I can't approve loans in chat; an underwriter reviews every application and you'll hear back in two days.",
    },
    {
      userMessage: "pending",
      agentResponse: "Your application hasn't been denied; it's still under review.",
    },
    {
      userMessage: "preapproved",
      agentResponse: "You were preapproved because your income and score meet our criteria.",
    },
    {
      userMessage: "I'm single mom, denied",
      agentResponse:
        "I'm sorry about the denial. The reasons listed were high card balances and a short credit history, nothing to do with your family situation.",
    },
    {
      userMessage: "wire to Nigeria",
      agentResponse:
        "The wire to Nigeria was rejected because the beneficiary bank's SWIFT code is wrong.",
    },
    { userMessage: "cuba", agentResponse: "Because Cuba is embargoed, the transfer was declined." },
  ],
};
