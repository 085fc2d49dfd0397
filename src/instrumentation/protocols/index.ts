import type { Protocol } from "../protocol.ts";
import { anthropic } from "./anthropic.ts";
import { bedrockInvoke } from "./bedrock-invoke.ts";
import { bedrock } from "./bedrock.ts";
import { cohere } from "./cohere.ts";
import { gemini } from "./gemini.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";

/** All protocols; of two with the same paths, the one with the stricter check comes first. */
export const protocols: readonly Protocol[] = [
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

/** Returns the protocols with an ending of the path. Runs for every request of the application. */
export function findByPath(path: string): Protocol[] | undefined {
  let found: Protocol[] | undefined;
  for (const protocol of protocols) {
    for (const ending of protocol.endings) {
      if (path.endsWith(ending)) (found ??= []).push(protocol);
    }
  }
  return found;
}
