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
