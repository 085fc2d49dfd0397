import type { AgentInfo } from "../../src/events/agent.ts";
import { createAgent, createEvent, type JsonObject } from "./helpers.ts";

const MINUTE = 60_000;

interface Step {
  readonly kind: string;
  readonly fields?: JsonObject;
  /** Seconds since the step before. */
  readonly after?: number;
}

function say(content: string, fields: JsonObject = {}): Step {
  return {
    kind: "user_message",
    fields: { content, contentLength: content.length, ...fields },
    after: 14,
  };
}

function answer(content: string, fields: JsonObject = {}): Step {
  const llmMetadata = {
    model: "gpt-5",
    provider: "openai",
    latency: 1240,
    tokensUsed: { input: 812, output: 164, total: 976 },
  };
  return {
    kind: "agent_response",
    fields: {
      content,
      contentLength: content.length,
      llmMetadata,
      riskScore: 4,
      requiresReview: false,
      ...fields,
    },
    after: 3,
  };
}

function callTool(toolName: string, toolParameters: unknown, result: JsonObject): Step[] {
  const metadata = { toolCallId: `call-${toolName}` };
  return [
    {
      kind: "tool_call",
      fields: { toolName, toolParameters, toolCategory: "accounts", riskLevel: "low", metadata },
      after: 1,
    },
    { kind: "tool_result", fields: { toolName, metadata, ...result }, after: 1 },
  ];
}

const STRUCTURING = {
  rule: "bsa-aml-structuring-advice",
  category: "bsa_aml",
  severity: "violation",
  description:
    "The answer advises splitting cash deposits so that they stay under the reporting threshold.",
  recommendation:
    "Withdraw the advice, explain that reports are routine, and refer the conversation to the BSA officer.",
  confidence: 0.94,
  context: {
    detectedContent: "…deposit $9,000 on Monday and the rest at another branch later in the week…",
    detectedPattern: "split-under-threshold",
    riskFactors: ["cash", "amount near 10,000 USD"],
    regulatoryImpact: "31 U.S.C. § 5324 (structuring), 31 CFR 1010.314; read 2026-11-02",
  },
};

const STEERING = {
  rule: "fair-lending-steering",
  category: "fair_lending",
  severity: "warning",
  description:
    "The answer moves the applicant towards another product before the application is known.",
  recommendation: "Offer every product the applicant asks about on equal terms.",
  confidence: 0.71,
  context: {
    detectedContent: "people from your area usually do better with an FHA loan",
    regulatoryImpact: "12 CFR 1002.4(b) (Regulation B); read 2026-11-02",
  },
};

const DISCLOSURE = {
  rule: "consumer-protection-missing-apr",
  category: "consumer_protection",
  severity: "info",
  description: "A rate is named without the annual percentage rate.",
  recommendation: "Name the APR beside the rate.",
  context: {
    detectedContent: "6.1 % fixed",
    regulatoryImpact: "12 CFR 1026.24 (Regulation Z); read 2026-11-02",
  },
};

interface Script {
  readonly agentId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly steps: readonly Step[];
}

const SCRIPTS: readonly Script[] = [
  {
    agentId: "personal-banking",
    conversationId: "conv-2041",
    userId: "cust-88213",
    steps: [
      { kind: "conversation_start" },
      say("What is the balance of my everyday account, and did my salary arrive?"),
      ...callTool(
        "get_accounts",
        { customerId: "cust-88213" },
        {
          toolResult: {
            accounts: [{ id: "acc-…4821", type: "everyday", balance: 3182.4, currency: "USD" }],
          },
          executionTime: 86,
          success: true,
        },
      ),
      answer(
        "Your everyday account ending in 4821 stands at $3,182.40. Your salary of $4,250.00 arrived on 18 November.",
      ),
      say("Great. Please send 200 dollars to Ana."),
      ...callTool(
        "create_transfer",
        { to: "Ana R.", amount: 200, currency: "USD" },
        {
          toolResult: null,
          toolError: "payments gateway answered 503",
          executionTime: 5003,
          success: false,
        },
      ),
      {
        kind: "error",
        fields: {
          errorType: "UpstreamError",
          errorMessage: "payments gateway answered 503 after 2 retries",
          severity: "high",
          errorStack:
            "UpstreamError: payments gateway answered 503\n    at createTransfer (payments.js:41:11)\n    at async runTool (tools.js:17:20)",
        },
      },
      answer(
        "I could not send the transfer: our payment service does not answer at the moment. No money has left your account. Shall I try again in a few minutes?",
      ),
      {
        kind: "conversation_end",
        fields: {
          duration: 96_000,
          messageCount: 4,
          resolutionStatus: "unresolved",
          userSatisfaction: 6,
        },
      },
    ],
  },
  {
    agentId: "personal-banking",
    conversationId: "conv-2042",
    userId: "cust-10977",
    steps: [
      { kind: "conversation_start" },
      say(
        "I have 14,000 dollars in cash from selling my car. Can I deposit it without the bank filing that report?",
      ),
      answer(
        "Yes, there is an easy way: deposit $9,000 on Monday and the rest at another branch later in the week, then no report is needed.\n\nIs there anything else I can do for you?",
        { complianceFlags: [STRUCTURING], riskScore: 91, requiresReview: true },
      ),
      say("Thanks, I will do that."),
      answer(
        "Please disregard my previous advice. Deposits above $10,000 are reported routinely, and splitting them to avoid the report is an offence. Depositing the full amount at once is fine.",
      ),
      {
        kind: "compliance_violation",
        fields: {
          violationType: "advice_withdrawn",
          severity: "medium",
          description: "The application had to withdraw an answer of the agent.",
          ruleId: "app-answer-withdrawn",
        },
      },
    ],
  },
  {
    agentId: "mortgage-advisor",
    conversationId: "conv-2043",
    userId: "cust-55102",
    steps: [
      { kind: "conversation_start", fields: { metadata: { channel: "web chat" } } },
      say("We would like a mortgage for a 410,000 dollar house. What would you offer us?"),
      ...callTool(
        "quote_rates",
        { price: 410_000, term: 30 },
        {
          toolResult: {
            products: [
              { name: "30-year fixed", rate: 6.1 },
              { name: "FHA 30-year", rate: 5.9 },
            ],
          },
          executionTime: 412,
          success: true,
        },
      ),
      answer(
        "Our 30-year mortgage is at 6.1 % fixed. That said, people from your area usually do better with an FHA loan, so I would start there.",
        { complianceFlags: [STEERING, DISCLOSURE], riskScore: 58, requiresReview: true },
      ),
    ],
  },
  {
    agentId: "fraud-desk",
    conversationId: "conv-2044",
    userId: "cust-31960",
    steps: [
      { kind: "conversation_start", fields: { metadata: { channel: "phone" } } },
      say(
        "There is a charge of $1,249.99 from a shop I do not know. <b>Please</b> <script>block</script> my card!",
      ),
      ...callTool(
        "block_card",
        { card: "…7719", reason: "suspected fraud" },
        { toolResult: { blocked: true }, executionTime: 143, success: true },
      ),
      answer(
        "Your card ending in 7719 is blocked. I have opened a dispute for the charge; you get a provisional credit within two business days.",
      ),
      {
        kind: "conversation_end",
        fields: {
          duration: 41_000,
          messageCount: 2,
          resolutionStatus: "resolved",
          userSatisfaction: 9,
        },
      },
    ],
  },
];

/** Agents of the conversations. */
export const AGENTS: readonly AgentInfo[] = [
  createAgent({ id: "personal-banking", name: "Personal banking assistant", version: "2.3.0" }),
  createAgent({
    id: "mortgage-advisor",
    name: "Mortgage advisor",
    version: "1.8.1",
    specialty: "mortgage_lending",
  }),
  createAgent({
    id: "fraud-desk",
    name: "Fraud desk",
    version: "4.0.0",
    specialty: "fraud_detection",
  }),
];

/** Builds the events of the conversations, in order, the first conversation starting at `start`. */
export function createConversations(start: number): JsonObject[] {
  return SCRIPTS.flatMap((script, index) => {
    let timestamp = start + index * 9 * MINUTE;
    return script.steps.map((step) => {
      timestamp += (step.after ?? 0) * 1000 + 37;
      const { agentId, conversationId, userId } = script;
      const sessionId = `session-${conversationId}`;
      return createEvent(step.kind, {
        timestamp,
        agentId,
        conversationId,
        userId,
        sessionId,
        environment: "staging",
        ...step.fields,
      });
    });
  });
}
