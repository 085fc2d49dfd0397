import * as semconv from "../../semconv.ts";
import { toMillis } from "../bridge-span.ts";
import type { CallSettings, SpanLike } from "../span-record.ts";
import {
  findFirst,
  firstText,
  toCapturedText,
  toValue,
  type Attributes,
} from "./read-attributes.ts";
import { toCount } from "./read-usage.ts";
import { scanFinishReason, type ResponseFacts } from "./scan-response.ts";
import { readJson } from "./tolerant-json.ts";

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
  googleai: "gcp.gemini",
  vertex: "gcp.vertex_ai",
  vertexai: "gcp.vertex_ai",
  vertex_ai: "gcp.vertex_ai",
  mistral: "mistral_ai",
  mistralai: "mistral_ai",
  xai: "x_ai",
};
const DOTTED = /^(?:aws|gcp|azure|ibm|az)\./;

/** Returns the name that the conventions have for a provider. */
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
  endturn: "stop",
  stop_sequence: "stop",
  completed: "stop",
  complete: "stop",
  tool_calls: "tool_call",
  tool_use: "tool_call",
  tooluse: "tool_call",
  function_call: "tool_call",
  max_tokens: "length",
  maxtokens: "length",
  safety: "content_filter",
  content_filtered: "content_filter",
  guardrail_intervened: "content_filter",
};

/** A list, JSON of one, or names with commas between them: the first counts. */
function toFinishReason(given: unknown): string | undefined {
  const list = typeof given === "string" ? (readJson(given)?.value ?? given.split(",")) : given;
  const first: unknown = Array.isArray(list) ? list[0] : list;
  if (typeof first !== "string" || first === "") return undefined;
  const name = first.trim().replaceAll("-", "_").toLowerCase();
  return FINISH_REASONS[name] ?? name;
}

/** Attributes that hold the parameters of a call as JSON text. */
const PARAMETERS = [
  "llm.invocation_parameters",
  "langfuse.observation.model.parameters",
  "langsmith.metadata.ls_invocation_params",
] as const;
const TEMPERATURE = /"temperature": ?(\d{1,3}(?:\.\d{1,20})?)[,}\s]/;
const MAX_TOKENS =
  /"(?:max_tokens|max_completion_tokens|max_output_tokens|maxTokens|maxOutputTokens)": ?(\d{1,15})[,}\s]/;
/** UTF-16 units of parameters that are looked through: some producers write tools and instructions beside them. */
const MAX_SCANNED = 64 * 1024;

/** Looks for a number among the parameters, without parsing all that stands beside it. */
function findParameter(attributes: Attributes, pattern: RegExp): string | undefined {
  return findFirst(PARAMETERS, (name) => {
    const text = attributes[name];
    return typeof text === "string" ? pattern.exec(text.slice(0, MAX_SCANNED))?.[1] : undefined;
  });
}

/** Returns whether an event is that of the answer, where the reason may stand alone. */
const isChoice = ({ name }: { readonly name: string }): boolean =>
  name === semconv.EVENT_GEN_AI_CHOICE;

function readFinishReason(
  { attributes, events }: SpanLike,
  facts: ResponseFacts,
): string | undefined {
  const stated = toFinishReason(
    toValue(attributes[semconv.ATTR_GEN_AI_RESPONSE_FINISH_REASONS]) ??
      toValue(attributes["ai.response.finishReason"]) ??
      toValue(attributes["llm.finish_reason"]) ??
      toValue(attributes["anthropic.message.stop_reason"]) ??
      toValue(attributes[semconv.ATTR_GEN_AI_RESPONSE_STOP_REASON]) ??
      toValue(attributes[semconv.ATTR_GEN_AI_COMPLETION_0_FINISH_REASON]) ??
      toValue(events?.findLast(isChoice)?.attributes?.["finish_reason"]) ??
      facts.finishReason,
  );
  // Last: looking through messages takes longer.
  return stated ?? toFinishReason(scanFinishReason(attributes));
}

/** Genkit calls models by a path: `googleai/gemini-2.5-flash`. */
function readPath(name: unknown): string | undefined {
  return typeof name === "string" && name.includes("/") ? name.split("/", 1)[0] : undefined;
}

function readProvider(attributes: Attributes): string | undefined {
  return toProvider(
    toCapturedText(attributes[semconv.ATTR_GEN_AI_PROVIDER_NAME]) ??
      toCapturedText(attributes[semconv.ATTR_GEN_AI_SYSTEM]) ??
      toCapturedText(attributes["llm.provider"]) ??
      toCapturedText(attributes["llm.system"]) ??
      toCapturedText(attributes["ai.model.provider"]) ??
      toCapturedText(attributes["langfuse.observation.metadata.ls_provider"]) ??
      toCapturedText(attributes["langsmith.metadata.ls_provider"]) ??
      toCapturedText(readPath(attributes["genkit:name"])),
  );
}

const REQUEST_IDS = [
  "anthropic.request.id",
  semconv.ATTR_AWS_REQUEST_ID,
  "aws.request.id",
  semconv.ATTR_GEN_AI_RESPONSE_REQUEST_ID,
  "http.response.header.x-request-id",
] as const;

/**
 * Reads how a model was called, from the names that any producer has for it.
 *
 * @param facts - What the answer says of itself.
 * @param start - When the call began, milliseconds since the Unix epoch; without it the first piece has no time.
 */
export function readSettings(span: SpanLike, facts: ResponseFacts, start?: number): CallSettings {
  const { attributes } = span;
  return {
    provider: readProvider(attributes),
    temperature: toCount(
      toValue(attributes[semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE]) ??
        toValue(attributes["ai.settings.temperature"]) ??
        toValue(attributes["langsmith.metadata.ls_temperature"]) ??
        findParameter(attributes, TEMPERATURE),
    ),
    maxTokens: toCount(
      toValue(attributes[semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS]) ??
        toValue(attributes["ai.settings.maxOutputTokens"]) ??
        toValue(attributes["langsmith.metadata.ls_max_tokens"]) ??
        findParameter(attributes, MAX_TOKENS),
    ),
    retries: toCount(attributes[semconv.ATTR_HTTP_REQUEST_RESEND_COUNT]),
    finishReason: readFinishReason(span, facts),
    providerRequestId: firstText(attributes, REQUEST_IDS),
    timeToFirstChunk: start === undefined ? undefined : readTimeToFirstChunk(span, start),
  };
}

const SECONDS = [
  semconv.ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  semconv.METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
  semconv.METRIC_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN,
] as const;
const MILLIS = "ai.response.msToFirstChunk";
/** When the first piece came, as a time of day. */
const TIMES = [
  "langfuse.observation.completion_start_time",
  "mastra.completion_start_time",
] as const;
const FIRST_PIECE = "First Token Stream Event";

/** A date as ISO 8601 has it, in some producers with quotes around it. */
function toTime(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const time = Date.parse(value.replaceAll('"', ""));
  return Number.isNaN(time) ? undefined : time;
}

function findFirstPiece({ attributes, events }: SpanLike): number | undefined {
  const event = events?.find(({ name }) => name === FIRST_PIECE);
  return event?.time ? toMillis(event.time) : findFirst(TIMES, (name) => toTime(attributes[name]));
}

/**
 * Reads how long the first piece of a streamed answer took, in ms.
 *
 * @param start - When the call began, milliseconds since the Unix epoch; without it the first piece has no time.
 */
function readTimeToFirstChunk(span: SpanLike, start: number): number | undefined {
  const { attributes } = span;
  const seconds = findFirst(SECONDS, (name) => toCount(attributes[name]));
  if (seconds !== undefined) return Math.round(seconds * 1e6) / 1e3;
  const millis = toCount(attributes[MILLIS]);
  if (millis !== undefined) return Math.round(millis * 1e3) / 1e3;
  const first = findFirstPiece(span);
  return first === undefined ? undefined : Math.max(0, Math.round((first - start) * 1e3) / 1e3);
}
