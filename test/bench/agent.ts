/** The agent that the benches track. */
export const agentInfo = {
  id: "assistant",
  name: "Banking assistant",
  category: "tool_calling",
  version: "2.1.0",
  llmProvider: "openai",
  model: "gpt-5",
  description: "Answers questions about accounts.",
} as const;

/** An answer of 500 characters, and what an application tells of it. */
export const CONTENT = "Your checking account holds 1,234.56 dollars. ".repeat(11).slice(0, 500);
export const METADATA = {
  llmLatency: 812,
  tokensUsed: { input: 210, output: 64, total: 274 },
  cost: 0.0021,
  temperature: 0.2,
};
