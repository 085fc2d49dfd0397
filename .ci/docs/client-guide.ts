// The guide to clients: what to write for which library. Rows of hooks are in the list of entries, the others here.
import { KNOWN_CLIENTS, type KnownClient } from "../../src/instrumentation/known-clients.ts";
import { ENTRIES } from "../entries.ts";
import { toTable } from "./markdown.ts";

type Guide = NonNullable<(typeof ENTRIES)[number]["guide"]>;

const FETCH: readonly Guide[] = [
  {
    clients: ["openai"],
    behind: ", for Azure OpenAI, vLLM, LiteLLM, OpenRouter and others as well",
    write: "fetch",
    get: "Chat completions and Responses, streamed or not: messages, tool calls, results as the next request has them, errors with status, tokens; of a stream that breaks off what had come",
  },
  {
    clients: ["@anthropic-ai/sdk"],
    behind: ", through Vertex AI as well",
    write: "fetch",
    get: "The same for Messages. `new Anthropic({ openTelemetry: createAnthropicTelemetry(monitor) })` of `agent-monitor/anthropic` adds the client's own spans, the tools of its runner among them, and keeps the ids of your traces from Anthropic, to whom it sends them otherwise",
  },
  {
    clients: ["@anthropic-ai/bedrock-sdk"],
    write: "fetch",
    get: "The same, by Bedrock's InvokeModel",
  },
  {
    clients: ["@google/genai"],
    behind: ", through Vertex AI as well",
    write: "fetch",
    get: "The same for `generateContent` and its stream",
  },
  { clients: ["@mistralai/mistralai"], write: "fetch", get: "The same" },
  { clients: ["cohere-ai"], write: "fetch", get: "The same for v2" },
  { clients: ["groq-sdk"], write: "fetch", get: "The same" },
  { clients: ["ollama"], write: "fetch", get: "The same for chat and generate" },
];

const SPANS: Guide = {
  clients: ["@mastra/core", "genkit", "@google/adk", "@strands-agents/sdk"],
  write: "`monitor.spanProcessor`",
  get: "What their own spans hold, see [existing pipelines](pipelines.md)",
};

/** Names the tested versions: the first without its zeros, and the last before the end of what was tested. */
function toRange([from, below]: KnownClient["tested"]): string {
  const first = from.replace(/(?:\.0){1,2}$/, "");
  const [major = 0, minor = 0] = below.split(".").map(Number);
  const last = minor > 0 ? `${major}.${minor - 1}` : `${major - 1}`;
  if (first === last) return first;
  return first.startsWith(`${last}.`) ? `${first} or later` : `${first} to ${last}`;
}

function toName(name: string): string {
  const known = KNOWN_CLIENTS.find((client) => client.name === name);
  return known ? `\`${name}\` ${toRange(known.tested)}` : `\`${name}\``;
}

/** Writes the guide as a table. */
export function toClientGuide(): string {
  const hooks = ENTRIES.flatMap(({ guide }) => guide ?? []);
  const rows = [...FETCH, ...hooks, SPANS].map(({ clients, behind = "", write, get }) => [
    clients.map(toName).join(", ") + behind,
    write,
    get,
  ]);
  return toTable(["Your client", "What to write", "What you get"], rows);
}
