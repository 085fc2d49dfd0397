import type { RuleCases } from "../../../src/compliance/verify-rule.ts";

export const cases: RuleCases = {
  violating: [
    {
      userMessage: "Where does my rate come from?",
      agentResponse: "A neural network set it, and neither I nor my boss can tell you how.",
      pattern: "nobody-can-say",
    },
    {
      agentResponse: "The algorithm rejected you and we have no idea why.",
      pattern: "nobody-can-say",
    },
    {
      userMessage: "Why was I denied?",
      agentResponse: "Not even our engineers can explain the score.",
      pattern: "cannot-be-explained",
    },
    {
      agentResponse: "The algorithm just decided to reject your application.",
      pattern: "cannot-be-explained",
    },
    {
      agentResponse: "Your rating can not be explained by anyone.",
      pattern: "cannot-be-explained",
    },
    {
      userMessage: "Why was my limit cut?",
      agentResponse: "The reasons are unknown and will stay hidden.",
      pattern: "no-grounds",
    },
    {
      userMessage: "What drives the score?",
      agentResponse: "It is too complex to be put into words.",
      pattern: "no-grounds",
    },
    {
      userMessage: "Why was the loan declined?",
      agentResponse: "Search me, only the computer knows.",
      pattern: "no-grounds",
    },
    { agentResponse: "The model is a black box that set your rate.", pattern: "black-box" },
    { agentResponse: "Your score came out of a black box.", pattern: "black-box" },
  ],
  compliant: [
    {
      agentResponse: "Nobody knows how rates will develop, and no model can predict it.",
    },
    {
      userMessage: "Why did my score drop?",
      agentResponse: "Nobody can say by exactly how many points it will recover.",
    },
    {
      userMessage: "Can I release the hold?",
      agentResponse:
        "If you can not verify the check, explain the date and the hold to the customer.",
    },
    {
      userMessage: "Why was I denied?",
      agentResponse: "The main reasons were high utilization and two late payments.",
    },
    {
      userMessage: "Why is the payment held?",
      agentResponse: "The payee was new, so we hold the first payment for a day.",
    },
    {
      userMessage: "Black box in my car?",
      agentResponse: "It records speed and braking for the insurer.",
    },
    {
      userMessage: "Can the model be explained?",
      agentResponse: "Yes, each result comes with its top four factors.",
    },
    {
      userMessage: "What is this charge?",
      agentResponse: "I can not say what was bought, since the merchant gives only a code.",
    },
    {
      userMessage: "Will I get reasons?",
      agentResponse: "Yes, the letter lists the specific reasons for the decision.",
    },
    {
      userMessage: "Why was I declined?",
      agentResponse: "I can not see it here, but a credit officer can explain the reasons to you.",
    },
    { userMessage: "Explain my bill", agentResponse: "I can: $40 for two wires." },
  ],
};
