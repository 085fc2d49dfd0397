import { aiSdk } from "./ai-sdk.ts";
import { anthropic, anthropicBedrock } from "./anthropic.ts";
import { bedrock } from "./bedrock.ts";
import { cohere } from "./cohere.ts";
import { genai } from "./genai.ts";
import { groq } from "./groq.ts";
import { langchain } from "./langchain.ts";
import { mcp } from "./mcp.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openaiAgents } from "./openai-agents.ts";
import { openai } from "./openai.ts";

/** Every driver, by the name that the matrix calls it. */
export const DRIVERS = {
  openai,
  anthropic,
  anthropicBedrock,
  genai,
  groq,
  mistral,
  cohere,
  ollama,
  langchain,
  aiSdk,
  openaiAgents,
  bedrock,
  mcp,
} as const;

export type DriverName = keyof typeof DRIVERS;
