import { defineBuiltInRule } from "../define-rule.ts";
import { findMentions, nameOf, severityIn } from "../identifiers/exchange-identifiers.ts";
import { findPassed, toEvidence } from "../identifiers/tool-parameters.ts";

/**
 * Flags credentials of systems in messages and in what the agent passes to tools.
 *
 * Placeholders, digests and identifiers pass. What a tool returns is not read: it is the bank's own data.
 *
 * @see 12 CFR part 30, appendix B
 */
export const privacySecret = defineBuiltInRule({
  id: "privacy-secret",
  name: "Credential exposure",
  description:
    "A private key, access token, API key or password of a system in a message or in the parameters of a tool.",
  explanation: "A credential of a system is exposed.",
  category: "privacy",
  severity: "violation",
  law: {
    citation: "12 CFR part 30, appendix B (safeguards); 16 CFR part 314",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation: "Rotate the credential now, and remove it from prompts, parameters and logs.",
  impact: { customer: "moderate", business: "high" },
  patterns: [
    "private-key",
    "connection-string",
    "webhook",
    "web-token",
    "vendor-key",
    "bearer-token",
    "assignment",
    "tool-parameter",
  ],
  *check(context) {
    for (const { text, identifier } of findMentions(context, "secret")) {
      const { form, certainty, start, end } = identifier;
      yield {
        pattern: form,
        description: `${nameOf(text)} contains a credential (${form.replace("-", " ")}).`,
        severity: severityIn(text),
        confidence: certainty,
        text,
        range: { start, end },
      };
    }
    for (const passed of findPassed(context, "secret")) {
      yield {
        pattern: "tool-parameter",
        description: `The agent passes a credential (${passed.identifier.form.replace("-", " ")}) to a tool.`,
        confidence: passed.identifier.certainty,
        evidence: toEvidence(passed),
      };
    }
  },
});
