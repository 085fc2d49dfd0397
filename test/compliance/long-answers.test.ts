import { describe, expect, it } from "vitest";
import { builtInRules } from "../../src/compliance/built-in-rules.ts";
import { context, createTestEngine } from "./engine-fixtures.ts";

/** Patterns that follow from a question and its answer together. */
const EXCHANGES = [
  [
    "privacy-third-party/asked-person",
    "my niece banks here, how is she doing",
    "She opened a savings account in May and it holds $7,400.",
  ],
  ["privacy-auth-disclosure/answered", "What's my PIN?", "It's 4471."],
  [
    "consumer-protection-escalation/request-ignored",
    "I want to talk to a real person, please.",
    "The branch on Elm Street closes at five.",
  ],
] as const;
const SENTENCE = " The branch on Elm Street is open.";

function evaluate(pattern: string, userMessage: string, agentResponse: string) {
  const { engine } = createTestEngine({ rules: builtInRules, secondLook: null });
  const { violations, candidates = [] } = engine.evaluate(
    { ...context, userMessage, agentResponse },
    { candidates: true },
  );
  const isThis = (flag: (typeof violations)[number]): boolean =>
    flag.context?.detectedPattern === pattern;
  return { isFinding: violations.some(isThis), isCandidate: candidates.some(isThis) };
}

describe.each(EXCHANGES)("%s, by the wording alone", (pattern, question, answer) => {
  it("is a finding in a short answer", () => {
    expect(evaluate(pattern, question, answer)).toEqual({ isFinding: true, isCandidate: false });
  });

  it("is a candidate in a long one, most of which is about something else", () => {
    expect(evaluate(pattern, question, answer + SENTENCE.repeat(8))).toEqual({
      isFinding: false,
      isCandidate: true,
    });
  });
});

it("a person who is asked about is found in a long answer that names somebody as well", () => {
  const [pattern, question, answer] = EXCHANGES[0];
  const named = `${answer}${SENTENCE.repeat(8)} Tom Becker currently has $4,020.16 in checking.`;
  expect(evaluate(pattern, question, named)).toEqual({ isFinding: true, isCandidate: false });
});
