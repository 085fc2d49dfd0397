import type { EventType } from "../events/base-event.ts";
import { buildEvent } from "../events/build-event.ts";
import type { DetailedEvent } from "../events/detailed-event.ts";
import type { BuildOptions, Interaction } from "../events/event-builder.ts";
import { MetadataReader } from "../events/metadata-reader.ts";
import type { SpanRecord } from "./span-record.ts";

/** Something that an agent, its user, its model or a tool did, as another instrumentation's telemetry reports it. */
export interface BridgedEvent {
  /** Made of where it comes from: the same for the same span, whichever way it comes. */
  readonly eventId: string;
  readonly interaction: Interaction;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When it happened, milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly traceId: string;
  /** The span that it was read from. */
  readonly spanId: string;
  /** Of an answer, what the user had said. */
  readonly userMessage?: string | undefined;
  /** Of a tool call, what the agent said beside asking for it, where the user may have read that. */
  readonly agentText?: string | undefined;
}

/** Converts a bridged event to the shape of its kind, without the rules and the agent's profile. */
export function toDetailedEvent(
  { interaction, metadata, timestamp }: BridgedEvent,
  options: Pick<BuildOptions, "eventId" | "environment"> & Pick<MetadataReader, "maxLength">,
): DetailedEvent {
  const { eventId, environment, maxLength } = options;
  const reader = new MetadataReader(interaction.kind, metadata, undefined, maxLength);
  // Member by member: a spread takes longer than all else here.
  return buildEvent(interaction, reader, {
    eventId,
    requestId: interaction.requestId ?? eventId,
    userId: interaction.userId,
    now: timestamp,
    environment,
  });
}

/** Adds to the metadata of an event where it comes from: the instrumentation, the trace and the span, as far as there are any. */
export function addOrigin(
  metadata: Readonly<Record<string, unknown>>,
  { scope, traceId, spanId, isUntraced }: SpanRecord,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name in metadata) {
    const value = metadata[name];
    if (value !== undefined) members[name] = value;
  }
  if (scope !== "") members["instrumentation"] = scope;
  if (isUntraced !== true) {
    members["traceId"] = traceId;
    members["spanId"] = spanId;
  }
  return members;
}

/** Orders events of one span as they happen. */
const RANKS: Readonly<Partial<Record<EventType, number>>> = {
  user_message: 1,
  tool_call: 2,
  tool_result: 3,
  agent_response: 4,
  error: 5,
};
/** Events of one kind and span up to this number are distinguished by 8 bits; the others by bits of the trace as well. */
const COUNT_MASK = 0xff;
const MAX_TIME = 0xff_ff_ff_ff_ff_ff;
const HEX = 16;
const HALF_LENGTH = 6;
const PLACE_LENGTH = 3;
const TRACE_LENGTH = 3;
const SPAN_LENGTH = 12;

const toHex = (value: number, length: number): string => value.toString(HEX).padStart(length, "0");

/** Returns the end of an id, which is random. */
const endOf = (id: string, length: number): string => id.slice(-length).padStart(length, "0");

function toTracePart(traceId: string, count: number): string {
  const part = endOf(traceId, TRACE_LENGTH);
  if (count <= COUNT_MASK) return part;
  const mixed = (Number.parseInt(part, HEX) ^ (count >> 8)) & 0xfff;
  return toHex(mixed, TRACE_LENGTH);
}

/** Writes a time in ms; in two halves, for writing a number above 32 bits takes ten times as long. */
function toTime(start: number): string {
  const millis = start > 0 && start <= MAX_TIME ? Math.floor(start) : 0;
  const high = Math.floor(millis / 0x1_00_00_00);
  const low = toHex(millis % 0x1_00_00_00, HALF_LENGTH);
  return `${toHex(high, HALF_LENGTH)}${low.slice(0, 2)}-${low.slice(2)}`;
}

/**
 * Makes the ids of the events that are emitted of a trace: of the span that an event is read from, its kind, and how many of the kind
 * the span has emitted before. Made again of the same span, by whatever exporter or processor, an event has the same id.
 *
 * They are UUIDs of version 7, with the start of the span as their time and the random ends of its ids. Nothing is hashed:
 * every event passes here.
 *
 * @see RFC 9562, 5.7
 */
export class EventIds {
  /** Events of each span, by their kind's rank. */
  readonly #counts = new Map<string, number[]>();

  make(record: SpanRecord, kind: EventType): string {
    const { traceId, spanId, ownId = spanId, isAbandoned, isUnderWay } = record;
    const rank = RANKS[kind] ?? 0;
    const count = this.#count(spanId, rank);
    // What is emitted of a call that is not over is another event than what is emitted of it at its end.
    const isOver = isAbandoned || isUnderWay === true ? 0 : 1;
    const place = toHex((rank << 9) | (isOver << 8) | (count & COUNT_MASK), PLACE_LENGTH);
    return `${toTime(record.start)}-7${place}-8${toTracePart(traceId, count)}-${endOf(ownId, SPAN_LENGTH)}`;
  }

  /** Counts the events of one kind and span. */
  #count(spanId: string, rank: number): number {
    let counts = this.#counts.get(spanId);
    if (!counts) this.#counts.set(spanId, (counts = []));
    const count = counts[rank] ?? 0;
    counts[rank] = count + 1;
    return count;
  }
}
