import { findAnsweredSecret, findStatedSecrets } from "../messages/stated-secrets.ts";
import type { Check } from "./check.ts";
import { inShort } from "../messages/in-short.ts";

const STATED_CONFIDENCE = 0.85;
const ANSWERED_CONFIDENCE = 0.75;

/** Finds secrets that either message states, and those that the agent gives to whoever asked for them. */
export const statedSecret: Check<"names" | "asked" | "asksForWord" | "others"> = {
  probes: ["names", "asked", "asksForWord", "others"],
  *find(_context, exchange, { probes }) {
    const { userMessage, agentResponse } = exchange;
    const names = probes.names.group();
    let isStated = false;
    for (const text of [userMessage, agentResponse]) {
      if (!text) continue;
      const isAgent = text.source === "agentResponse";
      for (const range of findStatedSecrets(text, names)) {
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
    if (isStated || !agentResponse) return;
    const range = findAnsweredSecret(exchange, {
      names,
      asked: probes.asked.group(),
      asksForWord: probes.asksForWord.group(),
      others: probes.others.group(),
    });
    const confidence = inShort(ANSWERED_CONFIDENCE, agentResponse);
    if (range) yield { pattern: "answered", confidence, text: agentResponse, range };
  },
};
