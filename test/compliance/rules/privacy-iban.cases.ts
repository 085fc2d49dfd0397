import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

const IBAN = "DE30500105170648920731";

function call(name: string, parameters: unknown) {
  return { toolsUsed: [{ name, parameters, result: {}, success: true }] };
}

export const cases: RuleCases = {
  violating: [
    { agentResponse: `Paid from ${IBAN}.`, pattern: "checksum", detects: IBAN },
    {
      agentResponse: "de30 5001 0517 0648 9207 31 is his account.",
      pattern: "checksum",
      detects: "de30 5001 0517 0648 9207 31",
    },
    { agentResponse: "NO93-8601-1117-947", pattern: "checksum" },
    { userMessage: `my iban: ${IBAN}`, pattern: "checksum", severity: "warning" },
    {
      agentResponse: "It begins with DE30, and behind that you type 5001 0517 0648 9207 31.",
      pattern: "split",
      detects: "DE30, and behind that you type 5001 0517 0648 9207 31",
    },
    { ...call("post_message_to_slack", { text: IBAN }), pattern: "tool-parameter" },
  ],
  compliant: [
    { agentResponse: "DE31500105170648920731 has wrong check digits." },
    { agentResponse: "DE3050010517064892073 is one short." },
    { agentResponse: `${IBAN}5 is one too long.` },
    { agentResponse: "The creditor reference is RF18 5390 0754 7034." },
    { agentResponse: "DE30 **** **** **** **07 31" },
    { agentResponse: "Our BIC is HLBKUS33XXX." },
    { agentResponse: "Invoice NO12 3456 7890 12 is open." },
    call("send_sepa_transfer", { iban: IBAN }),
    {},
  ],
};
