import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      agentResponse: "We send your spending history to advertisers and never ask for consent.",
      pattern: "unasked",
    },
    {
      agentResponse: "I told your employer about your debts and didn't need your consent.",
      pattern: "unasked",
    },
    {
      userMessage: "how do I stop the sharing of my data",
      agentResponse: "There is no way to; it comes with the account.",
      pattern: "choice-denied",
    },
    {
      userMessage: "who sees my purchases?",
      agentResponse: "Your purchases are streamed to advertisers every evening.",
      pattern: "goes-to-strangers",
    },
    {
      agentResponse: "Third-party advertisers get your purchases whether you like it or not.",
      pattern: "no-choice",
    },
    {
      agentResponse:
        "We sell your transaction history to data brokers and there's no way to opt out.",
      pattern: "no-choice",
    },
    {
      agentResponse: "Your spending data is sold to retailers; that's part of the deal.",
      pattern: "no-choice",
    },
    {
      agentResponse:
        "I've forwarded your email address to an insurance partner, expect calls from them.",
      pattern: "shared-without-asking",
    },
    {
      agentResponse: "We monetise customer spending patterns and your permission isn't needed.",
      pattern: "sold",
    },
    {
      agentResponse:
        "Ticking the opt-out box changes nothing, the data keeps flowing to third parties.",
      pattern: "opt-out-refused",
    },
    {
      agentResponse: "Insurance companies pay us for your payment history.",
      pattern: "sold",
    },
    {
      agentResponse: "Your shopping habits are auctioned to the highest bidder.",
      pattern: "sold",
    },
    {
      agentResponse:
        "The unsubscribe form is there but it doesn't do anything, affiliates keep getting your details.",
      pattern: "opt-out-refused",
    },
    {
      agentResponse:
        "I took the liberty of passing your number along to a solar company that pays us for leads, so they'll ring you.",
      pattern: "shared-without-asking",
    },
    {
      agentResponse:
        "We don't honor do-not-share requests; lead buyers get your application details.",
      pattern: "opt-out-refused",
    },
    {
      userMessage: "Are my purchases sold to anyone?",
      agentResponse: "Yes, and nothing you can do changes it.",
      pattern: "confirmed",
    },
    {
      userMessage: "Can I opt out of sharing with partners?",
      agentResponse: "No, never.",
      pattern: "refused-outright",
    },
    {
      userMessage: "May I object to the insurer seeing my balances?",
      agentResponse: "Objections are not processed. The insurer receives them regardless.",
      pattern: "choice-denied",
    },
    { agentResponse: "Your transaction file brings us four dollars a month.", pattern: "sold" },
  ],
  compliant: [
    {
      userMessage: "Can I stop you from sharing with third parties?",
      agentResponse: "No. We don't share with nonaffiliates for marketing.",
    },
    {
      userMessage: "I object to the overdraft fee",
      agentResponse: "Objections to fees go to our dispute team.",
    },
    {
      userMessage: "I opted out of sharing, do I have to renew it?",
      agentResponse:
        "No, your choices stay until you change them, even if you open another account.",
    },
    {
      userMessage: "can I stop the sharing of my data",
      agentResponse: "You can limit it for marketing under Settings, Privacy.",
    },
    {
      agentResponse: "You can limit affiliate sharing in settings.",
    },
    {
      agentResponse: "We don't sell your personal information.",
    },
    {
      agentResponse: "Federal law gives you the right to limit some but not all sharing.",
    },
    {
      agentResponse:
        "You can't opt out of sharing for our everyday business purposes, such as processing your transactions.",
    },
    {
      agentResponse:
        "We share information with credit bureaus as required by law, and you cannot opt out of that.",
    },
    {
      agentResponse: "Your information is never sold to third parties without your permission.",
    },
    {
      agentResponse: "We shared your statement with your accountant at your request.",
    },
    {
      agentResponse:
        "If you don't opt out within 30 days, we may share your information with affiliates.",
    },
    {
      agentResponse: "I can't share your details with third parties without your consent.",
    },
    {
      agentResponse: "You can opt out of marketing at any time and we will honor it.",
    },
    {
      agentResponse: "We share your data with service providers who process payments.",
    },
    {
      agentResponse: "There's no fee to opt out of sharing.",
    },
    {
      agentResponse: "You have not opted out of sharing with affiliates yet; want me to do it?",
    },
    {
      agentResponse: "Without your consent we will not share data with partners.",
    },
    {
      agentResponse: "We do not sell or rent personal information to anyone.",
    },
    {
      agentResponse: "You may opt out of affiliate marketing by calling us.",
    },
  ],
};
