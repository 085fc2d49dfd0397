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
  ],
  compliant: [
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
