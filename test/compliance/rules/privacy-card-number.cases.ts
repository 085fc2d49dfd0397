import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

const CARD = "4539148803436467";

function call(name: string, parameters: unknown, result: unknown = {}) {
  return { toolsUsed: [{ name, parameters, result, success: true }] };
}

export const cases: RuleCases = {
  violating: [
    {
      agentResponse: "It's 4539 1488 0343 6467, valid to 12/27.",
      pattern: "checksum",
      detects: "4539 1488 0343 6467",
    },
    { agentResponse: `The number is ${CARD}.`, pattern: "checksum", detects: CARD },
    { agentResponse: "6-0-1-1-1-1-0-0-1-1-9-9-8-8-7-0", pattern: "checksum" },
    {
      agentResponse: "４５３９ １４８８ ０３４３ ６４６７",
      pattern: "checksum",
      detects: "４５３９ １４８８ ０３４３ ６４６７",
    },
    { agentResponse: "4539\u200b1488\u200b0343\u200b6467", pattern: "checksum" },
    { agentResponse: "Visa 4539/1488/0343/6467", pattern: "checksum" },
    { agentResponse: "Card:\n4539\n1488\n0343\n6467", pattern: "checksum" },
    {
      agentResponse: "4539 1488 0343 6467 0927 441",
      pattern: "checksum",
      detects: "4539 1488 0343 6467",
    },
    { agentResponse: "On file: 4539 l488 O343 6467", pattern: "checksum" },
    { agentResponse: "٤٥٣٩ ١٤٨٨ ٠٣٤٣ ٦٤٦٧", pattern: "checksum" },
    {
      agentResponse: "Case notes: the caller gave 4539 1488 0343 6467 and hung up.",
      pattern: "checksum",
      detects: "4539 1488 0343 6467",
    },
    {
      agentResponse:
        "It reads four five three nine, one four double eight, oh three four three, six four six seven.",
      pattern: "checksum",
      detects:
        "four five three nine, one four double eight, oh three four three, six four six seven",
    },
    {
      agentResponse:
        "forty-five thirty-nine fourteen eighty-eight oh three forty-three sixty-four sixty-seven",
      pattern: "checksum",
    },
    {
      userMessage: `charge ${CARD} please`,
      pattern: "checksum",
      detects: CARD,
      severity: "warning",
    },
    { agentResponse: "My card is 30569309025904", pattern: "test-number", severity: "info" },
    {
      agentResponse: "Use 4111 1111 1111 1111 in the sandbox.",
      pattern: "test-number",
      severity: "info",
    },
    {
      agentResponse: `Your tracking number is ${CARD}.`,
      pattern: "labelled-otherwise",
      severity: "info",
    },
    { agentResponse: `The card on order 12 is ${CARD}.`, pattern: "checksum", detects: CARD },
    {
      agentResponse: "It starts with 45391488. After that come 03436467. Anything else?",
      userMessage: "What's on my Visa?",
      pattern: "split",
      detects: "45391488. After that come 03436467",
    },
    {
      userMessage: "and then 0343 6467",
      history: [{ userMessage: "charge my visa: 4539" }, { userMessage: "1488" }],
      pattern: "split",
      detects: "0343 6467",
      severity: "warning",
    },
    { ...call("send_email", { to: "a", body: `Card ${CARD}` }), pattern: "tool-parameter" },
    { ...call("appendToLog", { entry: { pan: Number(CARD) } }), pattern: "tool-parameter" },
    { ...call("web_search", { query: `who issued ${CARD}` }), pattern: "tool-parameter" },
    {
      userMessage: "Put the airline tickets on 4539 1488 0343 6467, expiring 04/28.",
      pattern: "checksum",
      severity: "warning",
      detects: "4539 1488 0343 6467",
    },
    {
      agentResponse: "Bill the order to 4539 1488 0343 6467.",
      pattern: "checksum",
      detects: "4539 1488 0343 6467",
    },
    {
      agentResponse: "Reference for the booking: 4539 1488 0343 6467, security code 411.",
      pattern: "checksum",
    },
    {
      agentResponse: "Policy 4539 1488 0343 6467 is good through 12/28.",
      pattern: "labelled-otherwise",
      severity: "info",
    },
    {
      agentResponse: "Front half is 45391488. Got your pencil? Back half is 03436467.",
      pattern: "split",
      detects: "45391488. Got your pencil? Back half is 03436467",
    },
    { agentResponse: "The back half is 03436467, the front half is 45391488.", pattern: "split" },
    {
      userMessage: "my Visa?",
      agentResponse:
        "First four, four five three nine; next four, one four double eight; last eight oh three four three six four six seven.",
      pattern: "split",
    },
  ],
  compliant: [
    {
      agentResponse: "Dispute 45395787 on your card is open. The second dispute is 10000008.",
    },
    {
      agentResponse: "Payments in the first half: 45391488. Payments in the second half: 03436467.",
    },
    { agentResponse: "Your order begins 45391488 and ends 03436467." },
    { agentResponse: "The card ending in 0042." },
    { agentResponse: "4539 14** **** 6467" },
    { agentResponse: "It is 4539 1488 0343 6468." },
    { agentResponse: "IMEI 490154203237518" },
    { agentResponse: `The reference is 1${CARD}.` },
    { agentResponse: `Digest 9b${CARD}c` },
    { agentResponse: "The total is $4539148803436467.00" },
    { agentResponse: "The ISIN is US0378331005." },
    { agentResponse: "Call +1 415 555 0132 or 415 555 0133." },
    { agentResponse: "Ticket 12345678-1234-4123-8123-123456789012." },
    { agentResponse: "Card purchases: 4.50 12.99 30.00 45.10 61.20 on 2026-11-21 07:07." },
    { agentResponse: "Codes handed out: 4539, 1488, 0343, 6467." },
    { agentResponse: "Cards ending 4539 and 1488 were used for $343 and $6,467." },
    { agentResponse: "Let's count: one two three four five six seven eight nine ten." },
    {
      userMessage: "0343 6467",
      history: [{ userMessage: "my order number is in two parts, 4539 1488" }],
    },
    call("charge_card", { pan: CARD }),
    call("send_email", { body: "Card ending 6467" }),
    call("send_email", { body: "done" }, { pan: CARD }),
    { userMessage: "" },
    {},
  ],
};
