import { toMillis } from "../bridge-span.ts";
import { toCount } from "./read-usage.ts";
import type { SpanLike } from "../span-exchange.ts";
import {
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN,
} from "../../semconv.ts";

const SECONDS = [
  ATTR_GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_CLIENT_OPERATION_TIME_TO_FIRST_CHUNK,
  METRIC_GEN_AI_SERVER_TIME_TO_FIRST_TOKEN,
] as const;
const MILLIS = "ai.response.msToFirstChunk";
/** When the first piece came, as a time of day. */
const TIMES = [
  "langfuse.observation.completion_start_time",
  "mastra.completion_start_time",
] as const;
const FIRST_PIECE = "First Token Stream Event";

type Attributes = SpanLike["attributes"];

function firstCount(attributes: Attributes, names: readonly string[]): number | undefined {
  for (const name of names) {
    const count = toCount(attributes[name]);
    if (count !== undefined) return count;
  }
  return undefined;
}

/** A date as ISO 8601 has it, in some producers with quotes around it. */
function toTime(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const time = Date.parse(value.replaceAll('"', ""));
  return Number.isNaN(time) ? undefined : time;
}

function findFirstPiece({ attributes, events }: SpanLike): number | undefined {
  const hasEvents = events && events.length > 0;
  const event = hasEvents ? events.find(({ name }) => name === FIRST_PIECE) : undefined;
  if (event?.time) return toMillis(event.time);
  for (const name of TIMES) {
    const time = toTime(attributes[name]);
    if (time !== undefined) return time;
  }
  return undefined;
}

/**
 * Reads how long the first piece of a streamed answer took, in ms.
 *
 * @param start - When the call began, milliseconds since the Unix epoch.
 */
export function readTimeToFirstChunk(span: SpanLike, start: number): number | undefined {
  const { attributes } = span;
  const seconds = firstCount(attributes, SECONDS);
  if (seconds !== undefined) return Math.round(seconds * 1e6) / 1e3;
  const millis = toCount(attributes[MILLIS]);
  if (millis !== undefined) return Math.round(millis * 1e3) / 1e3;
  const first = findFirstPiece(span);
  return first === undefined ? undefined : Math.max(0, Math.round((first - start) * 1e3) / 1e3);
}
