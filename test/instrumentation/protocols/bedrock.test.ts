import { SCHEMA, testProtocol } from "../protocol-tester.ts";

testProtocol("bedrock", {
  path: "/model/m/converse",
  streamPath: "/model/m/converse-stream",
  provider: "aws.bedrock",
  toBody: (text) => ({
    messages: [{ role: "user", content: [{ text }] }],
    system: [{ text: "Be brief." }],
    inferenceConfig: { temperature: 0.5, maxTokens: 100 },
  }),
  system: "Be brief.",
  tool: {
    toolConfig: { tools: [{ toolSpec: { name: "find_card", inputSchema: { json: SCHEMA } } }] },
  },
  withResult: (body, { output: { message } }, json) => ({
    ...body,
    messages: [
      ...body.messages,
      message,
      {
        role: "user",
        content: [
          {
            toolResult: { toolUseId: message.content[0].toolUse.toolUseId, content: [{ json }] },
          },
        ],
      },
    ],
  }),
  inputTokens: 27,
  tellsCacheWrite: true,
  hasId: false,
  hasModel: false,
  refusal: "ThrottlingException",
  streamError: "modelStreamErrorException",
});
