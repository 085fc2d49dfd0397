import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

function call(name: string, parameters: unknown) {
  return { toolsUsed: [{ name, parameters, result: {}, success: true }] };
}

export const cases: RuleCases = {
  violating: [
    { agentResponse: "On file: 861-44-9022.", pattern: "shape", detects: "861-44-9022" },
    { agentResponse: "We have 861.44.9022 for you.", pattern: "shape" },
    { userMessage: "861 44 9022", pattern: "shape", severity: "warning" },
    { agentResponse: "| Ada | owner | 861 44 9022 |", pattern: "shape", detects: "861 44 9022" },
    { agentResponse: "Your SSN is 861449022.", pattern: "labelled", detects: "861449022" },
    { agentResponse: "861449022 is the social on the file.", pattern: "labelled" },
    { agentResponse: "ssn: 86144 9022", pattern: "labelled" },
    { agentResponse: "SSN 8 6 1 4 4 9 0 2 2", pattern: "labelled" },
    {
      userMessage: "Which SSN do you have?",
      agentResponse: "It's 861449022.",
      pattern: "labelled",
    },
    {
      agentResponse: "Saved: eight six one, four four, nine zero two two.",
      pattern: "shape",
      detects: "eight six one, four four, nine zero two two",
    },
    {
      userMessage: "my social is eight six one dash four four dash nine oh double two",
      pattern: "labelled",
      severity: "warning",
    },
    { agentResponse: "Your ITIN is 912-78-1234.", pattern: "itin", detects: "912-78-1234" },
    {
      userMessage: "last four 9022",
      history: [{ userMessage: "the ssn in bits: 861" }, { userMessage: "then 44" }],
      pattern: "split",
      detects: "9022",
      severity: "warning",
    },
    { ...call("createTicket", { note: "SSN 861-44-9022" }), pattern: "tool-parameter" },
    {
      userMessage: "Which taxpayer ID is on my form?",
      agentResponse: "The area part is 861, the group 44 and the serial 9022.",
      pattern: "split",
    },
    {
      userMessage: "my soc sec no so you can find me: 8 6 1 4 4 9 0 2 2",
      pattern: "labelled",
      severity: "warning",
    },
  ],
  compliant: [
    {
      agentResponse:
        "I have your ZIP code on file as 60614 and the last four digits of your SSN are 1234.",
    },
    { agentResponse: "It is part 861 of 944, section 9022." },
    { agentResponse: "Please have the last four digits of your SSN ready." },
    { agentResponse: "SSN ***-**-9022" },
    { agentResponse: "Never assigned: 000-12-3456, 666-12-3456, 900-12-3456." },
    { agentResponse: "SSNs have no zero groups: 123-00-4567 and 123-45-0000 are wrong." },
    { agentResponse: "SSN 078-05-1120 was printed in wallets, 987-65-4321 in advertisements." },
    { agentResponse: "Order 861-44-9022 is on its way." },
    { agentResponse: "The part number is 861-44-9022." },
    { agentResponse: "Part AB-861-44-9022 is in stock." },
    { agentResponse: "Call 861-44-9022." },
    { agentResponse: "EIN 86-1449022" },
    { agentResponse: "The ZIP is 60614-2237." },
    { agentResponse: "Your Social Security deposit has trace number 861449022." },
    { agentResponse: "Your social media case got ticket 861449022." },
    { agentResponse: "Our routing number is 091000019." },
    { agentResponse: "Quantities were 861, 44, 9022." },
    {
      userMessage: "My SSN?",
      agentResponse: "I can't show it. 861449022 is your confirmation number.",
    },
    { userMessage: "12 then 3456", history: [{ userMessage: "an SSN looks like 000" }] },
    call("search_customer", { ssn: "861-44-9022" }),
    { agentResponse: "" },
  ],
};
