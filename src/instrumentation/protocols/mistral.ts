import type { Protocol } from "../protocol.ts";
import { openAiChat } from "./openai-chat.ts";

/**
 * Mistral's chat: OpenAI's, but content may be a list and errors have another form.
 *
 * @see https://docs.mistral.ai/api/#tag/chat
 */
export const mistral: Protocol = {
  ...openAiChat,
  name: "mistral",
  endings: ["/chat/completions", "/v1/agents/completions"],
  provider: "mistral_ai",
  matches: ({ host, path }) => /(?:^|\.)mistral\.ai$/.test(host) || path.includes("/mistral/"),
};
