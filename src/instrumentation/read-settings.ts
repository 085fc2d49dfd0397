import {
  ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_REQUEST_TOP_P,
} from "../otel/semconv.ts";
import { ATTR_CHOICE_COUNT, ATTR_SEED, ATTR_STOP_SEQUENCES, ATTR_TOP_K } from "./attributes.ts";
import type { CallRequest } from "./protocol.ts";
import { toNumber, type JsonRecord } from "./read-json.ts";

/** Attributes, by the names that providers have for the setting. */
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
  ["top_k", ATTR_TOP_K],
  ["topK", ATTR_TOP_K],
  ["k", ATTR_TOP_K],
  ["frequency_penalty", ATTR_GEN_AI_REQUEST_FREQUENCY_PENALTY],
  ["presence_penalty", ATTR_GEN_AI_REQUEST_PRESENCE_PENALTY],
  ["seed", ATTR_SEED],
  ["random_seed", ATTR_SEED],
]);
const STOPS = ["stop", "stop_sequences", "stopSequences"] as const;
const MAX_STOPS = 16;

/** Requests have a handful of members, fewer than there are names. */
function readNumbers(source: JsonRecord): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const name in source) {
    const attribute = NUMBERS.get(name);
    if (attribute === undefined) continue;
    const value = toNumber(source[name]);
    if (value !== undefined) numbers[attribute] = value;
  }
  return numbers;
}

/** Reads the settings of a call from the object that holds them. */
export function readSettings(source: JsonRecord): CallRequest["settings"] {
  const settings: Record<string, number | string | string[]> = readNumbers(source);
  const choices = toNumber(source["n"]) ?? toNumber(source["candidateCount"]);
  if (choices !== undefined && choices !== 1) settings[ATTR_CHOICE_COUNT] = choices;
  for (const name of STOPS) {
    const given = source[name];
    const stops = typeof given === "string" ? [given] : given;
    if (!Array.isArray(stops) || stops.length === 0) continue;
    if (stops.every((stop) => typeof stop === "string")) {
      settings[ATTR_STOP_SEQUENCES] = stops.slice(0, MAX_STOPS);
    }
  }
  return settings;
}
