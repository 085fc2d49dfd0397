import type { Context } from "hono";
import { countNoun } from "../../util/count-noun.ts";
import type { PlatformContext } from "../delivery-routes.ts";
import { storeUnavailable } from "../health-routes.ts";
import { ProblemError } from "../problem.ts";
import { type BodyLease, parseJson, readBody, readMediaType } from "../read-body.ts";
import { createDigester } from "../store/log-store.ts";
import type { Steps } from "../turns.ts";
import { decodeLogs, decodeSpans } from "./decode-telemetry.ts";
import { LOGS_REQUEST, TRACE_REQUEST } from "./messages.ts";
import type { Received } from "./received.ts";
import { type Message, findJsonExcess, readWireMessage } from "./wire-reader.ts";

/** Paths of OTLP/HTTP, below its base URL. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
export const TRACES_PATH = "/v1/traces";
export const LOGS_PATH = "/v1/logs";
const METRICS_PATH = "/v1/metrics";

/** Returns whether errors of a path get OTLP's form; metrics are refused, but exporters send them. */
export function isOtlpPath(path: string): boolean {
  return path === TRACES_PATH || path === LOGS_PATH || path === METRICS_PATH;
}

/**
 * How many times the bound of a batch a request may have: 20 MiB by default, the Collector's limit as well.
 *
 * Every span of a model call repeats the conversation so far, and exporters count spans, not bytes.
 */
const BODY_FACTOR = 4;

interface OtlpRequest {
  readonly format: OtlpFormat;
  readonly organizationId: string;
  readonly value: unknown;
}

function* parseBoundedJson(bytes: Buffer): Steps<unknown> {
  const excess = yield* findJsonExcess(bytes);
  if (excess === undefined) return yield* parseJson(bytes);
  throw new ProblemError(400, "malformed_body", `the body has ${excess}`);
}

async function readOtlp(
  { options, turns, authenticator, mapper }: PlatformContext,
  request: Request,
  message: Message,
  lease: BodyLease,
): Promise<OtlpRequest> {
  const organizationId = authenticator.authenticateTelemetry(request);
  // Acknowledged telemetry must become events, and earlier ones still wait for the store.
  if (mapper.isFull) throw storeUnavailable();
  const format = toOtlpFormat(readMediaType(request));
  if (!format) {
    throw new ProblemError(
      415,
      "unsupported_media_type",
      `the content type must be application/json or ${PROTOBUF_MEDIA_TYPE}`,
    );
  }
  const maxBytes = options.maxBodyBytes * BODY_FACTOR;
  const { bytes } = await readBody(request, { maxBytes, lease });
  const value = await turns.take<unknown>(
    format === "json" ? parseBoundedJson(bytes) : readWireMessage(bytes, message),
  );
  return { format, organizationId, value };
}

/** Throws a problem when all items of a request are invalid. */
function verifyAny({ items, rejected, reason }: Received<object>): void {
  if (items.length > 0 || rejected === 0) return;
  throw new ProblemError(400, "malformed_body", `nothing in the body is valid: ${reason ?? ""}`);
}

/** Items stored in one transaction; other deliveries are stored between two of them. */
const PART_SIZE = 500;

/**
 * Stores items in several transactions.
 *
 * A repeated item is recognised, so a request that was only stored in part can simply be repeated.
 */
async function storeInParts<Item>(
  items: readonly Item[],
  store: (part: readonly Item[]) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const added: Item[] = [];
  for (let first = 0; first < items.length; first += PART_SIZE)
    for (const item of await store(items.slice(first, first + PART_SIZE))) added.push(item);
  return added;
}

async function takeTraces(
  room: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = await readOtlp(room, context.req.raw, TRACE_REQUEST, lease);
  const { format, organizationId } = request;
  const { items, rejected, reason } = await room.turns.take(decodeSpans(request.value));
  verifyAny({ items, rejected, reason });
  const now = room.options.clock.now();
  const added = await storeInParts(items, (part) =>
    room.store.write(() => room.store.spans.add(part, organizationId, now)),
  );
  await room.turns.take(room.mapper.map({ spans: added, records: [], organizationId }));
  room.options.logger.info(
    `spans: ${added.length} accepted, ${countNoun(items.length - added.length, "duplicate")}, ${rejected} rejected`,
  );
  return toSuccessResponse(format, { countName: "rejectedSpans", rejected, reason });
}

/** Receives spans: `POST /v1/traces`. */
export function receiveTraces(room: PlatformContext, context: Context): Promise<Response> {
  return room.bodies.lend((lease) => takeTraces(room, context, lease));
}

async function takeLogs(
  room: PlatformContext,
  context: Context,
  lease: BodyLease,
): Promise<Response> {
  const request = await readOtlp(room, context.req.raw, LOGS_REQUEST, lease);
  const { format, organizationId } = request;
  const now = room.options.clock.now();
  const { items, rejected, reason } = await room.turns.take(decodeLogs(request.value, now));
  verifyAny({ items, rejected, reason });
  const toDigest = createDigester();
  const added = await storeInParts(items, (part) =>
    room.store.write(() => room.store.logs.add(part, organizationId, now, toDigest)),
  );
  await room.turns.take(room.mapper.map({ spans: [], records: added, organizationId }));
  room.options.logger.info(
    `log records: ${added.length} accepted, ${countNoun(items.length - added.length, "duplicate")}, ${rejected} rejected`,
  );
  return toSuccessResponse(format, { countName: "rejectedLogRecords", rejected, reason });
}

/** Receives log records: `POST /v1/logs`. */
export function receiveLogs(room: PlatformContext, context: Context): Promise<Response> {
  return room.bodies.lend((lease) => takeLogs(room, context, lease));
}

/** Media type of OTLP in protobuf. */
const PROTOBUF_MEDIA_TYPE = "application/x-protobuf";
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

function toResponse(
  format: OtlpFormat,
  json: object,
  protobuf: Buffer,
  init: { readonly status: number; readonly headers?: Readonly<Record<string, string>> },
): Response {
  const isProtobuf = format === "protobuf";
  return new Response(isProtobuf ? new Uint8Array(protobuf) : JSON.stringify(json), {
    status: init.status,
    headers: {
      ...init.headers,
      "content-type": isProtobuf ? PROTOBUF_MEDIA_TYPE : JSON_MEDIA_TYPE,
    },
  });
}

/** Items that a request left out. */
interface PartialSuccess {
  /** Name of the count in JSON; its number is the same in both responses. */
  readonly countName: "rejectedSpans" | "rejectedLogRecords";
  readonly rejected: number;
  readonly reason: string | undefined;
}

/**
 * Writes the response to an accepted request; `partialSuccess` is there only if items were left out.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/#partial-success-1
 */
function toSuccessResponse(
  format: OtlpFormat,
  { countName, rejected, reason = "" }: PartialSuccess,
): Response {
  if (rejected === 0) return toResponse(format, {}, Buffer.alloc(0), { status: 200 });
  // Proto3's JSON writes integers of 64 bits as strings.
  const partialSuccess = { [countName]: String(rejected), errorMessage: reason };
  const message = Buffer.concat([
    writeNumber(1, rejected),
    writeBytes(2, Buffer.from(reason, "utf8")),
  ]);
  return toResponse(format, { partialSuccess }, writeBytes(1, message), { status: 200 });
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
  const protobuf = Buffer.concat([
    writeNumber(1, code),
    writeBytes(2, Buffer.from(message, "utf8")),
  ]);
  const format = toOtlpFormat(mediaType) ?? "json";
  return toResponse(format, { code, message }, protobuf, { status, headers });
}
