import { findBareQuestion } from "../messages/stated-secrets.ts";
import type { Check } from "./check.ts";

/** Finds questions that only name a secret: "Your PIN?" */
export const bareQuestion: Check<"secrets"> = {
  probes: ["secrets"],
  *find(_context, exchange, { probes }) {
    const { agentResponse: text } = exchange;
    const range = text && findBareQuestion(text, probes.secrets.group());
    if (range) yield { pattern: "bare-question", confidence: 0.75, text, range };
  },
};
