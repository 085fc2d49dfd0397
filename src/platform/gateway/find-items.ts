import { type Span, skipValue } from "../../util/json-span.ts";
import { readId } from "../otlp/any-value.ts";
import { LOGS_REQUEST, TRACE_REQUEST } from "../otlp/messages.ts";
import type { Message } from "../otlp/wire-reader.ts";
import { OPEN_BRACE, OPEN_BRACKET, walkArray, walkObject } from "./split-json.ts";
import { findField, readFields, type WireField } from "./split-protobuf.ts";

/** A field, by its number in protobuf and by its name in JSON. */
export interface FieldKey {
  readonly number: number;
  readonly name: string;
}

/** Where the items of a request stand. */
export interface Layout {
  /** The list of the request, of a resource's message and of a scope's message: the last has the items. */
  readonly lists: readonly FieldKey[];
  /** The trace id of an item. */
  readonly traceId: FieldKey;
}

/** Levels above the one whose lists have the items: those of the request and of resources. */
const ITEM_LEVEL = 2;

function toLayout(request: Message): Layout {
  const lists: FieldKey[] = [];
  let message = request;
  for (let level = 0; level <= ITEM_LEVEL; level++) {
    for (const [number, { name, type, isRepeated }] of message) {
      if (isRepeated !== true || typeof type !== "object") continue;
      lists.push({ number, name });
      ({ message } = type);
      break;
    }
  }
  const [number = 0] = [...message].find(([, { name }]) => name === "traceId") ?? [];
  return { lists, traceId: { number, name: "traceId" } };
}

/** Where items stand, by the kind of telemetry. */
export const LAYOUTS = { traces: toLayout(TRACE_REQUEST), logs: toLayout(LOGS_REQUEST) } as const;

/** A message without the items that stand in its list. */
export interface Envelope {
  /** The message that has it; the request has none. */
  readonly parent: Envelope | undefined;
  /** Its place among the bytes that the parent keeps. */
  readonly at: number;
  /** All but the list, as it came. */
  readonly kept: Buffer[];
  /** Bytes kept so far. */
  length: number;
}

/** Neighbouring items of one trace; in protobuf with their tags and lengths. */
export interface Items {
  readonly traceId: string;
  readonly start: number;
  /** Moves when items of the same trace follow at once. */
  end: number;
  readonly parent: Envelope;
  /** Place among the bytes that the parent keeps. */
  readonly at: number;
}

/** A request that is being read. */
export interface Reading {
  readonly bytes: Buffer;
  readonly layout: Layout;
  /** What was found so far. */
  readonly found: Items[];
}

/** Starts a message, of which nothing is kept so far. */
export function openEnvelope(parent?: Envelope): Envelope {
  return { parent, at: parent?.length ?? 0, kept: [], length: 0 };
}

function keep(envelope: Envelope, bytes: Buffer): void {
  if (bytes.length > 0) envelope.kept.push(bytes);
  envelope.length += bytes.length;
}

/** Adds an item; one that follows its neighbour at once needs no memory of its own. */
function addItem(found: Items[], parent: Envelope, traceId: string, { start, end }: Span): void {
  const last = found.at(-1);
  const at = parent.length;
  if (last?.parent === parent && last.at === at && last.traceId === traceId) last.end = end;
  else found.push({ traceId, start, end, parent, at });
}

/** Reads the id as for decoding, so that the key of a part is the trace that its items are stored with. */
function toTraceId(traceId: unknown): string {
  // Anything may stand where a later member of the same name replaces it.
  return typeof traceId === "string" ? (readId({ traceId }, 32, "traceId") ?? "") : "";
}

const ID_BYTES = 16;

function readWireTraceId({ bytes, layout }: Reading, { valueStart, end }: WireField): string {
  const id = findField(bytes, { start: valueStart, end }, layout.traceId.number);
  // Another length is no id, whatever stands in it: large bytes are not made digits.
  const isId = id && id.end - id.valueStart === ID_BYTES;
  return isId ? toTraceId(bytes.toString("hex", id.valueStart, id.end)) : "";
}

/** Reads the message of a level, 0 for the request; calls itself for the levels of OTLP, never deeper. */
export function readMessage(reading: Reading, message: Span, envelope: Envelope, level = 0): void {
  const { bytes, layout } = reading;
  let keptFrom = message.start;
  for (const field of readFields(bytes, message)) {
    if (field.number !== layout.lists[level]?.number) continue;
    const { start, valueStart, end } = field;
    keep(envelope, bytes.subarray(keptFrom, start));
    keptFrom = end;
    if (level < ITEM_LEVEL)
      readMessage(reading, { start: valueStart, end }, openEnvelope(envelope), level + 1);
    else addItem(reading.found, envelope, readWireTraceId(reading, field), field);
  }
  keep(envelope, bytes.subarray(keptFrom, message.end));
}

/** Reads an item of JSON; returns the position behind it. An item may be null. */
function readObjectItem({ bytes, layout, found }: Reading, start: number, parent: Envelope) {
  let id: Span | undefined;
  let end = start;
  if (bytes[start] === OPEN_BRACE) {
    end = walkObject(bytes, start, (name, at) => {
      const valueEnd = skipValue(bytes, at);
      if (name === layout.traceId.name) id = { start: at, end: valueEnd };
      return valueEnd;
    });
  } else end = skipValue(bytes, start);
  const traceId = id ? toTraceId(JSON.parse(bytes.toString("utf8", id.start, id.end))) : "";
  addItem(found, parent, traceId, { start, end });
  return end;
}

/** Reads the message of a level, as `readMessage` does; returns the position behind it. */
export function readObject(reading: Reading, from: number, envelope: Envelope, level = 0): number {
  const { bytes, layout, found } = reading;
  const foundBefore = found.length;
  const readElement = (at: number): number =>
    level < ITEM_LEVEL
      ? readObject(reading, at, openEnvelope(envelope), level + 1)
      : readObjectItem(reading, at, envelope);
  let keptFrom = from;
  const readMember = (name: string, at: number): number => {
    if (name !== layout.lists[level]?.name) return skipValue(bytes, at);
    // Of a repeated member the last one counts: what stands in the others was not accepted, and may be of any trace.
    found.length = foundBefore;
    if (bytes[at] !== OPEN_BRACKET) return skipValue(bytes, at);
    keep(envelope, bytes.subarray(keptFrom, at + 1));
    const end = walkArray(bytes, at, readElement);
    keptFrom = end - 1;
    return end;
  };
  const isObject = bytes[from] === OPEN_BRACE;
  const end = isObject ? walkObject(bytes, from, readMember) : skipValue(bytes, from);
  keep(envelope, bytes.subarray(keptFrom, end));
  return end;
}
