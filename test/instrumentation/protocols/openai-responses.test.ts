import { SCHEMA, testProtocol } from "../protocol-tester.ts";

testProtocol("openai-responses", {
  path: "/v1/responses",
  provider: "openai",
  toBody: (content, stream) => ({
    model: "m",
    stream,
    temperature: 0.5,
    max_output_tokens: 100,
    instructions: "Be brief.",
    input: [{ role: "user", content }],
  }),
  system: "Be brief.",
  tool: { tools: [{ type: "function", name: "find_card", parameters: SCHEMA }] },
  withResult: (body, { output }, result) => ({
    ...body,
    input: [
      ...body.input,
      ...output,
      {
        type: "function_call_output",
        call_id: output[0].call_id,
        output: JSON.stringify(result),
      },
    ],
  }),
  refusal: "server_error",
  streamError: "server_error",
});
