import type { JudgeModel } from "agent-monitor";

/** What the script finds: the words by which it does so, and what it says of them. */
const SCRIPT = [
  {
    ruleId: "bsa-aml-structuring-advice",
    quote: "so that no currency transaction report is filed",
    reason: "It advises to split cash so that the bank doesn't report it.",
    confidence: 0.98,
  },
  {
    ruleId: "consumer-protection-guaranteed-returns",
    quote: "The fund guarantees a 5 % return every year",
    reason: "It promises a return that no fund can promise.",
    confidence: 0.97,
  },
  {
    ruleId: "consumer-protection-pressure",
    quote: "people who waited until Monday were sorry",
    reason:
      "It presses the customer to decide before an adviser can be asked, and gives no reason but fear.",
    confidence: 0.81,
  },
];

const CHARACTERS_PER_TOKEN = 4;
const countTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** Stands for the bank's own language model: it follows a script, as the assistant's model does. */
export const scriptedJudge: JudgeModel = async ({ system, user, ruleIds }) => {
  const findings = SCRIPT.filter(
    ({ ruleId, quote }) => ruleIds.includes(ruleId) && user.includes(quote),
  );
  const content = JSON.stringify({ findings });
  const usage = {
    inputTokens: countTokens(system + user),
    outputTokens: countTokens(content),
  };
  return { content, finishReason: "stop", model: "scripted-judge", usage };
};
