const json = JSON.stringify;
/** Gives a message with one part. */
export const text = (role: string, content: string) => ({
  role,
  parts: [{ type: "text", content }],
});
/** Gives the message of an agent that asks for a tool. */
export const asks = (id: string, name: string, parameters: object) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name, arguments: parameters }],
});
/** Gives the message of a tool. */
export const returns = (id: string, response: unknown) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response }],
});
/** Gives the attributes of a model call; 10 tokens in, 2 out. */
export const chat = (
  input: unknown[],
  output: unknown[],
  more: object = {},
): Record<string, unknown> => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": "gpt-5",
  "gen_ai.usage.input_tokens": 10,
  "gen_ai.usage.output_tokens": 2,
  "gen_ai.input.messages": json(input),
  ...(output.length > 0 && { "gen_ai.output.messages": json(output) }),
  ...more,
});
/** Gives the attributes of an agent's run. */
export const agent = (name: string, more: object = {}) => ({
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": name,
  ...more,
});
/** Gives the attributes of a tool's run. */
export const tool = (id: string, name: string, parameters: object, result: unknown) => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": name,
  "gen_ai.tool.call.id": id,
  "gen_ai.tool.call.arguments": json(parameters),
  "gen_ai.tool.call.result": json(result),
});
