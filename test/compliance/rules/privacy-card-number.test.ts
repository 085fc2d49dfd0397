import { describe, expect, it } from "vitest";
import { privacyCardNumber } from "../../../src/compliance/rules/privacy-card-number.ts";
import { testRule } from "../../helpers/rule-tester.ts";

const CARD = "4539148803436467";

testRule(privacyCardNumber, {
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
    {
      agentResponse: "4539 1488 0343 6467 0927 441",
      pattern: "checksum",
      detects: "4539 1488 0343 6467",
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
  ],
  compliant: [
    { agentResponse: "The card ending in 0042." },
    { agentResponse: "4539 14** **** 6467" },
    { agentResponse: "It is 4539 1488 0343 6468." },
    { agentResponse: "IMEI 490154203237518" },
    { agentResponse: `The reference is 1${CARD}.` },
    { agentResponse: `Digest 9b${CARD}c` },
    { agentResponse: "The total is $4539148803436467.00" },
    { agentResponse: "The ISIN is US0378331005 and the IBAN DE89370400440532013000." },
    { agentResponse: "Call +1 415 555 0132 or 415 555 0133." },
    { agentResponse: "Ticket 12345678-1234-4123-8123-123456789012." },
    { agentResponse: "Card purchases: 4.50 12.99 30.00 45.10 61.20 on 2026-11-21 07:07." },
    { userMessage: "" },
    {},
  ],
});

describe("evidence", () => {
  it("is masked to the last four digits and never shows the security code", () => {
    const agentResponse = `Here you go: ${CARD.replaceAll(/(.{4})(?=.)/g, "$1/")} exp 09/27 cvc 441. Anything else?`;
    const { violations } = privacyCardNumber.ruleFunction({
      agentId: "agent",
      agentCategory: "persona",
      sessionId: "session",
      timestamp: 0,
      agentResponse,
    });
    const excerpt = violations[0]?.context?.detectedContent ?? "";
    expect(excerpt).toContain("****/****/****/6467");
    expect(excerpt).toContain("cvc ***");
    expect(JSON.stringify(violations)).not.toMatch(/4539|441/);
  });
});
