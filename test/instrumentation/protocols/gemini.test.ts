import { SCHEMA, testProtocol } from "../protocol-tester.ts";

testProtocol("gemini", {
  path: "/v1beta/models/m:generateContent",
  streamPath: "/v1beta/models/m:streamGenerateContent?alt=sse",
  provider: "gcp.gemini",
  operation: "generate_content",
  toBody: (text) => ({
    contents: [{ role: "user", parts: [{ text }] }],
    systemInstruction: { parts: [{ text: "Be brief." }] },
    generationConfig: { temperature: 0.5, maxOutputTokens: 100 },
  }),
  system: "Be brief.",
  tool: { tools: [{ functionDeclarations: [{ name: "find_card", parameters: SCHEMA }] }] },
  withResult: (body, { candidates: [{ content }] }, response) => ({
    ...body,
    contents: [
      ...body.contents,
      content,
      { role: "user", parts: [{ functionResponse: { name: "find_card", response } }] },
    ],
  }),
  hasCallIds: false,
  refusal: "RESOURCE_EXHAUSTED",
  streamError: "INTERNAL",
});
