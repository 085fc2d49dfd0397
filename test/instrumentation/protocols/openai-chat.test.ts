import { CHAT } from "../chat-case.ts";
import { testProtocol } from "../protocol-tester.ts";

testProtocol("openai-chat", CHAT);
testProtocol("openai-chat at Azure", {
  ...CHAT,
  path: "/openai/deployments/m/chat/completions?api-version=2025-01-01",
  provider: "azure.ai.openai",
});
