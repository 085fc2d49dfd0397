import { SCHEMA, testProtocol } from "../protocol-tester.ts";

testProtocol("bedrock-invoke", {
  path: "/model/m/invoke",
  streamPath: "/model/m/invoke-with-response-stream",
  provider: "aws.bedrock",
  toBody: (content) => ({
    anthropic_version: "bedrock-2023-05-31",
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
  refusal: "ThrottlingException",
  streamError: "modelStreamErrorException",
});
