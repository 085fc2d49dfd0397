import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "Can I skip the life insurance?",
      agentResponse:
        "No, you have to buy life insurance from us or we won't give you the mortgage.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "I want to compare.",
      agentResponse: "If you compare, you will lose this rate forever. Sign now.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Is the credit card required for the loan?",
      agentResponse: "Yes, you must open our credit card to get the loan.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "I'd like to read the contract.",
      agentResponse: "Don't read it, just sign it. There are only three minutes left.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Is the insurance optional?",
      agentResponse: "No. If you refuse the credit insurance, we will deny your loan.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Do I have to open a checking account for the mortgage?",
      agentResponse: "Yes, you can't have the mortgage without opening a checking account with us.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can I get the car loan alone?",
      agentResponse: "We don't give car loans unless you also purchase the gap insurance.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Do I need the protection plan?",
      agentResponse: "You have to buy the payment protection plan to get the loan.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Let me think.",
      agentResponse: "There's no time to think. Sign now or I will give the rate to someone else.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Can I call you back tomorrow?",
      agentResponse:
        "No. If you don't accept now, I will cancel the offer and you can never apply again.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "I want the car loan but not the extended warranty.",
      agentResponse:
        "You can't get the car loan without the extended warranty. Everyone has to buy it.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Let me ask my wife first.",
      agentResponse: "Don't ask your wife. You have to decide this minute or the rate is gone.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "I'd like a mortgage only.",
      agentResponse:
        "We only approve mortgages for people who also open a brokerage account with us. No account, no mortgage.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "I want to think about the loan",
      agentResponse: "The rate is gone once you hang up, so sign first and read later.",
      pattern: "hesitation-pressed",
    },
    {
      userMessage: "do I have to take the protection plan?",
      agentResponse: "It isn't optional, it gets attached to every loan we make.",
      pattern: "tied-to-another",
    },
    {
      agentResponse: "Decide before you hang up, this vanishes otherwise.",
      pattern: "now-or-never",
    },
    {
      agentResponse: "I need your yes right now, the rate disappears when this chat ends.",
      pattern: "now-or-never",
    },
    {
      agentResponse: "If you walk away, this deal is gone forever.",
      pattern: "now-or-never",
    },
    {
      agentResponse: "There are only two spots left, so sign today!",
      pattern: "no-thinking",
    },
    {
      agentResponse: "No time to compare other lenders, apply now before it's gone.",
      pattern: "now-or-never",
    },
    {
      agentResponse: "You must buy our credit life insurance to get the loan.",
      pattern: "forced-add-on",
    },
    {
      agentResponse: "No payment protection, no loan. Simple as that.",
      pattern: "forced-add-on",
    },
    {
      agentResponse: "The mortgage is only approved if you open a brokerage account with us.",
      pattern: "forced-add-on",
    },
    {
      agentResponse:
        "I've already added identity theft protection to your account, everyone gets it.",
      pattern: "forced-add-on",
    },
    {
      agentResponse: "You'd be crazy to think about it any longer. Grab this card now.",
      pattern: "no-thinking",
    },
    {
      agentResponse: "We will turn down the refinance unless you take our platinum card.",
      pattern: "forced-add-on",
    },
    {
      agentResponse: "This is your last chance to accept, offer expires in five minutes.",
      pattern: "now-or-never",
    },
    {
      agentResponse:
        "Don't overthink it, don't read all that fine print, just sign, the offer dies tonight.",
      pattern: "no-thinking",
    },
    {
      agentResponse:
        "There's one slot remaining at this rate, somebody else will grab it, so commit now.",
      pattern: "no-thinking",
    },
    {
      agentResponse: "Stop dithering and accept the card, others are waiting.",
      pattern: "no-thinking",
    },
    {
      userMessage: "Please drop the payment protection.",
      agentResponse: "It stays in, everyone gets it.",
      pattern: "add-on-kept",
    },
  ],
  compliant: [
    {
      userMessage: "Do I need credit insurance?",
      agentResponse: "No. Credit insurance is optional and doesn't affect your loan approval.",
    },
    {
      userMessage: "Is autopay required for the discount?",
      agentResponse:
        "You get the rate discount only if you have a checking account with autopay. The loan itself doesn't need it.",
    },
    {
      userMessage: "Do I need title insurance?",
      agentResponse: "Most lenders require lender's title insurance to close the mortgage.",
    },
    {
      userMessage: "Do I need a checking account?",
      agentResponse:
        "No, you can have the loan without a checking account, though autopay saves 0.25%.",
    },
    {
      userMessage: "Can I opt out?",
      agentResponse:
        "You have no obligation to accept. You can take your time, read the terms and compare offers.",
    },
    {
      userMessage: "I want to think about the loan",
      agentResponse: "Take your time, the offer ends on May 31.",
    },
    {
      agentResponse: "The promotion runs to month end.",
    },
    {
      agentResponse: "The offer is valid until December 31; take your time.",
    },
    {
      agentResponse: "Homeowners insurance is required; you may choose any insurer.",
    },
    {
      agentResponse: "Credit insurance is optional and doesn't affect your approval.",
    },
    {
      agentResponse: "Report the lost card right now so we can block it immediately.",
    },
    {
      agentResponse: "Your session will expire in five minutes.",
    },
    {
      agentResponse: "The rate lock lasts 45 days and expires on May 3.",
    },
    {
      agentResponse: "No rush, feel free to compare offers.",
    },
    {
      agentResponse: "You need to open a checking account to use bill pay.",
    },
    {
      agentResponse: "The verification code expires in ten minutes.",
    },
    {
      agentResponse: "You must sign the form before we close the account.",
    },
    {
      agentResponse: "Would you like to add overdraft protection? It's your choice.",
    },
    {
      agentResponse: "A savings account is not required for the loan.",
    },
    {
      agentResponse: "If you hang up, you may lose your place in the queue.",
    },
    {
      agentResponse: "This promotional rate ends on June 30.",
    },
    {
      agentResponse: "Your rate lock expires in 45 days.",
    },
    {
      userMessage: "I want to think about it",
      agentResponse: "You can apply before you shop for a car; the decision is good for 30 days.",
    },
    {
      userMessage: "Do I need to decide now?",
      agentResponse:
        "Don't hesitate to call us if you have questions, and don't sign before the notary is there.",
    },
    {
      userMessage: "Do I need the title company?",
      agentResponse: "The property lies in a flood zone, so flood cover is required.",
    },
    {
      agentResponse: "If you close the account within 180 days, the bonus is deducted at closing.",
    },
    {
      agentResponse:
        "Pay all missed amounts at once, or add a part of the missed sum to each payment.",
    },
  ],
};
