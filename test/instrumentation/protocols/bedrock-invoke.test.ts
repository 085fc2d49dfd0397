import { MESSAGES_CASE, toMessagesBody } from "../messages-case.ts";
import { testProtocol } from "../protocol-tester.ts";

testProtocol("bedrock-invoke", {
  ...MESSAGES_CASE,
  path: "/model/m/invoke",
  streamPath: "/model/m/invoke-with-response-stream",
  provider: "aws.bedrock",
  toBody: (question) => ({
    anthropic_version: "bedrock-2023-05-31",
    ...toMessagesBody(question),
  }),
  refusal: "ThrottlingException",
  streamError: "modelStreamErrorException",
});
