import { SCHEMA, testProtocol } from "../protocol-tester.ts";

testProtocol("anthropic", {
  path: "/v1/messages",
  provider: "anthropic",
  toBody: (content, stream) => ({
    model: "m",
    stream,
    temperature: 0.5,
    max_tokens: 100,
    system: "Be brief.",
    messages: [{ role: "user", content: [{ type: "text", text: content }] }],
  }),
  system: "Be brief.",
  tool: { tools: [{ name: "find_card", input_schema: SCHEMA }] },
  withResult: (body, { content }, result) => ({
    ...body,
    messages: [
      ...body.messages,
      { role: "assistant", content },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: content[0].id, content: JSON.stringify(result) },
        ],
      },
    ],
  }),
  inputTokens: 27,
  tellsCacheWrite: true,
  refusal: "rate_limit_error",
  streamError: "overloaded_error",
});
