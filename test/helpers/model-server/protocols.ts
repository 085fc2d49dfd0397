import { anthropic } from "./anthropic.ts";
import { bedrockInvoke } from "./bedrock-invoke.ts";
import { bedrock } from "./bedrock.ts";
import { cohere } from "./cohere.ts";
import { gemini } from "./gemini.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import type { ModelProtocol } from "./protocol.ts";

/** Every model API that the server speaks; the first that knows a path answers. */
export const protocols: readonly ModelProtocol[] = [
  mistral,
  openAiChat,
  openAiResponses,
  anthropic,
  gemini,
  cohere,
  ollama,
  bedrock,
  bedrockInvoke,
];
