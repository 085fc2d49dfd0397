import { readNumber } from "../../phrases/numbers.ts";
import type { Range } from "../../text/pattern.ts";
import type { SourceText } from "../../phrases/source-text.ts";
import type { Check } from "./check.ts";

/** Standard cover per depositor, bank and ownership category, in dollars. */
const COVERED = 250_000;

/** Returns whether the sentences that a finding touches name an amount above the limit. */
function namesMoreThanCovered(text: SourceText, { start, end }: Range): boolean {
  return text.sentences().some((sentence) => {
    if (sentence.start >= end || sentence.end <= start) return false;
    const { tokens } = sentence;
    return tokens.some((_, index) => {
      const { value = 0 } = readNumber(tokens, index) ?? {};
      return value > COVERED && value < 1e11;
    });
  });
}

/** Finds amounts above the limit of which the agent says that deposit insurance covers them wholly. */
export const insuranceLimit: Check<"wholly"> = {
  probes: ["wholly"],
  *find(_context, exchange, { probes }) {
    const { agentResponse: text, userMessage } = exchange;
    if (!text) return;
    const isAboutMore =
      userMessage !== undefined &&
      namesMoreThanCovered(userMessage, { start: 0, end: userMessage.folded.length });
    for (const { range } of probes.wholly(exchange))
      if (isAboutMore || namesMoreThanCovered(text, range))
        yield { pattern: "above-limit", confidence: 0.75, text, range };
  },
};
