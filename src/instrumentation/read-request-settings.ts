import {
  ATTR_GEN_AI_REQUEST_CHOICE_COUNT,
  ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY,
  ATTR_GEN_AI_REQUEST_SEED,
  ATTR_GEN_AI_REQUEST_STOP_SEQUENCES,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_REQUEST_TOP_K,
  ATTR_GEN_AI_REQUEST_TOP_P,
} from "../semconv.ts";
import type { CallRequest } from "./protocol.ts";
import { toNumber, type JsonRecord } from "../util/values.ts";

/** Attributes by the providers' names of the setting. */
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ["temperature", ATTR_GEN_AI_REQUEST_TEMPERATURE],
  ["max_tokens", ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["max_completion_tokens", ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["max_output_tokens", ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["maxOutputTokens", ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["maxTokens", ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["num_predict", ATTR_GEN_AI_REQUEST_MAX_TOKENS],
  ["top_p", ATTR_GEN_AI_REQUEST_TOP_P],
  ["topP", ATTR_GEN_AI_REQUEST_TOP_P],
  ["p", ATTR_GEN_AI_REQUEST_TOP_P],
  ["top_k", ATTR_GEN_AI_REQUEST_TOP_K],
  ["topK", ATTR_GEN_AI_REQUEST_TOP_K],
  ["k", ATTR_GEN_AI_REQUEST_TOP_K],
  ["frequency_penalty", ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY],
  ["presence_penalty", ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY],
  ["seed", ATTR_GEN_AI_REQUEST_SEED],
  ["random_seed", ATTR_GEN_AI_REQUEST_SEED],
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
      if (count !== undefined && count !== 1) settings[ATTR_GEN_AI_REQUEST_CHOICE_COUNT] = count;
    } else if (STOPS.has(name)) {
      const stops = toStops(source[name]);
      if (stops) settings[ATTR_GEN_AI_REQUEST_STOP_SEQUENCES] = stops;
    }
  }
  return settings;
}
