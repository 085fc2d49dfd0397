import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      agentResponse: "The model has no weaknesses.",
      pattern: "without-limits",
    },
    {
      agentResponse: "Our algorithm predicts each default with total certainty.",
      pattern: "without-limits",
    },
    {
      userMessage: "How good is the forecast?",
      agentResponse: "Our forecasting model has never been wrong.",
      pattern: "infallible",
    },
    {
      userMessage: "Is the rate estimate right?",
      agentResponse: "The calculator cannot make mistakes.",
      pattern: "infallible",
    },
    {
      agentResponse: "This score is 100 percent accurate, without a single error.",
      pattern: "infallible",
    },
    {
      userMessage: "What about the valuation tool?",
      agentResponse: "The valuation is unfailingly correct in every market.",
      pattern: "absolute",
    },
    {
      userMessage: "Does the fraud detection work?",
      agentResponse: "It catches every fraud attempt, and nothing slips past it.",
      pattern: "absolute",
    },
    {
      userMessage: "How sure are you about that projection?",
      agentResponse: "You can bet the farm on it.",
      pattern: "absolute-answer",
    },
    {
      userMessage: "What is the model's margin of error?",
      agentResponse: "There is none.",
      pattern: "absolute-answer",
    },
    {
      userMessage: "Should I compare the payoff figure?",
      agentResponse: "There is no need to double-check this figure.",
      pattern: "no-checking",
    },
    {
      agentResponse: "If your spreadsheet differs from our calculation, your spreadsheet is wrong.",
      pattern: "no-checking",
    },
  ],
  compliant: [
    {
      userMessage: "Can they send the money back?",
      agentResponse: "There is no certainty that the other bank agrees.",
    },
    {
      userMessage: "How do I check my credit report?",
      agentResponse:
        "Make sure there are no errors in it and that it does not contain any mistakes.",
    },
    {
      userMessage: "Is the estimate exact?",
      agentResponse: "It is an estimate and can be off by a few hundred dollars.",
    },
    {
      userMessage: "Does the detection catch everything?",
      agentResponse: "No system is perfect, so please watch your statement.",
    },
    {
      userMessage: "Do you finance the whole price?",
      agentResponse: "Yes, we finance 100 percent of the purchase price.",
    },
    {
      userMessage: "I found the date",
      agentResponse: "Perfect, you are absolutely right, thank you.",
    },
    {
      userMessage: "Are you sure?",
      agentResponse: "Reasonably sure, but please verify the figure with the loan desk.",
    },
    {
      userMessage: "Can I trust the score?",
      agentResponse: "The score may differ from what other lenders see.",
    },
    {
      userMessage: "Is my upload complete?",
      agentResponse: "Yes, your upload is 100 percent complete.",
    },
    {
      userMessage: "Does the model make mistakes?",
      agentResponse: "It does, which is why analysts review its results.",
    },
  ],
};
