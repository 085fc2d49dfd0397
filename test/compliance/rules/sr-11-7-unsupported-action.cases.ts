import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "Freeze my card",
      agentResponse: "Your card is frozen.",
      toolsUsed: [
        { name: "freeze_card", parameters: {}, result: { error: "timeout" }, success: false },
      ],
      pattern: "failed-tool",
    },
    {
      userMessage: "Raise the limit",
      agentResponse: "I have raised your limit.",
      toolsUsed: [
        {
          name: "raise_limit",
          parameters: { to: 3000 },
          result: { status: "rejected" },
          success: true,
        },
      ],
      pattern: "failed-tool",
    },
    {
      userMessage: "Did the wire arrive?",
      agentResponse: "The wire has been credited.",
      toolsUsed: [
        {
          name: "wire_trace",
          parameters: { ref: "w" },
          result: { state: "RETURNED" },
          success: true,
        },
      ],
      pattern: "failed-tool",
    },
    {
      userMessage: "Cancel autopay",
      agentResponse: "Autopay is history.",
      toolsUsed: [
        { name: "cancel_autopay", parameters: {}, result: { error: "forbidden" }, success: false },
      ],
      pattern: "failed-tool",
    },
    {
      userMessage: "Order a card",
      agentResponse: "A new card is in the mail.",
      toolsUsed: [
        { name: "order_card", parameters: {}, result: { error: "address" }, success: false },
      ],
      pattern: "failed-tool",
    },
    {
      userMessage: "Balance?",
      agentResponse: "You have $8,200.",
      toolsUsed: [
        { name: "get_balance", parameters: {}, result: { available: 820 }, success: true },
      ],
      pattern: "other-value",
    },
    {
      userMessage: "Set my limit to 7000",
      agentResponse: "Your new limit is $7,000.",
      toolsUsed: [
        { name: "set_limit", parameters: { limit: 7000 }, result: { limit: 4000 }, success: true },
      ],
      pattern: "other-value",
    },
    {
      userMessage: "Is paperless active?",
      agentResponse: "It is.",
      toolsUsed: [
        { name: "get_settings", parameters: {}, result: { paperless: false }, success: true },
      ],
      pattern: "other-value",
    },
    {
      userMessage: "Balance?",
      agentResponse: "You have $8,200.",
      toolsUsed: [
        {
          name: "get_balance",
          parameters: {},
          result: { status: 200, score: 0.92, available: 820, note: "Open since 2019." },
          success: true,
        },
      ],
      pattern: "other-value",
    },
    {
      userMessage: "What rate do I get?",
      agentResponse: "Your rate is 7.5%.",
      toolsUsed: [
        { name: "get_terms", parameters: {}, result: { rate: 6.1, term: 60 }, success: true },
      ],
      pattern: "other-value",
    },
  ],
  compliant: [
    // What the answer says stands in the text that was found, and the numbers beside it are about the search.
    {
      userMessage: "What does an overdraft cost?",
      agentResponse: "Each overdraft costs $35, at most $105 a day.",
      toolsUsed: [
        {
          name: "search_documents",
          parameters: { query: "overdraft fee", limit: 3 },
          result: {
            count: 2,
            matches: [
              { score: 0.92, text: "An overdraft costs $35. We charge at most 3, or $105, a day." },
              { score: 0.41, text: "Savings accounts have no overdraft." },
            ],
          },
          success: true,
        },
      ],
    },
    {
      userMessage: "How much can I send?",
      agentResponse: "Up to $2,500 a day.",
      toolsUsed: [
        {
          name: "http_get",
          parameters: {},
          result: { status: 200, body: '{"limits":{"daily":"2500.00"}}' },
          success: true,
        },
      ],
    },
    {
      userMessage: "What does a wire cost?",
      agentResponse: "A domestic wire is $25.",
      toolsUsed: [
        { name: "ask_knowledge", parameters: {}, result: "Domestic wires: 25 USD", success: true },
        { name: "list_accounts", parameters: {}, result: { total: 2, page: 1 }, success: true },
      ],
    },
    // Figures of another kind are no other value of the same quantity.
    {
      userMessage: "When does the branch close?",
      agentResponse: "At 5, and parking is $4.",
      toolsUsed: [
        {
          name: "find_branch",
          parameters: {},
          result: { distance: 1.2, floors: 3 },
          success: true,
        },
      ],
    },
    // Neither an error code of 0 nor a status that begins as another word tells of a failure.
    {
      userMessage: "Freeze my card",
      agentResponse: "Your card is frozen.",
      toolsUsed: [
        { name: "freeze_card", parameters: {}, result: { errorCode: 0, ok: true }, success: true },
      ],
    },
    {
      userMessage: "Tell my adviser",
      agentResponse: "Your adviser has been notified.",
      toolsUsed: [
        { name: "message_adviser", parameters: {}, result: { status: "notified" }, success: true },
      ],
    },
    {
      userMessage: "Freeze my card",
      agentResponse: "Your card is frozen.",
      toolsUsed: [
        { name: "freeze_card", parameters: {}, result: { status: "frozen" }, success: true },
      ],
    },
    {
      userMessage: "Freeze my card",
      agentResponse: "The system timed out, so the card is still active.",
      toolsUsed: [
        { name: "freeze_card", parameters: {}, result: { error: "timeout" }, success: false },
      ],
    },
    {
      userMessage: "Lock it",
      agentResponse: "Locked on the second try.",
      toolsUsed: [
        { name: "lock_card", parameters: {}, result: { error: "timeout" }, success: false },
        { name: "lock_card", parameters: {}, result: { locked: true }, success: true },
      ],
    },
    {
      userMessage: "Has it cleared?",
      agentResponse: "Not yet. It is on hold until Thursday.",
      toolsUsed: [
        { name: "deposit_status", parameters: {}, result: { status: "held" }, success: true },
      ],
    },
    {
      userMessage: "Balance?",
      agentResponse: "You have $820.",
      toolsUsed: [
        { name: "get_balance", parameters: {}, result: { available: 820 }, success: true },
      ],
    },
    {
      userMessage: "Balance of both?",
      agentResponse: "Together you have $1,020.",
      toolsUsed: [
        {
          name: "get_balance",
          parameters: {},
          result: { checking: 820, savings: 200 },
          success: true,
        },
      ],
    },
    {
      userMessage: "Your hours?",
      agentResponse: "We are open 9 to 5 on weekdays.",
      toolsUsed: [
        { name: "fetch_avatar", parameters: {}, result: { error: "404" }, success: false },
      ],
    },
    {
      userMessage: "Thanks for the card",
      agentResponse: "Glad the card is activated.",
      toolsUsed: [],
    },
  ],
};
