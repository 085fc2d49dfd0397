import { MESSAGES_CASE, toMessagesBody } from "../messages-case.ts";
import { testProtocol } from "../protocol-tester.ts";

testProtocol("anthropic", {
  ...MESSAGES_CASE,
  path: "/v1/messages",
  provider: "anthropic",
  toBody: (question, stream) => ({ model: "m", stream, ...toMessagesBody(question) }),
  refusal: "rate_limit_error",
  streamError: "overloaded_error",
});
