/** Scopes of the instrumentations of models and agents, by their names. */
export const GENAI_SCOPES =
  /^(?:gen_ai$|ai$|com\.anthropic\.sdk|gcp\.vertex\.agent|genkit|strands|langfuse|langsmith|Agent365Sdk|@?mistralai|openlit|opentelemetry\.instrumentation\.(?:openai|anthropic|bedrock|langchain|mcp)|@?traceloop|@arizeai\/|openinference|@mastra\/|@voltagent\/)|openai|anthropic|genai|generative|bedrock/i;

/** First parts of attribute names that only instrumentations of models and agents write, with the dot or colon. */
export const GENAI_PREFIXES = [
  "gen_ai.",
  "openinference.",
  "llm.",
  "langfuse.",
  "langsmith.",
  "mastra.",
  "traceloop.",
  "genkit:",
  "gcp.vertex.agent.",
] as const;
