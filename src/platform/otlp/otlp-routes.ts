import type { Context } from "hono";
import { countNoun } from "../../util/count-noun.ts";
import type { PlatformContext } from "../delivery-routes.ts";
import { storeUnavailable } from "../health-routes.ts";
import { ProblemError } from "../problem.ts";
import { type BodyLease, parseJson, readBody, readMediaType } from "../read-body.ts";
import type { Arrival } from "../store/bounded-rows.ts";
import { addLogRecords, createDigester, type Digester } from "../store/log-store.ts";
import { addSpans } from "../store/span-store.ts";
import type { SqlDatabase } from "../store/sql-database.ts";
import type { Steps } from "../turns.ts";
import { decodeLogs, decodeSpans } from "./decode-telemetry.ts";
import type { NewTelemetry } from "./event-mapper.ts";
import { LOGS_REQUEST, TRACE_REQUEST } from "./messages.ts";
import type { Received, ReceivedLogRecord, ReceivedSpan } from "./received.ts";
import { type Message, findJsonExcess, readWireMessage } from "./wire-reader.ts";

/**
 * How many times the bound of a batch a request may have: 20 MiB by default, the Collector's limit as well.
 *
 * Every span of a model call repeats the conversation so far, and exporters count spans, not bytes.
 */
const BODY_FACTOR = 4;

/** One kind of telemetry: how its requests are read and stored. */
interface Signal<Item> {
  readonly noun: "log records" | "spans";
  /** Name in JSON of the count of items that were left out; its number is the same in both responses. */
  readonly countName: "rejectedLogRecords" | "rejectedSpans";
  readonly message: Message;
  readonly decode: (request: unknown, receivedAt: number) => Steps<Received<Item>>;
  readonly add: (
    database: SqlDatabase,
    items: readonly Item[],
    arrival: Arrival & { readonly toDigest: Digester },
  ) => Steps<readonly Item[]>;
  readonly toTelemetry: (items: readonly Item[]) => Omit<NewTelemetry, "organizationId">;
}

/** Media type of OTLP in protobuf. */
export const PROTOBUF_MEDIA_TYPE = "application/x-protobuf";
const JSON_MEDIA_TYPE = "application/json";

/** Encoding of a request and of its response. */
type OtlpFormat = "json" | "protobuf";

/** Returns the encoding of a media type; `undefined` when it is neither. */
function toOtlpFormat(mediaType: string): OtlpFormat | undefined {
  if (mediaType === PROTOBUF_MEDIA_TYPE) return "protobuf";
  return mediaType === JSON_MEDIA_TYPE ? "json" : undefined;
}

/** Numbers of google.rpc.Code by HTTP status; clients go by the HTTP status. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3, // INVALID_ARGUMENT
  401: 16, // UNAUTHENTICATED
  403: 7, // PERMISSION_DENIED
  404: 5, // NOT_FOUND
  405: 12, // UNIMPLEMENTED
  413: 8, // RESOURCE_EXHAUSTED
  415: 3, // INVALID_ARGUMENT
  422: 3, // INVALID_ARGUMENT
  500: 13, // INTERNAL
  503: 14, // UNAVAILABLE
};
const UNKNOWN = 2;

function writeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function writeNumber(field: number, value: number): Buffer {
  return Buffer.concat([Buffer.of(field << 3), writeVarint(value)]);
}

function writeBytes(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of((field << 3) | 2), writeVarint(bytes.length), bytes]);
}

/** Writes a message of a number and a text: the form of a Status and of a partial success. */
function writeReport(value: number, text: string): Buffer {
  return Buffer.concat([writeNumber(1, value), writeBytes(2, Buffer.from(text, "utf8"))]);
}

function toResponse(
  format: OtlpFormat,
  json: object,
  protobuf: Buffer,
  { status, headers }: Pick<ProblemError, "status"> & Partial<Pick<ProblemError, "headers">>,
): Response {
  const isProtobuf = format === "protobuf";
  return new Response(isProtobuf ? new Uint8Array(protobuf) : JSON.stringify(json), {
    status,
    headers: { ...headers, "content-type": isProtobuf ? PROTOBUF_MEDIA_TYPE : JSON_MEDIA_TYPE },
  });
}

/**
 * Writes the response to an accepted request; `partialSuccess` is there only if items were left out.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#partial-success-1
 */
function toSuccessResponse(
  format: OtlpFormat,
  countName: Signal<object>["countName"],
  { rejected, reason = "" }: Received<object>,
): Response {
  if (rejected === 0) return toResponse(format, {}, Buffer.alloc(0), { status: 200 });
  // Proto3's JSON writes integers of 64 bits as strings.
  const partialSuccess = { [countName]: String(rejected), errorMessage: reason };
  const protobuf = writeBytes(1, writeReport(rejected, reason));
  return toResponse(format, { partialSuccess }, protobuf, { status: 200 });
}

/**
 * Writes a problem as a google.rpc.Status in the encoding of the request, as OTLP requires.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#failures-1
 */
export function toStatusResponse(
  { status, message, headers }: ProblemError,
  mediaType: string,
): Response {
  const code = RPC_CODES[status] ?? UNKNOWN;
  const format = toOtlpFormat(mediaType) ?? "json";
  return toResponse(format, { code, message }, writeReport(code, message), { status, headers });
}

function* parseBoundedJson(bytes: Buffer): Steps<unknown> {
  const excess = yield* findJsonExcess(bytes);
  if (excess === undefined) return yield* parseJson(bytes);
  throw new ProblemError("malformed_body", `the body has ${excess}`);
}

/** Items stored in one transaction; other deliveries are stored between two of them. */
const PART_SIZE = 500;

type Receive = (platform: PlatformContext, context: Context, lease: BodyLease) => Promise<Response>;

function createReceiver<Item extends object>(signal: Signal<Item>): Receive {
  const { noun, countName, message, toTelemetry } = signal;
  return async ({ options, store, turns, authenticator, mapper }, { req: { raw } }, lease) => {
    const organizationId = authenticator.authenticateTelemetry(raw);
    // Acknowledged telemetry must become events, and earlier ones still wait for the store.
    if (mapper.isFull) throw storeUnavailable();
    const format = toOtlpFormat(readMediaType(raw));
    if (!format) {
      const detail = `the content type must be application/json or ${PROTOBUF_MEDIA_TYPE}`;
      throw new ProblemError("unsupported_media_type", detail);
    }
    const maxBytes = options.maxBodyBytes * BODY_FACTOR;
    const { bytes } = await readBody(raw, { maxBytes, lease });
    const value = await turns.take<unknown>(
      format === "json" ? parseBoundedJson(bytes) : readWireMessage(bytes, message),
    );
    const receivedAt = options.clock.now();
    const received = await turns.take(signal.decode(value, receivedAt));
    const { items, rejected, reason = "" } = received;
    if (items.length === 0 && rejected > 0)
      throw new ProblemError("malformed_body", `nothing in the body is valid: ${reason}`);
    const arrival = { organizationId, receivedAt, toDigest: createDigester() };
    const added: Item[] = [];
    // A repeated item is recognised, so a request that was only stored in part can simply be repeated.
    for (let first = 0; first < items.length; first += PART_SIZE) {
      const part = items.slice(first, first + PART_SIZE);
      const stored = await store.write(() => signal.add(store.database, part, arrival));
      for (const item of stored) added.push(item);
    }
    await turns.take(mapper.map({ ...toTelemetry(added), organizationId }));
    const duplicates = countNoun(items.length - added.length, "duplicate");
    options.logger.info(`${noun}: ${added.length} accepted, ${duplicates}, ${rejected} rejected`);
    return toSuccessResponse(format, countName, received);
  };
}

/** Receives spans: `POST /v1/traces`. */
export const receiveTraces = createReceiver<ReceivedSpan>({
  noun: "spans",
  countName: "rejectedSpans",
  message: TRACE_REQUEST,
  decode: decodeSpans,
  add: addSpans,
  toTelemetry: (spans) => ({ spans }),
});

/** Receives log records: `POST /v1/logs`. */
export const receiveLogs = createReceiver<ReceivedLogRecord>({
  noun: "log records",
  countName: "rejectedLogRecords",
  message: LOGS_REQUEST,
  decode: decodeLogs,
  add: addLogRecords,
  toTelemetry: (records) => ({ records }),
});
