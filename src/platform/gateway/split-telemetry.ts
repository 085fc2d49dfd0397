import { skipSpace } from "../../util/json-span.ts";
import { MAX_REPEATED_BYTES } from "../otlp/wire-reader.ts";
import { ProblemError } from "../problem.ts";
import {
  type Envelope,
  type FieldKey,
  type Items,
  type Layout,
  LAYOUTS,
  openEnvelope,
  type Reading,
  readMessage,
  readObject,
} from "./find-items.ts";
import { writeHead } from "./split-protobuf.ts";

/** Part of a request: the items of one trace. */
export interface TelemetryPart {
  /** Lower-case hex; empty for log records without a trace, and for items whose trace id is invalid. */
  readonly traceId: string;
  /** A request of the same kind and format. */
  readonly bytes: Buffer;
}

/** A message of a part: one of the request, with some of its items. */
interface PartMessage {
  readonly envelope: Envelope;
  readonly children: readonly (Items | PartMessage)[];
  /** Tag and length in protobuf. */
  readonly head: Buffer;
  readonly parent: Envelope | undefined;
  readonly at: number;
  /** Bytes of it, with the head. */
  readonly size: number;
}

/** What differs between JSON and protobuf. */
interface Encoding {
  /** Finds the items of a request. */
  readonly read: (reading: Reading, request: Envelope) => void;
  /** What stands between two items of a list. */
  readonly separator: Buffer;
  /** Writes what stands before a message of this many bytes in its list. */
  readonly writeHead: (list: FieldKey, length: number) => Buffer;
}

const EMPTY = Buffer.alloc(0);

const ENCODINGS: Readonly<Record<"json" | "protobuf", Encoding>> = {
  json: {
    read: (reading, request) => void readObject(reading, skipSpace(reading.bytes, 0), request),
    separator: Buffer.from(","),
    writeHead: () => EMPTY,
  },
  protobuf: {
    read: (reading, request) =>
      readMessage(reading, { start: 0, end: reading.bytes.length }, request),
    separator: EMPTY,
    writeHead: ({ number }, length) => writeHead(number, length),
  },
};

function countBytes(child: Items | PartMessage): number {
  return "size" in child ? child.size : child.end - child.start;
}

function toPartMessage(
  envelope: Envelope,
  children: readonly (Items | PartMessage)[],
  encoding: Encoding,
  list?: FieldKey,
): PartMessage {
  let length = envelope.length + encoding.separator.length * (children.length - 1);
  for (const child of children) length += countBytes(child);
  const head = list ? encoding.writeHead(list, length) : EMPTY;
  const { parent, at } = envelope;
  return { envelope, children, head, parent, at, size: head.length + length };
}

/** Limit of parts: each is a record of a topic. */
const MAX_TRACES = 10_000;

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Sorts items, or messages, of one trace into the messages that had them. */
function wrap(
  children: readonly (Items | PartMessage)[],
  encoding: Encoding,
  list: FieldKey | undefined,
): PartMessage[] {
  const byParent = new Map<Envelope, (Items | PartMessage)[]>();
  for (const child of children) if (child.parent) addTo(byParent, child.parent, child);
  return [...byParent].map(([envelope, own]) => toPartMessage(envelope, own, encoding, list));
}

/** Builds the request that has these items alone. */
function toPartRequest(
  request: Envelope,
  items: readonly Items[],
  encoding: Encoding,
  { lists }: Layout,
): PartMessage {
  const ofScopes = wrap(items, encoding, lists[1]);
  return toPartMessage(request, wrap(ofScopes, encoding, lists[0]), encoding);
}

/** Joins what an envelope keeps; it is copied once for every trace. */
function joinKept({ kept }: Envelope): Buffer {
  if (kept.length > 1) kept.splice(0, kept.length, Buffer.concat(kept));
  return kept[0] ?? EMPTY;
}

/**
 * Writes a message of a part; returns the position behind it. Calls itself for the levels of OTLP, never deeper.
 *
 * @param between - What stands between two items.
 */
function write(
  target: Buffer,
  from: number,
  { envelope, head, children }: PartMessage,
  bytes: Buffer,
  between: Buffer,
): number {
  const kept = joinKept(envelope);
  let to = from + head.copy(target, from);
  let keptFrom = 0;
  for (const child of children) {
    to += kept.copy(target, to, keptFrom, child.at);
    keptFrom = child.at;
    if (child !== children[0]) to += between.copy(target, to);
    if ("size" in child) to = write(target, to, child, bytes, between);
    else to += bytes.copy(target, to, child.start, child.end);
  }
  return to + kept.copy(target, to, keptFrom);
}

/**
 * Splits the body of an OTLP request by trace, in the order in which the traces appear.
 *
 * A part has the bytes of its items, and of each message that has such items all else, as they came. A body with items
 * of one trace, or with none, is returned as it is. The body must be one that `decodeSpans` or `decodeLogs` has
 * accepted. What they reject for its ids stays in the part of its trace, or in that without one.
 *
 * A body may have items of 10,000 traces. All parts together have at most `MAX_REPEATED_BYTES` more than the body, or a problem is thrown. Decoding has a bound
 * of the same size, but it counts only what is stored: schema URLs of resources, attributes of scopes, unknown fields
 * and spaces would be copied without a limit.
 */
export function splitByTrace(
  bytes: Buffer,
  format: "json" | "protobuf",
  signal: "traces" | "logs",
): TelemetryPart[] {
  const layout = LAYOUTS[signal];
  const encoding = ENCODINGS[format];
  const found: Items[] = [];
  const whole = openEnvelope();
  encoding.read({ bytes, layout, found }, whole);
  const byTrace = new Map<string, Items[]>();
  for (const items of found) addTo(byTrace, items.traceId, items);
  if (byTrace.size > MAX_TRACES)
    throw new ProblemError("payload_too_large", `a request may have items of ${MAX_TRACES} traces`);
  if (byTrace.size <= 1) return [{ traceId: found[0]?.traceId ?? "", bytes }];
  let room = bytes.length + MAX_REPEATED_BYTES;
  const parts: TelemetryPart[] = [];
  for (const [traceId, items] of byTrace) {
    const request = toPartRequest(whole, items, encoding, layout);
    room -= request.size;
    if (room < 0) {
      const detail = `resources and scopes may have ${MAX_REPEATED_BYTES} bytes, counted for every trace`;
      throw new ProblemError("payload_too_large", detail);
    }
    const target = Buffer.allocUnsafe(request.size);
    write(target, 0, request, bytes, encoding.separator);
    parts.push({ traceId, bytes: target });
  }
  return parts;
}
