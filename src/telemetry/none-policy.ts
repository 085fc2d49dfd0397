import type { Attributes } from "@opentelemetry/api";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { ComplianceFlag } from "../events/compliance.ts";
import * as semconv from "../semconv.ts";
import { GENAI_PREFIXES, GENAI_SCOPES } from "../util/genai-names.ts";
import { BASE_FIELD_ATTRIBUTES, KIND_FIELD_ATTRIBUTES } from "./attribute-mapping.ts";
import { toTextFreeFinding } from "./log-record.ts";

/**
 * Returns a view of `item` in which the given members are overridden. `item` is not changed.
 *
 * The members are enumerable, as exporters expect; private members and getters of `item` keep working.
 */
export function overrideMembers<T extends object>(item: T, members: Partial<T>): T {
  const own = Object.entries(members).map(([name, value]): [string, PropertyDescriptor] => [
    name,
    { value, enumerable: true },
  ]);
  return Object.create(item, Object.fromEntries(own)) as T;
}

/** Content attributes of GenAI instrumentations; attributes below them count as well. */
const CONTENT_ATTRIBUTES: ReadonlySet<string> = new Set([
  // OpenTelemetry, all versions.
  semconv.ATTR_GEN_AI_INPUT_MESSAGES,
  semconv.ATTR_GEN_AI_OUTPUT_MESSAGES,
  semconv.ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  semconv.ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  semconv.ATTR_GEN_AI_TOOL_CALL_RESULT,
  semconv.ATTR_GEN_AI_RETRIEVAL_QUERY_TEXT,
  semconv.ATTR_GEN_AI_RETRIEVAL_DOCUMENTS,
  semconv.ATTR_GEN_AI_EVALUATION_EXPLANATION,
  semconv.ATTR_GEN_AI_PROMPT,
  semconv.ATTR_GEN_AI_COMPLETION,
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
]);

/** Prefixes that the bridge does not go by; spans that have them lose their content all the same. */
const WIDER_PREFIXES = [
  "ai.",
  "anthropic.",
  "autogen.",
  "crewai.",
  "langchain.",
  "lk.",
  "mcp.",
  "openai.",
  "smolagents.",
];
const ALL_PREFIXES: readonly string[] = [...GENAI_PREFIXES, ...WIDER_PREFIXES];

// Content attributes of producers beyond the list: `mastra.agent_run.input`, `genkit:input`, `mcp.request.argument.card`.
const CONTENT_WORDS = [
  "inputs?",
  "outputs?",
  "prompts?",
  "completions?",
  "messages?",
  "tool_calls?",
  "arguments?",
  "args",
  "kwargs",
  "results?",
  "contents?",
  "text",
  "instructions?",
  "query",
  "documents?",
  "body",
  "values?",
  "object",
  "request",
  "response",
  "reasoning",
  "template",
  "variables",
  "transcript",
  "embeddings?",
  "vectors?",
  "headers",
  "metadata",
  "explanation",
  "details?",
  "error",
  "cause",
  "chat_ctx",
  "history",
];
const CONTENT_WORD = new RegExp(
  String.raw`(?:^|[._:])(?:${CONTENT_WORDS.join("|")})$|[._:]arguments?\.`,
);

/** Returns whether a span or record is a GenAI instrumentation's, by its scope and its attributes. */
function isGenAi({ instrumentationScope, attributes }: ReadableSpan | ReadableLogRecord): boolean {
  const isOfScope = GENAI_SCOPES.test(instrumentationScope.name);
  return (
    isOfScope ||
    Object.keys(attributes).some((key) => ALL_PREFIXES.some((prefix) => key.startsWith(prefix)))
  );
}

/** Returns whether an attribute is in the list of content attributes. */
function isContentAttribute(key: string): boolean {
  if (CONTENT_ATTRIBUTES.has(key)) return true;
  for (let at = key.lastIndexOf("."); at > 0; at = key.lastIndexOf(".", at - 1)) {
    if (CONTENT_ATTRIBUTES.has(key.slice(0, at))) return true;
  }
  return false;
}

/** Own attributes that may hold content. */
const SENSITIVE_ATTRIBUTES: ReadonlySet<string> = new Set([
  semconv.ATTR_METADATA,
  // Of the whole event; what is left is not the whole.
  semconv.ATTR_EVENT_LENGTH,
  semconv.ATTR_EVENT_JSON_ATTRIBUTES,
  ...[...BASE_FIELD_ATTRIBUTES, ...Object.values(KIND_FIELD_ATTRIBUTES).flat()]
    .filter((row) => row.isSensitive)
    .map((row) => row.attribute),
]);

/** Own attributes without a row of an event: texts of single findings. */
const FINDING_TEXT = /\.(?:description|excerpt|detected_content|recommendation)$/;
const OWN_PREFIX = `${semconv.NAMESPACE}.`;

/** Removes the text of findings: on spans they are written as JSON. */
function toTextFreeFindings(value: unknown): unknown {
  if (typeof value === "string") return JSON.stringify(toTextFreeFindings(JSON.parse(value)));
  return (value as ComplianceFlag[]).map(toTextFreeFinding);
}

function isContent(key: string, value: unknown, isOfGenAi: boolean): boolean {
  if (SENSITIVE_ATTRIBUTES.has(key) || isContentAttribute(key)) return true;
  if (key.startsWith(OWN_PREFIX)) return FINDING_TEXT.test(key);
  // By its name it is likely content; a number or a flag is none.
  const isNumberOrFlag = typeof value === "number" || typeof value === "boolean";
  return isOfGenAi && !isNumberOrFlag && CONTENT_WORD.test(key);
}

function withoutContent<T extends object>(attributes: T, isOfGenAi: boolean): T {
  const bare: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== semconv.ATTR_COMPLIANCE_VIOLATIONS) {
      if (!isContent(key, value, isOfGenAi)) bare[key] = value;
      continue;
    }
    try {
      bare[key] = toTextFreeFindings(value);
    } catch {
      // An attribute limit cut the JSON, so that its text can't be removed.
    }
  }
  return bare as T;
}

/** Returns a span without content of the monitor or of a GenAI instrumentation. */
export function toBareSpan(span: ReadableSpan): ReadableSpan {
  const isOfGenAi = isGenAi(span);
  const bare = (attributes: Attributes | undefined): Attributes =>
    withoutContent(attributes ?? {}, isOfGenAi);
  const own = {
    attributes: bare(span.attributes),
    events: span.events.map((event) => ({ ...event, attributes: bare(event.attributes) })),
    links: span.links.map((link) =>
      link.attributes ? { ...link, attributes: bare(link.attributes) } : link,
    ),
    // The error message of a model's server may repeat the request.
    status: isOfGenAi ? { code: span.status.code } : span.status,
  };
  return overrideMembers(span, own);
}

/** Returns a log record without content of the monitor or of a GenAI instrumentation. */
export function toBareRecord(record: ReadableLogRecord): ReadableLogRecord {
  const name = record.eventName ?? record.attributes[semconv.ATTR_EVENT_NAME];
  const isNamed = typeof name === "string" && name.startsWith("gen_ai.");
  const isOfGenAi = isNamed || isGenAi(record);
  return overrideMembers(record, {
    attributes: withoutContent(record.attributes, isOfGenAi),
    // The older conventions write messages there.
    ...(isOfGenAi && { body: undefined }),
  });
}
