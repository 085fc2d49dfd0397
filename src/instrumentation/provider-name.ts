/** Names of the conventions, by the end of the host. */
const PROVIDERS: readonly (readonly [string, string])[] = [
  [".openai.azure.com", "azure.ai.openai"],
  [".cognitiveservices.azure.com", "azure.ai.openai"],
  [".services.ai.azure.com", "azure.ai.inference"],
  [".models.ai.azure.com", "azure.ai.inference"],
  ["api.openai.com", "openai"],
  ["api.anthropic.com", "anthropic"],
  ["api.groq.com", "groq"],
  ["api.deepseek.com", "deepseek"],
  ["api.perplexity.ai", "perplexity"],
  ["api.x.ai", "x_ai"],
  ["mistral.ai", "mistral_ai"],
  ["cohere.com", "cohere"],
  ["cohere.ai", "cohere"],
  ["generativelanguage.googleapis.com", "gcp.gemini"],
  ["aiplatform.googleapis.com", "gcp.vertex_ai"],
  ["openrouter.ai", "openrouter"],
];
const BEDROCK_HOST = /^bedrock[\w-]*\.[\w-]+\.amazonaws\.com/;

/** Names who answers, by the address; `undefined` when that does not tell. */
export function toProviderName(host: string, path: string): string | undefined {
  for (const [ending, name] of PROVIDERS) if (host.endsWith(ending)) return name;
  if (BEDROCK_HOST.test(host)) return "aws.bedrock";
  return path.includes("/openai/deployments/") ? "azure.ai.openai" : undefined;
}
