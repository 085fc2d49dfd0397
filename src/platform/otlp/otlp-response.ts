import type { ProblemError } from "../problem.ts";

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
export interface PartialSuccess {
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
export function toSuccessResponse(
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
