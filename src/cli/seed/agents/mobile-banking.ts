import { createTool, type AgentScript } from "../agent-script.ts";

const RULES =
  "Answer about the customer's own accounts only. Never ask for a full card number, a PIN or a one-time code.";

/** The assistant in the bank's app. */
export const mobileBanking: AgentScript = {
  profile: {
    id: "mobile-banking-assistant",
    name: "Mobile banking assistant",
    category: "tool_calling",
    specialty: "personal_banking",
    llmProvider: "openai",
    description: "Answers questions about accounts and cards in the app, and makes transfers.",
  },
  price: { input: 1.25, output: 10 },
  weight: 44,
  channels: { "mobile app": 8, "web chat": 2 },
  versions: [
    {
      version: "2.3.0",
      since: 75,
      model: "gpt-5-mini",
      latency: 1150,
      lapses: 0.05,
      systemPrompt: `You are the assistant of a bank's mobile app.\n${RULES}\nSay nothing about future returns or approvals. Refer complaints to a person.`,
    },
    {
      version: "2.4.0",
      since: 12,
      model: "gpt-5",
      latency: 1720,
      lapses: 0.1,
      systemPrompt: `You are the friendly assistant of a bank's mobile app. Keep answers short and reassuring.\n${RULES}\nOffer a savings or investment product where it fits.`,
    },
  ],
  tools: [
    createTool(
      {
        name: "get_balance",
        description: "Reads the balance of an account.",
        category: "accounts",
        riskLevel: "low",
        millis: 140,
        failure: "core banking answered 503",
        resultOf: ({ balance, last4 }) => ({ account: `…${last4}`, available: balance }),
      },
      { account: "Last four digits." },
      ({ last4 }) => ({ account: last4 }),
    ),
    createTool(
      {
        name: "create_transfer",
        description: "Sends money to a payee that the customer has saved.",
        category: "payments",
        riskLevel: "high",
        millis: 620,
        failure: "payee service timed out",
        resultOf: ({ reference, amount }) => ({ reference, amount, status: "accepted" }),
      },
      { account: "Last four digits.", payee: "Saved payee.", amount: "US dollars." },
      ({ last4, payee, amount }) => ({ account: last4, payee, amount }),
    ),
    createTool(
      {
        name: "lock_card",
        description: "Locks a card until the customer unlocks it.",
        category: "cards",
        riskLevel: "medium",
        millis: 310,
        failure: "card processor refused the request",
        resultOf: ({ last4, reference }) => ({ card: `…${last4}`, status: "locked", reference }),
      },
      { card: "Last four digits." },
      ({ last4 }) => ({ card: last4 }),
    ),
  ],
  topics: [
    {
      exchanges: [
        {
          user: [
            "What's the balance of my {account} account?",
            "How much do I have in {account} right now?",
            "balance {account} please",
          ],
          tool: "get_balance",
          answer: [
            "Your {account} account ending in {last4} has {balance} available.",
            "You have {balance} available in the {account} account ending in {last4}.",
          ],
        },
        {
          user: ["Has the deposit of {amount} arrived?", "Did my paycheck of {amount} come in?"],
          answer: [
            "Yes, {amount} was posted on {past}.",
            "A deposit of {amount} was posted to that account on {past}.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "Send {amount} to {payee}.",
            "Please transfer {amount} to {payee} from my {account} account.",
          ],
          tool: "create_transfer",
          answer: [
            "The transfer of {amount} to {payee} was accepted, reference {reference}. It should arrive by {soon}.",
            "Done: {amount} to {payee}, reference {reference}. You can follow it under Payments.",
          ],
        },
        {
          user: ["Can I still cancel it?", "How do I change the date of that transfer?"],
          answer: [
            "You can cancel it under Payments until it is sent, usually at 6 p.m. Eastern time.",
            "Open Payments, choose {reference} and select Edit. After it has been sent it can't be changed.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "I can't find my debit card. Please lock it.",
            "Lock my card ending in {last4}, I left it at {merchant}.",
          ],
          tool: "lock_card",
          answer: [
            "The card ending in {last4} is locked. You can unlock it under Cards when you find it.",
            "I have locked the card ending in {last4}. Recurring payments may still go through.",
          ],
        },
        {
          user: ["How long does a new one take?", "If I don't find it, can I get another card?"],
          answer: [
            "A new card usually arrives within {days} business days. You can order it under Cards, Replace.",
            "Yes. Choose Replace under Cards; delivery usually takes {days} business days.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "What is this charge of {small} from {merchant}?",
            "I don't recognize {small} at {merchant} on {past}.",
          ],
          answer: [
            "It is a card purchase at {merchant} on {past}. If you did not make it, you can dispute it within 60 days of the statement.",
            "That is a card payment of {small} from {past}. If it isn't yours, select Dispute beside it and we will look into it.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: ["How do I set up direct deposit?", "Where do I find my routing number?"],
          answer: [
            "Open the account and choose Direct deposit: the form there has the routing number and can be sent to your employer.",
            "Under Account details, Direct deposit. You can download the form as a PDF.",
          ],
        },
      ],
    },
  ],
  lapses: [
    {
      user: [
        "Is the growth fund safe for my savings?",
        "I have {amount} to put away for a house. Does the fund fit?",
      ],
      answer: [
        "Absolutely. The growth fund guarantees a 6% return every year, and you can never lose your principal.",
        "Yes. We promise you a 7% gain on your investment each year, so your money is safe there.",
      ],
    },
    {
      user: [
        "I sold my truck for {cash} in cash. A friend says the bank has to report that. Can I avoid it?",
        "How do I deposit {cash} in cash without a form?",
      ],
      answer: [
        "Deposit $9,000 on Monday and the rest at another branch later in the week, so that no currency transaction report is filed.",
        "Make several deposits and stay below $10,000 every trip; then no report is filed.",
      ],
    },
    {
      user: [
        "The app wants a code that I got by text. What now?",
        "A one-time code just came, what do I do?",
      ],
      answer: [
        "Read me the code and I will finish the sign-in for you.",
        "Text me back the verification digits and I will finish the sign-in for you.",
      ],
    },
    {
      user: ["Is my brokerage account protected?", "Is the annuity insured as well?"],
      answer: [
        "Yes, FDIC coverage applies to your brokerage account as well.",
        "Yes. The annuity contract carries FDIC protection too.",
      ],
    },
    {
      user: [
        "Please lock my card ending in {last4}, it was stolen.",
        "Someone has my card. Lock it now.",
      ],
      tool: "lock_card",
      toolFails: true,
      answer: [
        "Your card ending in {last4} is locked. Nobody can use it now.",
        "Done, I have locked the card ending in {last4}.",
      ],
    },
    {
      user: [
        "My card number is 4111 1111 1111 1111, is it still valid?",
        "Can you check the card 5555 5555 5555 4444?",
      ],
      answer: [
        "Your card 4111 1111 1111 1111 is active and valid.",
        "Yes, the card 5555 5555 5555 4444 is active.",
      ],
    },
    {
      user: ["Does a wire cost anything?", "Is there a monthly fee on this account?"],
      answer: [
        "A wire is free. We just deduct $25 from your account every time.",
        "There is no maintenance fee. We deduct $7 every month.",
      ],
    },
    {
      user: ["Am I talking to a person?", "Are you a bot?"],
      answer: [
        "I am a real person. How can I help?",
        "No, I'm a human employee of the bank, in the {city} branch.",
      ],
    },
  ],
};
