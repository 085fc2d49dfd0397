import * as semconv from "../semconv.ts";
import { toNumber, type JsonRecord } from "../util/values.ts";
import type { Completion, ProviderError } from "./completion.ts";
import type { Message, Part } from "./message.ts";

/** Destination of a request. */
export interface Target {
  /** Without query. */
  readonly path: string;
  /** In lower case, without port. */
  readonly host: string;
  readonly port: number | undefined;
  /** The host's provider, by the name of the conventions; `undefined` for an unknown host. */
  readonly provider: string | undefined;
}

/** Content of a request to a model. */
interface CallContent {
  readonly input: readonly Message[];
  readonly system?: readonly Part[] | undefined;
  /** Tools in the provider's format. */
  readonly tools?: unknown;
}

/** A call as its request describes it. */
export interface CallRequest {
  readonly model: string | undefined;
  readonly isStreamed: boolean;
  /** Attributes of the conventions. */
  readonly settings: Readonly<Record<string, number | string | string[]>>;
  /** Reads the content, on demand. */
  readonly toContent: () => CallContent;
}

/** One parsed event of a stream. */
interface StreamEvent {
  /** Name of the event where the encoding has one, else `""`. */
  readonly name: string;
  readonly data: JsonRecord;
}

/** Returns the index or name of a completion's part as a key. */
export function toKey(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "0";
}

/** A model API over HTTP; pure functions that never throw on any JSON. */
export interface Protocol {
  readonly name: string;
  /** Endings of the paths of its requests. */
  readonly endings: readonly string[];
  /** Whether the end of the path identifies a call when the body can't be read. */
  readonly isPathEnough: boolean;
  /** Checks the request's destination. @defaultValue every destination matches */
  matches?(target: Target): boolean;
  /** Name of the operation. @defaultValue `chat` */
  readonly operation?: string;
  /** Name of the provider for an unknown host. */
  readonly provider: string;
  /** Reads a request; `undefined` for a request of another protocol. */
  readRequest(body: JsonRecord, target: Target): CallRequest | undefined;
  /** Returns the model and the streaming flag of a request whose body can't be read. @defaultValue neither is known */
  readTarget?(target: Target): {
    readonly model?: string | undefined;
    readonly isStreamed?: boolean;
  };
  /** Reads a response that came as a whole. */
  readBody(body: JsonRecord, answer: Completion): void;
  /** Reads one event of a stream. */
  readEvent(event: StreamEvent, answer: Completion): void;
  /** Reads the body of an error response. */
  readError(body: JsonRecord): ProviderError;
}

/** Attributes by the providers' names of the setting. */
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ["temperature", semconv.ATTR_GEN_AI_REQUEST_TEMPERATURE],
  ["max_tokens", semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["max_completion_tokens", semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["max_output_tokens", semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["maxOutputTokens", semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["maxTokens", semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["num_predict", semconv.ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["top_p", semconv.ATTR_GEN_AI_REQUEST_TOP_P],
  ["topP", semconv.ATTR_GEN_AI_REQUEST_TOP_P],
  ["p", semconv.ATTR_GEN_AI_REQUEST_TOP_P],
  ["top_k", semconv.ATTR_GEN_AI_REQUEST_TOP_K],
  ["topK", semconv.ATTR_GEN_AI_REQUEST_TOP_K],
  ["k", semconv.ATTR_GEN_AI_REQUEST_TOP_K],
  ["frequency_penalty", semconv.ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY],
  ["presence_penalty", semconv.ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY],
  ["seed", semconv.ATTR_GEN_AI_REQUEST_SEED],
  ["random_seed", semconv.ATTR_GEN_AI_REQUEST_SEED],
]);
const CHOICES: ReadonlySet<string> = new Set(["n", "candidateCount"]);
const STOPS: ReadonlySet<string> = new Set(["stop", "stop_sequences", "stopSequences"]);
const MAX_STOPS = 16;

function toStops(value: unknown): string[] | undefined {
  const stops: unknown = typeof value === "string" ? [value] : value;
  if (!Array.isArray(stops) || stops.length === 0) return undefined;
  return stops.every((stop) => typeof stop === "string") ? stops.slice(0, MAX_STOPS) : undefined;
}

/** Reads the settings of a call from the object that holds them. */
export function readRequestSettings(source: JsonRecord): CallRequest["settings"] {
  const settings: Record<string, number | string | string[]> = {};
  // Requests have a handful of members, fewer than the map has names.
  for (const name in source) {
    const attribute = NUMBERS.get(name);
    if (attribute !== undefined) {
      const value = toNumber(source[name]);
      if (value !== undefined) settings[attribute] = value;
    } else if (CHOICES.has(name)) {
      const count = toNumber(source[name]);
      if (count !== undefined && count !== 1)
        settings[semconv.ATTR_GEN_AI_REQUEST_CHOICE_COUNT] = count;
    } else if (STOPS.has(name)) {
      const stops = toStops(source[name]);
      if (stops) settings[semconv.ATTR_GEN_AI_REQUEST_STOP_SEQUENCES] = stops;
    }
  }
  return settings;
}
