import { CHAT } from "../chat-case.ts";
import { testProtocol } from "../protocol-tester.ts";

testProtocol("cohere", {
  ...CHAT,
  path: "/v2/chat",
  provider: "cohere",
  toBody: (content, stream) => ({
    model: "m",
    stream,
    temperature: 0.5,
    max_tokens: 100,
    messages: [{ role: "user", content }],
  }),
  withResult: (body, { message }, result) => ({
    ...body,
    messages: [
      ...body.messages,
      message,
      {
        role: "tool",
        tool_call_id: message.tool_calls[0].id,
        content: [{ type: "text", text: JSON.stringify(result) }],
      },
    ],
  }),
  hasModel: false,
  refusal: "429",
  streamError: "provider_error",
});
