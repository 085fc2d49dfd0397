import {
  ATTR_GEN_AI_COMPLETION,
  ATTR_GEN_AI_EVALUATION_EXPLANATION,
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROMPT,
  ATTR_GEN_AI_RETRIEVAL_DOCUMENTS,
  ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
} from "../semconv.ts";
/** Attributes of GenAI instrumentations, and everything below them, that hold what was said or done. */
const CONTENT_ATTRIBUTES: readonly string[] = [
  // OpenTelemetry, all versions.
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT,
  ATTR_GEN_AI_RETRIEVAL_DOCUMENTS,
  ATTR_GEN_AI_EVALUATION_EXPLANATION,
  ATTR_GEN_AI_PROMPT,
  ATTR_GEN_AI_COMPLETION,
  // OpenInference.
  "input.value",
  "output.value",
  "llm.input_messages",
  "llm.output_messages",
  "llm.prompts",
  "llm.invocation_parameters",
  "llm.prompt_template.template",
  "llm.prompt_template.variables",
  "llm.function_call",
  "tool.parameters",
  "embedding.embeddings",
  "retrieval.documents",
  "reranker.query",
  "reranker.input_documents",
  "reranker.output_documents",
  // OpenLLMetry.
  "traceloop.entity.input",
  "traceloop.entity.output",
  // Vercel AI SDK.
  "ai.prompt",
  "ai.response.text",
  "ai.response.object",
  "ai.response.reasoning",
  "ai.response.files",
  "ai.response.toolCalls",
  "ai.result",
  "ai.toolCall.args",
  "ai.toolCall.result",
  "ai.value",
  "ai.values",
  "ai.embedding",
  "ai.embeddings",
  // Langfuse.
  "langfuse.observation.input",
  "langfuse.observation.output",
  "langfuse.observation.metadata",
  "langfuse.observation.status_message",
  "langfuse.trace.input",
  "langfuse.trace.output",
  "langfuse.trace.metadata",
  // Mastra logs whole agents and tool calls as JSON.
  "mastra.log",
];

const CONTENT_SET: ReadonlySet<string> = new Set(CONTENT_ATTRIBUTES);

/** Prefixes and names by which the spans and records of GenAI instrumentations are told. */
const GENAI_NAMES =
  /^(?:gen_ai|llm|ai|openinference|traceloop|langfuse|langsmith|mastra|anthropic|openai|mcp|lk|smolagents|crewai|autogen|gcp\.vertex\.agent)\./;

// What producers beyond the list call it: `mastra.agent_run.input`, `gcp.vertex.agent.llm_request`.
const CONTENT_WORD =
  /(?:^|[._])(?:inputs?|outputs?|prompts?|completions?|messages?|arguments|args|kwargs|results?|contents?|text|instructions?|query|documents?|body|values?|object|request|response|reasoning|template|variables|transcript|embeddings?|vectors?|headers|metadata|explanation|details?|error|cause|chat_ctx|history)$/;

/** Tells whether a span or record is a GenAI instrumentation's, by its attributes. */
export function isGenAi(attributes: object): boolean {
  return Object.keys(attributes).some((key) => GENAI_NAMES.test(key));
}

/** Tells whether an attribute is one that GenAI instrumentations write content into. */
export function isContentAttribute(key: string): boolean {
  if (CONTENT_SET.has(key)) return true;
  for (let at = key.lastIndexOf("."); at > 0; at = key.lastIndexOf(".", at - 1)) {
    if (CONTENT_SET.has(key.slice(0, at))) return true;
  }
  return false;
}

/** Tells whether an attribute on a GenAI span is likely content, by its name; a number or a flag is none. */
export function isLikelyContent(key: string, value: unknown): boolean {
  return typeof value !== "number" && typeof value !== "boolean" && CONTENT_WORD.test(key);
}
