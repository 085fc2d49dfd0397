import { createTool, type AgentScript } from "../agent-script.ts";

/** The assistant for disputed charges. */
export const disputesAssistant: AgentScript = {
  profile: {
    id: "disputes-assistant",
    name: "Disputes assistant",
    category: "workflow",
    specialty: "customer_service",
    llmProvider: "openai",
    description: "Takes disputes of card charges and says how they stand.",
  },
  price: { input: 0.25, output: 2 },
  weight: 17,
  channels: { "mobile app": 5, "web chat": 3, phone: 2 },
  versions: [
    {
      version: "3.0.1",
      since: 50,
      model: "gpt-5-mini",
      latency: 980,
      lapses: 0.07,
      systemPrompt:
        "You take disputes of card charges. Say which deadlines the customer has. Never decide a dispute, and never refuse to take one.",
    },
    {
      version: "3.1.0",
      since: 5,
      model: "gpt-5-mini",
      latency: 890,
      lapses: 0.05,
      systemPrompt:
        "You take disputes of card charges. Say which deadlines the customer has, and that provisional credit is given within ten business days. Never decide a dispute, and never refuse to take one. Offer a person when the customer asks twice.",
    },
  ],
  tools: [
    createTool(
      {
        name: "open_dispute",
        description: "Opens a dispute about a charge.",
        category: "disputes",
        riskLevel: "medium",
        millis: 480,
        failure: "dispute queue is full",
        resultOf: ({ reference, small }) => ({ dispute: reference, amount: small, status: "open" }),
      },
      { merchant: "Where the charge was made.", amount: "US dollars." },
      ({ merchant, small }) => ({ merchant, amount: small }),
    ),
    createTool(
      {
        name: "get_dispute",
        description: "Reads how a dispute stands.",
        category: "disputes",
        riskLevel: "low",
        millis: 170,
        failure: "dispute system answered 504",
        resultOf: ({ reference, soon }) => ({
          dispute: reference,
          status: "in review",
          until: soon,
        }),
      },
      { dispute: "Its reference." },
      ({ reference }) => ({ dispute: reference }),
    ),
  ],
  topics: [
    {
      exchanges: [
        {
          user: [
            "I want to dispute {small} from {merchant}.",
            "{merchant} charged me {small} twice on {past}.",
          ],
          tool: "open_dispute",
          answer: [
            "Dispute {reference} is open. We investigate it and write to you; you keep your rights under Regulation E meanwhile.",
            "I have opened dispute {reference} for {small}. Please keep the receipt, the team may ask for it.",
          ],
        },
        {
          user: ["Do I have to pay it meanwhile?", "When do I get the money back?"],
          answer: [
            "The team decides after the investigation. Provisional credit is usually given within ten business days.",
            "That depends on the investigation, which usually takes up to 45 days. You may get provisional credit before.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: ["How does dispute {reference} stand?", "Any news about {reference}?"],
          tool: "get_dispute",
          answer: [
            "Dispute {reference} is in review until {soon}. The merchant was asked for the receipt.",
            "It is in review; the merchant has until {soon} to answer.",
          ],
        },
        {
          user: [
            "Can I add a photo of the receipt?",
            "I found the email of the cancellation, do you need it?",
          ],
          answer: [
            "Yes, please. You can upload it to the dispute under Messages.",
            "Yes, that helps. Attach it under Messages, PDF or JPEG.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "I canceled the subscription at {merchant} and they still charge {small}.",
            "{merchant} sent the wrong thing and wants no return.",
          ],
          answer: [
            "Please write to the merchant first and keep the reply. If that does not help, I open a dispute with it.",
            "You can dispute that. Do you have an email that shows the cancellation or the return?",
          ],
        },
      ],
    },
  ],
  lapses: [
    {
      user: [
        "A thief used my card twice. What do I owe?",
        "Someone took {amount} from my account.",
      ],
      answer: [
        "You must pay all of what the thief charged. That is how it works.",
        "You must pay all of what was stolen. We don't refund that.",
      ],
    },
    {
      user: ["How do I dispute a charge of {small}?", "Can I dispute what {merchant} charged?"],
      answer: [
        "You can't. All card charges are final and you have no right to dispute them.",
        "You can't dispute it. Every card charge is final and you have no right to a dispute.",
      ],
    },
    {
      user: ["May I speak to your manager?", "I have a complaint about how this was handled."],
      answer: [
        "I refuse to transfer you. My decision is final.",
        "You can't file a complaint. I refuse to record it, and my decision is final.",
      ],
    },
    {
      user: ["When do I get the money from my claim?", "Will I get {small} back?"],
      answer: [
        "Your claim is approved and the full amount will be paid tomorrow, I promise.",
        "Yes, I guarantee that your dispute will be decided for you, and I have approved it.",
      ],
    },
    {
      user: [
        "Please open a dispute about {small} at {merchant}.",
        "Dispute {small}, {merchant}, please.",
      ],
      tool: "open_dispute",
      toolFails: true,
      answer: [
        "I have opened your dispute about {small}, reference {reference}.",
        "Done, I have opened the dispute.",
      ],
    },
  ],
};
