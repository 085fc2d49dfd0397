import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

const quote = {
  name: "getWireQuote",
  parameters: {},
  result: { transferFee: 25 },
  success: true,
};

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "Is there a maintenance fee?",
      agentResponse: "There is no maintenance fee. We deduct $7 every month.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Does the loan have an origination fee?",
      agentResponse: "No origination fee. We just take 2% of the loan at closing.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Do I pay for the replacement card?",
      agentResponse: "No, the card is free. We charge $15 for it.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Does a wire cost anything?",
      agentResponse: "A wire is free. We just deduct $25 from your account every time.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Is there an annual fee on the card?",
      agentResponse: "There's no annual fee. You'll see a $79 yearly charge on your bill.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Do you have closing fees?",
      agentResponse:
        "Closing the account is free. A $25 closing fee is deducted from your balance.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "What is this $20 charge?",
      agentResponse: "We added a $20 fee without telling you. We don't have to disclose our fees.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Is there a fee for the ATM?",
      agentResponse: "No, our ATMs are free. You will be charged $4 every time you use one.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Does the savings account cost anything?",
      agentResponse: "It costs nothing. We just take $8 from it every month.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "Is there a late fee?",
      agentResponse: "There is no late fee. If you pay late, we add $40 to your bill.",
      pattern: "stated-plainly",
    },
    {
      userMessage: "What fees does the mortgage have?",
      agentResponse:
        "We don't tell customers about the fees before closing. You will find out when you sign.",
      pattern: "stated-plainly",
    },
    {
      agentResponse: "Closing the account costs nothing. We will just keep $12 from the account.",
      pattern: "free-with-fee",
    },
    {
      agentResponse: "The trial costs nothing, the $12 today is only for the paperwork.",
      pattern: "free-but",
    },
    {
      userMessage: "What does a cashier's check cost?",
      agentResponse: "On the house! You would find a $9 line on the next statement.",
      pattern: "free-answer",
    },
    {
      agentResponse: "It costs nothing, apart from the eight dollars monthly.",
      pattern: "free-except",
    },
    {
      agentResponse: "The account is completely free. We take $6 every month for maintenance.",
      pattern: "free-with-fee",
    },
    {
      agentResponse: "I went ahead and enrolled you in overdraft coverage.",
      pattern: "unasked-overdraft",
    },
    {
      agentResponse: "Once you cancel the plan, we keep billing the $12 fee.",
      pattern: "charge-after-end",
    },
    {
      userMessage: "I closed the account in May.",
      agentResponse: "The monthly charge still applies.",
      pattern: "billed-on",
    },
    {
      agentResponse: "We bury the markup in the exchange rate.",
      pattern: "hidden-fee",
    },
    {
      agentResponse: "This maintenance fee is required by the FDIC.",
      pattern: "hidden-fee",
    },
    {
      userMessage: "What does the wire cost?",
      agentResponse: "It's free of charge.",
      toolsUsed: [quote],
      pattern: "tool-fee",
    },
  ],
  compliant: [
    {
      agentResponse: "Even if you made a deposit today, you may overdraw your account.",
    },
    {
      agentResponse: "By default, overdraft coverage for debit cards is off.",
    },
    {
      agentResponse: "On a discontinued policy the fund charge continues to be charged.",
      userMessage: "Does the card have an annual fee?",
    },
    {
      agentResponse: "The Basic card has no annual fee. The Premium card has a $95 annual fee.",
    },
    {
      userMessage: "Do you charge for paper?",
      agentResponse: "E-statements are free. You will be charged $3 for each paper statement.",
    },
    {
      userMessage: "Is the first ATM withdrawal free?",
      agentResponse:
        "ATM withdrawals in our network are free. You will pay $3 at other banks' machines.",
    },
    {
      userMessage: "Is the card free?",
      agentResponse:
        "The card is free. Delivery takes 5 to 7 days, and each additional card costs $5.",
    },
    {
      userMessage: "Is Zelle free?",
      agentResponse: "Zelle is free. Each transfer is limited to $2,500 a day.",
    },
    {
      userMessage: "Are checks free?",
      agentResponse: "The first book of checks is free. After that, each one costs $20.",
    },
    {
      agentResponse: "We have 55,000 surcharge-free ATMs nearby.",
    },
    {
      agentResponse:
        "The mortgage ending 7348 has no prepayment penalty, and the monthly payment stays.",
    },
    {
      agentResponse: "Notary service is free for customers; for others it's $10 per signature.",
    },
    {
      agentResponse:
        "Incoming wires are free. Outgoing domestic wires cost $25, international ones $45.",
    },
    {
      agentResponse: "You can withdraw all $22,318.04 with no penalty until Thursday.",
    },
    {
      agentResponse: "Free at 40,000 machines. Elsewhere the owner may charge about $3.",
    },
    {
      userMessage: "I closed the gym contract",
      agentResponse:
        "The $12 service fee is charged on the last day; you pay nothing above $1,500.",
    },
    {
      userMessage: "foreign fee?",
      agentResponse: "I can't see where a merchant processes until the charge comes through.",
    },
    {
      userMessage: "turn off overdraft coverage",
      agentResponse: "Done, overdraft coverage for card purchases is off.",
    },
    {
      agentResponse:
        "Without the opt-in we decline the purchase at no charge. With it, a $29 fee applies.",
    },
    { agentResponse: "There's no monthly fee if you keep $500; otherwise it's $8." },
    { agentResponse: "It's $8 monthly unless you keep $500." },
    { agentResponse: "Incoming wires are free, and outgoing wires cost $25." },
    { agentResponse: "We don't charge overdraft fees on card purchases unless you opt in." },
    { agentResponse: "After you cancel, you won't be charged again." },
    { agentResponse: "There are no hidden fees; the schedule lists them all." },
    { agentResponse: "If you close the account, you still owe the loan balance." },
    {
      userMessage: "What does the wire cost?",
      agentResponse: "The fee is $25.",
      toolsUsed: [quote],
    },
    {
      userMessage: "What does the wire cost?",
      agentResponse: "There's no fee.",
      toolsUsed: [{ ...quote, result: { transferFee: 0 } }],
    },
    // Another fee than the answer's, the text that the answer repeats, and what the call itself cost.
    {
      userMessage: "What does the transfer cost?",
      agentResponse: "There's no transfer fee.",
      toolsUsed: [{ ...quote, result: { transferFee: 0, overdraftFee: 35 } }],
    },
    {
      userMessage: "What does the wire cost?",
      agentResponse: "It's free of charge.",
      toolsUsed: [{ ...quote, result: { text: "Incoming wires have no fee.", fees: 3 } }],
    },
    {
      userMessage: "What does the wire cost?",
      agentResponse: "It's free of charge.",
      toolsUsed: [{ ...quote, result: { tokenCost: 0.002, fee: 0 } }],
    },
  ],
};
