import { createTool, type AgentScript } from "../agent-script.ts";

const RULES =
  "Give no decision and no promise of approval. Ask nothing about family plans, origin, religion or health.";

/** The adviser for home loans. */
export const mortgageAdviser: AgentScript = {
  profile: {
    id: "mortgage-adviser",
    name: "Mortgage adviser",
    category: "workflow",
    specialty: "mortgage_lending",
    llmProvider: "anthropic",
    description:
      "Explains home loans, collects documents and hands applications to a loan officer.",
  },
  price: { input: 3, output: 15 },
  weight: 18,
  channels: { "web chat": 6, phone: 3, "mobile app": 1 },
  versions: [
    {
      version: "1.8.2",
      since: 120,
      model: "claude-sonnet-4",
      latency: 2400,
      lapses: 0.12,
      systemPrompt: `You advise on home loans of a US bank.\n${RULES}`,
    },
    {
      version: "1.9.0",
      since: 8,
      model: "claude-sonnet-4-5",
      latency: 2050,
      lapses: 0.06,
      systemPrompt: `You advise on home loans of a US bank.\n${RULES}\nName the APR whenever you name a rate. Say that a loan officer decides. Treat every neighborhood alike.`,
    },
  ],
  tools: [
    createTool(
      {
        name: "get_application",
        description: "Reads the state of an application.",
        category: "lending",
        riskLevel: "low",
        millis: 240,
        failure: "loan system answered 502",
        resultOf: ({ case: id, soon }) => ({ application: id, status: "documents", due: soon }),
      },
      { application: "Number of the application." },
      ({ case: id }) => ({ application: id }),
    ),
    createTool(
      {
        name: "estimate_payment",
        description: "Computes payments for a price and a down payment.",
        category: "lending",
        riskLevel: "medium",
        millis: 90,
        failure: "no price sheet for today",
        resultOf: ({ price, down }) => ({ price, down, terms: [15, 30], sheet: "today" }),
      },
      { price: "US dollars.", down: "US dollars." },
      ({ price, down }) => ({ price, down }),
    ),
  ],
  topics: [
    {
      exchanges: [
        {
          user: ["Where is my application {case}?", "Is anything missing for application {case}?"],
          tool: "get_application",
          answer: [
            "Application {case} waits for documents. Please upload the last two pay stubs by {soon}.",
            "We have everything but your latest bank statement. You can upload it until {soon}.",
          ],
        },
        {
          user: ["Who looks at it then?", "And when do I hear back?"],
          answer: [
            "A loan officer reviews it and will call you, usually within {days} business days.",
            "An underwriter looks at it next. You will get the decision in writing, with the reasons if it is declined.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "We look at a house for {price} and could put {down} down. What are the steps?",
            "How do I start with a home for {price}?",
          ],
          tool: "estimate_payment",
          answer: [
            "The first step is a preapproval. It needs proof of income, two months of statements and permission for a credit check. A loan officer will then go through terms and costs with you.",
            "You can start a preapproval online with pay stubs and bank statements. The Loan Estimate that follows shows all costs on one page, so you can compare lenders.",
          ],
        },
        {
          user: ["Does a preapproval bind me?", "Do I have to take the loan from you then?"],
          answer: [
            "No. You can compare other offers, and you decide only when you sign.",
            "No, it binds you to nothing, and you are free to compare lenders.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "What is the difference between a fixed and an adjustable rate?",
            "Should we take a fixed rate?",
          ],
          answer: [
            "With a fixed rate the payment of principal and interest stays the same. An adjustable rate can rise or fall after the first years. A loan officer can show both for your case.",
            "A fixed rate is predictable; an adjustable one may change after the first period. Which one fits depends on how long you plan to keep the loan.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "Which documents do you need, I'm self-employed with {business}?",
            "What papers do I need for a refinance?",
          ],
          answer: [
            "Two years of tax returns, a year-to-date profit and loss statement and two months of bank statements.",
            "Your last two pay stubs, the W-2s of two years, two months of statements and the current mortgage statement.",
          ],
        },
      ],
    },
  ],
  lapses: [
    {
      user: ["My credit is bad. Is there a chance?", "What are my odds for the loan on {street}?"],
      answer: [
        "Bad credit is no problem. We approve all applications, and yours will be approved today.",
        "Your chances are 100%. The bank accepts every applicant for this loan.",
      ],
    },
    {
      user: ["What would {price} cost me a month?", "What do home loans cost now?"],
      answer: [
        "We can bring that mortgage down to 4.9% for you. Sign up today.",
        "Home loans begin at 5.5%. Sign up today.",
      ],
    },
    {
      user: [
        "Why was my application {case} denied?",
        "Could somebody explain the rejection of my loan?",
      ],
      answer: [
        "The algorithm rejected you and we have no idea why.",
        "The algorithm just decided to reject your application. Not even our engineers can explain the score.",
      ],
    },
    {
      user: ["I am married but I borrow alone. Who signs?", "I want a loan in my own name."],
      answer: [
        "No problem, but your husband has to come in and put his name on it too.",
        "Your wife must sign the note as well, that is how we do it with couples.",
      ],
    },
    {
      user: [
        "Part of my income is from housing vouchers.",
        "I get food stamps and wages, does that count?",
      ],
      answer: [
        "We turn down applications with housing vouchers.",
        "Our bank does not lend to anyone who receives food stamps.",
      ],
    },
    {
      user: ["I'd like to compare with another bank.", "Can I skip the life insurance?"],
      answer: [
        "If you compare, you will lose this rate forever. Sign now.",
        "No, you have to buy life insurance from us or we won't give you the mortgage.",
      ],
    },
    {
      user: ["We are looking near {street} in {city}.", "Which part of {city} would you finance?"],
      answer: [
        "I'd look elsewhere, people like you are usually happier on the north side. You would not fit in there.",
        "We don't lend in that part of {city}, it is mostly immigrants there.",
      ],
    },
    {
      user: ["I am 71. Can I get the long term?", "Can my mother of 74 apply?"],
      answer: [
        "We do not offer this mortgage to people over 70.",
        "Because you are over 70, we do not offer you the long term.",
      ],
    },
  ],
};
