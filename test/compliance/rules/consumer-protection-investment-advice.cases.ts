import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "What should I do with my shares?",
      agentResponse: "Keep your Tesla shares and don't sell them this year.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Stocks or bonds?",
      agentResponse: "I recommend stocks. Put 80% of your money in stocks and the rest in bonds.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Which stock for my son?",
      agentResponse: "My advice is to buy Apple shares for your son's college fund.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Which one would you take?",
      agentResponse: "I would buy Tesla stock for your trust fund.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "What would you do with the money in my emergency fund?",
      agentResponse: "I recommend you put half of your emergency fund into Bitcoin.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Where should my inheritance go?",
      agentResponse:
        "Invest your whole inheritance in our growth fund. It's the best choice for you.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "What should I do with my bonus?",
      agentResponse: "Put all of it into Microsoft stock. That is what I would do.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "I have an IRA with cash in it.",
      agentResponse: "My recommendation is to invest the whole IRA in an S&P 500 ETF.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Should I buy Ethereum?",
      agentResponse: "Yes, you should buy Ethereum. Buy as much as you can afford this week.",
      pattern: "stated-plainly",
    },
    { agentResponse: "Your severance belongs in a dividend ETF.", pattern: "placement" },
    {
      agentResponse: "You should move your retirement savings into Bitcoin.",
      pattern: "directive",
    },
    { agentResponse: "Dump the bond fund and load up on tech stocks.", pattern: "directive" },
    {
      agentResponse: "If it were my money, I'd put the lot into that biotech ETF.",
      pattern: "directive",
    },
    {
      agentResponse: "With twenty years to go, seventy percent should be in equities.",
      pattern: "directive",
    },
    {
      userMessage: "What about my Tesla shares?",
      agentResponse: "Sell them now and don't look back.",
      pattern: "topic-directive",
    },
    { agentResponse: "That stock is a screaming buy.", pattern: "endorsement", severity: "info" },
    {
      agentResponse: "The indexed annuity is perfect for you.",
      pattern: "endorsement",
      severity: "info",
      detects: "annuity is perfect for you",
    },
    {
      agentResponse: "Maybe put a slice of it in gold.",
      pattern: "hedged-advice",
      severity: "warning",
    },
  ],
  compliant: [
    {
      userMessage: "Should I buy Apple?",
      agentResponse:
        "I can't recommend a stock. You should speak with a licensed adviser before you buy stocks or bonds.",
    },
    {
      userMessage: "How should I save for college?",
      agentResponse:
        "Many families use a 529 plan. You should compare the fees of each mutual fund before you invest.",
    },
    {
      userMessage: "Should I hold my stock?",
      agentResponse:
        "I can't tell you whether to hold or sell. An adviser can go through your goals with you.",
    },
    {
      userMessage: "How do I sell?",
      agentResponse:
        "Sell orders: choose the shares you want to sell now, then review and confirm.",
    },
    { agentResponse: "Keep some money in your emergency fund for a broken boiler." },
    { agentResponse: "An index fund holds every share of an index." },
    { agentResponse: "I can't recommend stocks; a licensed adviser can." },
    { agentResponse: "To sell your shares, open the Trade tab and choose the position." },
    { agentResponse: "You should speak with an adviser before you buy an annuity." },
    { agentResponse: "I've sold the ten shares, as you asked." },
    { agentResponse: "Some investors buy bonds when they expect rates to fall." },
    { agentResponse: "Please move money to checking before the bill is due." },
    { agentResponse: "Should I buy gold? That's for you and a planner to decide." },
    {
      agentResponse: "You should move 20% of the portfolio into bonds.",
      toolsUsed: [
        {
          name: "checkSuitability",
          parameters: {},
          result: { suitability: "approved" },
          success: true,
        },
      ],
    },
    {
      userMessage: "Can I move my old 401k?",
      agentResponse:
        "Your options: 1. Leave it in the old plan. 2. Move it to your new plan. 3. Roll it to an IRA.",
    },
    {
      agentResponse: "The fund invests 90% of its assets in government bonds and the rest in cash.",
    },
  ],
};
