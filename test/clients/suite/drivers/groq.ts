import { toCommonScenarios } from "../common-scenarios.ts";
import type { Driver, Kit } from "../scenario.ts";
import { toCompletionsClient } from "./openai-completions.ts";

function createClient({ modules, server, fetch }: Kit): any {
  const { Groq } = modules["sdk"];
  return new Groq({ apiKey: "gsk-test", baseURL: server.url, ...(fetch && { fetch }) });
}

/** Groq's client, which is made as OpenAI's is. */
export const groq: Driver = {
  takesFetch: true,
  scenarios: () =>
    toCommonScenarios((kit) => toCompletionsClient(createClient(kit)), {
      tokens: { input: 21, output: 11 },
      streamTokens: null,
      errors: { 401: "invalid_request_error", 429: "server_error", 500: "server_error" },
      timeout: "TimeoutError",
      retries: true,
    }),
};
