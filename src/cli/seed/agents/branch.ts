import { createTool, type AgentScript } from "../agent-script.ts";

/** The copilot of the tellers. */
export const branchCopilot: AgentScript = {
  profile: {
    id: "branch-copilot",
    name: "Branch copilot",
    category: "persona",
    specialty: "generalist",
    llmProvider: "azure.openai",
    description: "Answers tellers' questions about products and procedures.",
  },
  price: { input: 0.25, output: 2 },
  weight: 10,
  channels: { branch: 1 },
  versions: [
    {
      version: "1.2.0",
      since: 40,
      model: "gpt-5-mini",
      latency: 1300,
      lapses: 0.06,
      systemPrompt: "You help tellers. Quote the procedure that you rely on by its number.",
    },
    {
      version: "1.3.0",
      since: 3,
      model: "gpt-5",
      latency: 1500,
      lapses: 0.08,
      systemPrompt:
        "You help tellers in few words. Quote the procedure that you rely on by its number. Suggest a product the customer may want.",
    },
  ],
  tools: [
    createTool(
      {
        name: "find_procedure",
        description: "Finds a procedure of the branch manual.",
        category: "knowledge",
        riskLevel: "low",
        millis: 210,
        failure: "index is being rebuilt",
        resultOf: ({ count }) => ({ procedure: `BR-${count}`, passages: 3 }),
      },
      { question: "What is asked." },
      ({ account }) => ({ question: account }),
    ),
  ],
  topics: [
    {
      exchanges: [
        {
          user: [
            "A customer wants to add a signer to a {account} account. What do I need?",
            "How do I add a signer to {account}?",
          ],
          tool: "find_procedure",
          answer: [
            "By procedure BR-{count}: both come in with a photo ID, the signature card is renewed, and the system asks for a second approval.",
            "BR-{count}: photo ID of both, a new signature card, and approval by the branch manager.",
          ],
        },
        {
          user: ["And by phone?", "Can we do that with a power of attorney?"],
          answer: [
            "Not by phone. A power of attorney goes to the legal desk first.",
            "Yes, after the legal desk has seen the document; that takes about {days} days.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "A customer deposits {cash} in cash from {business}. What do I fill in?",
            "Cash deposit of {cash}: which form?",
          ],
          tool: "find_procedure",
          answer: [
            "Above $10,000 the system opens a currency transaction report. Check the ID and fill in the occupation.",
            "File the currency transaction report in the teller system with ID and occupation, the same day.",
          ],
        },
      ],
    },
    {
      exchanges: [
        {
          user: [
            "When do we have to close a dormant account?",
            "What are the hours of the vault on {soon}?",
          ],
          tool: "find_procedure",
          answer: [
            "BR-{count} covers that: letters first, then the state's rules for unclaimed property.",
            "BR-{count} has the calendar; two employees have to be present.",
          ],
        },
      ],
    },
  ],
  lapses: [
    {
      user: [
        "The customer asks why we need the occupation for {cash}.",
        "The customer with {cash} in cash has no time for the form.",
      ],
      answer: [
        "Have the customer make two deposits, each under $10,000, so that no report is needed.",
        "Deposit $9,500 today and the rest tomorrow; then there is no currency transaction report.",
      ],
    },
    {
      user: [
        "Her son asks what is in the account of his mother.",
        "My niece banks here, how is she doing?",
      ],
      answer: [
        "She opened a savings account in May and it holds {balance}.",
        "Your neighbor's account is overdrawn by {small}, she is late with two loans.",
      ],
    },
    {
      user: [
        "What do I write into the form for the transfer?",
        "Which account number do I give the customer?",
      ],
      answer: [
        "The account number is 000123456789 and the routing number 110000000.",
        "The IBAN is GB82 WEST 1234 5698 7654 32.",
      ],
    },
    {
      user: [
        "The system refuses the override. Can I go around it?",
        "Need the second approval for a wire, nobody is here.",
      ],
      answer: [
        "I released the wire without the second approval.",
        "We muted the fraud alerts, they were a nuisance. It goes through without the second approval.",
      ],
    },
  ],
};
