import type { ProblemError } from "../problem.ts";
import type { Received } from "./received.ts";

/** Name in JSON of the count of items that were left out; its number is the same in both responses. */
export type CountName = "rejectedLogRecords" | "rejectedSpans";

/** Media type of OTLP in protobuf. */
export const PROTOBUF_MEDIA_TYPE = "application/x-protobuf";
const JSON_MEDIA_TYPE = "application/json";

/** Encoding of a request and of its response. */
export type OtlpFormat = "json" | "protobuf";

/** Returns the encoding of a media type; `undefined` when it is neither. */
export function toOtlpFormat(mediaType: string): OtlpFormat | undefined {
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
export function toSuccessResponse(
  format: OtlpFormat,
  countName: CountName,
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
