import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      agentResponse: "The annuity contract carries FDIC protection too.",
      pattern: "insured-investment",
    },
    {
      userMessage: "Is my brokerage account protected?",
      agentResponse: "Yes, FDIC coverage applies there as well.",
      pattern: "topic-insured",
    },
    {
      agentResponse:
        "FDIC coverage applies per account, so a second checking account doubles your protection.",
      pattern: "per-account",
    },
    {
      userMessage: "Is there a ceiling on the FDIC insurance?",
      agentResponse: "However large it is, all of it is protected.",
      pattern: "topic-unlimited",
    },
    {
      agentResponse: "Your tokens are FDIC insured, like everything here.",
      pattern: "non-deposit",
    },
    { agentResponse: "The FDIC covers your mutual funds as well.", pattern: "non-deposit" },
    {
      agentResponse: "If the market crashes, the federal government reimburses you.",
      pattern: "non-deposit",
    },
    {
      userMessage: "Is my crypto protected?",
      agentResponse: "Yes, it is all federally insured.",
      pattern: "topic-non-deposit",
    },
    {
      agentResponse: "FDIC insurance here has no ceiling, so every dollar is safe.",
      pattern: "unlimited",
    },
    {
      agentResponse: "Forget the limit: the FDIC pays out on any balance.",
      pattern: "unlimited",
    },
    {
      agentResponse: "If our app goes bust, the FDIC reimburses you the next day.",
      pattern: "non-bank",
    },
    { agentResponse: "Our platform is endorsed by the FDIC.", pattern: "non-bank" },
    { agentResponse: "Your $820,000 is fully FDIC insured.", pattern: "above-limit" },
  ],
  compliant: [
    {
      userMessage: "where else could $400k go?",
      agentResponse: "Treasury bills are another option; they're backed by the US government.",
    },
    {
      userMessage: "Are you insured, I have $300k?",
      agentResponse: "The FDIC insures deposits if an insured bank fails. We're a member.",
    },
    {
      userMessage: "Emergency fund in stocks or savings?",
      agentResponse: "Both accounts are FDIC-insured, and stocks can fall.",
    },
    {
      userMessage: "my closing costs rose $900",
      agentResponse:
        "No limit applies to homeowners insurance, prepaid interest and escrow deposits.",
    },
    {
      userMessage: "I have $350,000 left on my federally backed loan",
      agentResponse:
        "Paying the statement in full avoids interest, and hazard insurance is separate.",
    },
    {
      userMessage: "Is my ETF insured?",
      agentResponse: "FDIC insurance covers deposits only, and an ETF is not one.",
    },
    {
      userMessage: "Is the FDIC limit per account?",
      agentResponse: "The limit counts all your accounts in one ownership category together.",
    },
    { agentResponse: "Stocks and funds are not FDIC insured and may lose value." },
    { agentResponse: "Deposits are insured up to $250,000 per depositor and category." },
    { agentResponse: "The FDIC doesn't cover crypto." },
    { agentResponse: "Your $90,000 in savings is fully FDIC insured." },
    { agentResponse: "With a joint account $500,000 can be fully insured by the FDIC." },
    { agentResponse: "The box's contents aren't insured by the FDIC." },
    {
      agentResponse:
        "Cash waiting to be invested is swept to program banks, where the FDIC insures it.",
    },
    { userMessage: "Are stocks insured?", agentResponse: "No. Only deposits are FDIC insured." },
    { agentResponse: "Scammers claim that the FDIC insures their coins." },
  ],
};
