import { SCHEMA, type ProtocolCase } from "./protocol-tester.ts";

/** What servers say that do as OpenAI does. */
export const CHAT: ProtocolCase = {
  path: "/v1/chat/completions",
  provider: "openai",
  toBody: (content, stream) => ({
    model: "m",
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
    temperature: 0.5,
    max_completion_tokens: 100,
    messages: [{ role: "user", content }],
  }),
  tool: { tools: [{ type: "function", function: { name: "find_card", parameters: SCHEMA } }] },
  withResult: (body, { choices: [{ message }] }, result) => ({
    ...body,
    messages: [
      ...body.messages,
      message,
      { role: "tool", tool_call_id: message.tool_calls[0].id, content: JSON.stringify(result) },
    ],
  }),
  refusal: "server_error",
  streamError: "server_error",
};
