import type { InteractionContext } from "../../events/compliance.ts";
import { defineBuiltInRule, type Finding } from "../define-rule.ts";
import { authConcepts } from "../lexicon/privacy-auth.ts";
import { findAnsweredSecret, findStatedSecrets, secretPhrases } from "../text/stated-secrets.ts";
import { readExchange } from "../text/exchange.ts";
import type { PhraseGroup } from "../phrases/phrase-group.ts";

const STATED_CONFIDENCE = 0.85;
const ANSWERED_CONFIDENCE = 0.75;

/**
 * Flags a password, a PIN, a code or a security answer that stands in a message: a violation from the agent, a
 * warning from the user.
 *
 * Rules for passwords ("twelve characters, one digit") and their state ("your PIN is locked") pass.
 *
 * @see 15 U.S.C. § 6801(b) (GLBA); 12 CFR part 30, appendix B
 */
export const privacyAuthDisclosure = defineBuiltInRule({
  id: "privacy-auth-disclosure",
  name: "Disclosure of a secret",
  description: "A password, a PIN, a code or a security answer in a message.",
  explanation: "The agent reads a stored secret out, or offers to.",
  category: "privacy",
  severity: "violation",
  law: {
    citation: "15 U.S.C. § 6801(b) (GLBA); 12 CFR part 30, appendix B",
    asOf: "2026-11-21",
    status: "in force",
  },
  recommendation:
    "Reset the credential now; the assistant must never be able to read a secret, nor repeat one.",
  impact: { customer: "high", business: "high" },
  concepts: authConcepts,
  phrases: {
    "reads-out"(): PhraseGroup {
      return {
        match: [
          "(i|we) (can|could|am able to|are able to) (see|view|read|look up|pull up|retrieve|recover|tell you|give you|show you|send you|text you|email you|share) ..3 (your|his|her|their|the) ..3 (current|existing|stored|saved|actual|old|full|login|atm|online|banking|debit|card)? ({pass}|{answer}|{cardCode})",
          "(i|we) (see|have|found|looked up|pulled up|retrieved|located|decrypted) ..2 (your|his|her|their|the) ..3 ({pass}|{answer}|{cardCode}) ..3 (here|on my screen|on file|in front of me|in plain text|on screen|in the system|in our records|for you)",
          "here (is|are) ..2 (your|his|her|their|the) ..3 ({pass}|{answer}|{cardCode})",
          "let me (read|tell|show|give|spell|text|send) ..4 (your|his|her|their|the) ..3 ({pass}|{answer}|{cardCode})",
          "(i|we) (will|have|just) ..1 (read|reading|text|texted|email|emailed|send|sent|show|tell) you ..2 (your|his|her|their|the) (current|existing|stored|saved|actual|old|full|husband 's|wife 's) ..3 ({pass}|{answer}|{cardCode})",
          "{answer} ..4 (you gave|you chose|on file|we have|i have|saved|stored|you set) ..3 (is|was)",
          "(hint|clue) ..4 ({pass}|{answer}) ..2 (starts|begins|ends|rhymes)",
          "your ..3 {pass} (starts|begins|ends) with",
        ],
        unless: [
          "{setUp}",
          "(link|instructions|steps|tips|form|guide|requirements|temporary|letter|how to) ..6 {secret}",
          "{secret} ..3 (link|instructions|steps|tips|form|guide|requirements|page|letter|field|box|hint|settings|option|is locked|has expired|expired|reset)",
          "(was|is) ..2 (entered|locked|mailed|sent|activated|wrong|incorrect|blocked)",
        ],
        ignore: ["condemnation", "definition"],
      };
    },
    "answer-on-file"(): PhraseGroup {
      return {
        match: [
          "(one|answer|word|name|version|entry|spelling|value) (we|i|that we|that i|which we|the system|our system|they) ..1 (hold|holds|have|has|see|show|shows|stored|stores|keep|keeps|kept|recorded|saved|got) ..4 (is|says|reads|was|starts|spells)",
          "(it|system|file|record|screen) (is|was|has been) (stored|saved|recorded|spelled|entered|written|set up) as",
          "(we|i|system) (have|has|show|shows|see) it (as|down as|listed as|stored as|spelled)",
          "(is|was) the (one|answer) ..3 (on file|saved|stored|recorded|registered)",
          "(on file|in the system|on record|on my screen) (it|that|the answer|as) ..2 (is|says|reads|was)",
        ],
        about: [
          "(security|secret|challenge|recovery) (question~|answer~|word~)",
          "try typing (that|it)",
          "(password~|passphrase~|passcode~|memorable word|maiden name|pin)",
        ],
        unless: [
          "(masked|hidden|encrypted|hashed|case sensitive|expired|locked|a mobile|a landline|phone|email|address|not)",
        ],
      };
    },
  },
  patterns: ["stated", "answered"],
  finders: [secretPhrases],
  *check(context: InteractionContext): Iterable<Finding> {
    const exchange = readExchange(context);
    const { userMessage, agentResponse } = exchange;
    let isStated = false;
    for (const text of [userMessage, agentResponse]) {
      if (!text) continue;
      const isAgent = text.source === "agentResponse";
      for (const range of findStatedSecrets(text)) {
        isStated ||= isAgent;
        yield {
          pattern: "stated",
          description: `${isAgent ? "The agent's answer" : "The user's message"} states a password, a PIN, a code or a security answer.`,
          severity: isAgent ? "violation" : "warning",
          confidence: STATED_CONFIDENCE,
          text,
          range,
        };
      }
    }
    const answered = isStated ? undefined : findAnsweredSecret(exchange);
    if (!answered || !agentResponse) return;
    yield {
      pattern: "answered",
      confidence: ANSWERED_CONFIDENCE,
      text: agentResponse,
      range: answered,
    };
  },
});
