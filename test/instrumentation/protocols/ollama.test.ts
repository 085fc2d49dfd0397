import { CHAT } from "../chat-case.ts";
import { testProtocol } from "../protocol-tester.ts";

testProtocol("ollama", {
  ...CHAT,
  path: "/api/chat",
  provider: "ollama",
  toBody: (content, stream) => ({
    model: "m",
    stream,
    options: { temperature: 0.5, num_predict: 100 },
    messages: [{ role: "user", content }],
  }),
  withResult: (body, { message }, result) => ({
    ...body,
    messages: [
      ...body.messages,
      message,
      { role: "tool", tool_name: "find_card", content: JSON.stringify(result) },
    ],
  }),
  hasId: false,
  hasCallIds: false,
  refusal: "429",
  streamError: "provider_error",
});
