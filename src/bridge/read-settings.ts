import { pickText, pickValue } from "./read-attributes.ts";
import { toCount } from "./read-usage.ts";
import type { CallSettings } from "./span-record.ts";
import { readJson } from "./tolerant-json.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** Names that producers have for the same provider, up to the first dot. */
const PROVIDERS: Readonly<Record<string, string>> = {
  "az.ai.openai": "azure.ai.openai",
  azure: "azure.ai.openai",
  "aws-bedrock": "aws.bedrock",
  "amazon-bedrock": "aws.bedrock",
  bedrock: "aws.bedrock",
  google: "gcp.gemini",
  gemini: "gcp.gemini",
  google_genai: "gcp.gemini",
  vertex: "gcp.vertex_ai",
  vertexai: "gcp.vertex_ai",
  vertex_ai: "gcp.vertex_ai",
  mistral: "mistral_ai",
  mistralai: "mistral_ai",
  xai: "x_ai",
};
const DOTTED = /^(?:aws|gcp|azure|ibm|az)\./;

/** Gives the name that the conventions have for a provider. */
function toProvider(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const name = given.toLowerCase();
  const known = PROVIDERS[name];
  if (known !== undefined || DOTTED.test(name)) return known ?? name;
  const first = name.split(".", 1)[0] ?? name;
  return PROVIDERS[first] ?? first;
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  completed: "stop",
  tool_calls: "tool_call",
  tool_use: "tool_call",
  tooluse: "tool_call",
  function_call: "tool_call",
  max_tokens: "length",
};

/** A list, JSON of one, or names with commas between them: the first counts. */
function toFinishReason(given: unknown): string | undefined {
  const list = typeof given === "string" ? (readJson(given)?.value ?? given.split(",")) : given;
  const first: unknown = Array.isArray(list) ? list[0] : list;
  if (typeof first !== "string" || first === "") return undefined;
  const name = first.trim().replaceAll("-", "_").toLowerCase();
  return FINISH_REASONS[name] ?? name;
}

/** Reads how a model was called, from the names that any producer has for it. */
export function readSettings(attributes: Attributes): CallSettings {
  return {
    provider: toProvider(
      pickText(
        attributes["gen_ai.provider.name"],
        attributes["gen_ai.system"],
        attributes["llm.provider"],
        attributes["llm.system"],
        attributes["ai.model.provider"],
      ),
    ),
    temperature: toCount(
      pickValue(attributes["gen_ai.request.temperature"], attributes["ai.settings.temperature"]),
    ),
    maxTokens: toCount(
      pickValue(attributes["gen_ai.request.max_tokens"], attributes["ai.settings.maxOutputTokens"]),
    ),
    retries: toCount(attributes["http.request.resend_count"]),
    finishReason: toFinishReason(
      pickValue(
        attributes["gen_ai.response.finish_reasons"],
        attributes["ai.response.finishReason"],
        attributes["llm.finish_reason"],
        attributes["anthropic.message.stop_reason"],
        attributes["gen_ai.response.stop_reason"],
      ),
    ),
  };
}
