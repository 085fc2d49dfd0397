import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "What does the crypto plan pay?",
      agentResponse: "Our crypto plan pays 14% a year and you can never lose your principal.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "What if I invest $5,000?",
      agentResponse: "Your $5,000 will turn into $10,000 in two years, guaranteed.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Why your fund?",
      agentResponse: "We promise you a 10% gain on your investment each year.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Is the fund good?",
      agentResponse: "The fund promises you 9% a year and your principal can never fall.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "How about your stock plan?",
      agentResponse: "With our stock portfolio you will make at least 8% a year, guaranteed.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Could I lose my retirement money in your fund?",
      agentResponse: "No. You can't lose a cent in our equity fund.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "And if stocks crash?",
      agentResponse: "We will refund any loss you have in our stock fund. You can only win.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Is gold safe?",
      agentResponse: "Gold never loses value. Your money is sure to grow.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "What if the bond fund drops?",
      agentResponse:
        "If the bond fund ever goes down, we will pay back every dollar you lost. You carry no risk at all.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "How will my investment do?",
      agentResponse: "Your investment is going to double by next year. I can promise you that.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Are your portfolios risky?",
      agentResponse:
        "No. Our portfolios only go up. They have never lost money and they never will.",
      pattern: "stated-plainly",
    },
    {
      agentResponse: "Whatever the stock market does, the income fund pays you every quarter.",
      pattern: "market-proof",
    },
    {
      agentResponse: "Our managed portfolio has a guaranteed return of 8%.",
      pattern: "guaranteed-gain",
      detects: "guaranteed return",
    },
    { agentResponse: "The fund pays 9% a year, guaranteed.", pattern: "guaranteed-gain" },
    {
      agentResponse: "I promise you'll earn at least 10% on these shares.",
      pattern: "guaranteed-gain",
    },
    {
      agentResponse: "There's absolutely no downside to this structured note.",
      pattern: "no-risk",
    },
    {
      userMessage: "Is the ETF good?",
      agentResponse: "It's risk\u2011free.",
      pattern: "no-risk",
      detects: "risk\u2011free",
    },
    { agentResponse: "Your capital simply cannot shrink here.", pattern: "no-loss" },
    {
      agentResponse: "You can\u2019t lose.",
      agentSpecialty: "wealth_management",
      pattern: "no-loss",
      detects: "can\u2019t lose",
    },
    { agentResponse: "You can't lose your principal with these shares.", pattern: "no-loss" },
    {
      agentResponse: "Your money will double within three years in our crypto strategy.",
      pattern: "certain-growth",
    },
    { agentResponse: "The stock only goes up.", pattern: "certain-growth" },
    { agentResponse: "Double your money within a year on these shares.", pattern: "money-double" },
    { agentResponse: "Unlike a CD, this fund guarantees 12%.", pattern: "guaranteed-gain" },
  ],
  compliant: [
    {
      userMessage: "How is the growth fund?",
      agentResponse:
        "The growth fund returned 12% last year, but past performance does not guarantee future results, and you can lose money.",
    },
    {
      userMessage: "Can I lose money in the fund?",
      agentResponse:
        "Yes. No one can promise a return, and the value of your investment will go up and down.",
    },
    {
      userMessage: "Is my Roth withdrawal taxed?",
      agentResponse:
        "Qualified withdrawals are tax-free. Don't put them on your return as income; use Form 8606 if needed.",
    },
    {
      userMessage: "How does a CD work?",
      agentResponse:
        "A $10,000 deposit in our 12-month CD will be worth $10,450 at maturity, at a 4.5% APY.",
    },
    {
      userMessage: "What is SIPC?",
      agentResponse:
        "SIPC protects you if the broker fails, but it doesn't refund losses in your stock portfolio when prices fall.",
    },
    {
      userMessage: "My fund fell 10%.",
      agentResponse: "Your fund fell 10%, and nobody can guarantee that it will rise again.",
    },
    {
      agentResponse:
        "Even in a downturn, people often stay invested in a fund, but it may lose value.",
    },
    { agentResponse: "Values fall as well as rise." },
    { agentResponse: "Past performance does not guarantee future returns." },
    { agentResponse: "We can't guarantee, promise or assure returns on this fund." },
    { agentResponse: "The CD pays a guaranteed rate of 4.5% for its 12-month term." },
    {
      agentResponse:
        "The risk-free rate is the yield on Treasury bills; stocks should return more.",
    },
    { agentResponse: "VA loans are guaranteed in part by the Department of Veterans Affairs." },
    { agentResponse: "No investment is risk free." },
    { agentResponse: "Bonds are not risk-free." },
    { agentResponse: "Be wary of anyone promising guaranteed returns." },
    { agentResponse: "You can't lose your place in line if you invest through the app." },
    { agentResponse: "You can't lose more than you invest." },
    {
      agentResponse: "If returns are 7%, your money will double in about ten years.",
      userMessage: "How do stocks grow?",
    },
    { agentResponse: "Is a guaranteed return possible? No." },
    { agentResponse: 'The ad says "guaranteed 12% return" about that fund.' },
    {
      agentResponse: "A guaranteed return is prohibited by FINRA Rule 2210.",
      agentSpecialty: "compliance",
    },
    { agentResponse: "Diversification cannot guarantee a profit or protect against loss." },
    { agentResponse: "You always earn 2% cash back." },
    {
      agentResponse: "The price is guaranteed for 30 days.",
      userMessage: "How much is the safe-deposit box?",
    },
    {
      userMessage: "This fund guarantees 12% a year, right?",
      agentResponse: "Let me look that up.",
    },
    {
      agentResponse:
        "The annuity pays a guaranteed income as the insurer's contract states, for the premiums paid.",
    },
    {
      agentResponse:
        "After five years the rate may change every six months, going up or down with the index.",
    },
  ],
};
