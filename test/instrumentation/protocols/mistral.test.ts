import { testProtocol } from "../protocol-tester.ts";
import { CHAT } from "../chat-case.ts";

testProtocol("mistral", { ...CHAT, path: "/mistral/v1/chat/completions", provider: "mistral_ai" });
