import { ProblemError } from "../problem.ts";
import { parseJson, readMediaType } from "../read-body.ts";
import type { Steps } from "../turns.ts";
import { decodeLogs, decodeSpans } from "./decode-telemetry.ts";
import { LOGS_REQUEST, TRACE_REQUEST } from "./messages.ts";
import { type OtlpFormat, PROTOBUF_MEDIA_TYPE, toOtlpFormat } from "./otlp-response.ts";
import type { Received, ReceivedLogRecord, ReceivedSpan } from "./received.ts";
import { type Message, findJsonExcess, readWireMessage } from "./wire-reader.ts";

/**
 * How many times the bound of a batch a request may have: 20 MiB by default, the Collector's limit as well.
 *
 * Every span of a model call repeats the conversation so far, and exporters count spans, not bytes.
 */
export const BODY_FACTOR = 4;

/** How the requests of one kind of telemetry are read. */
export interface TelemetryKind<Item> {
  readonly message: Message;
  readonly decode: (request: unknown, receivedAt: number) => Steps<Received<Item>>;
}

export const SPANS: TelemetryKind<ReceivedSpan> = { message: TRACE_REQUEST, decode: decodeSpans };
export const LOG_RECORDS: TelemetryKind<ReceivedLogRecord> = {
  message: LOGS_REQUEST,
  decode: decodeLogs,
};

/** Returns the encoding of a request; throws a problem where it is neither of the two. */
export function readOtlpFormat(request: Request): OtlpFormat {
  const format = toOtlpFormat(readMediaType(request));
  if (format) return format;
  const detail = `the content type must be application/json or ${PROTOBUF_MEDIA_TYPE}`;
  throw new ProblemError("unsupported_media_type", detail);
}

function* parseBoundedJson(bytes: Buffer): Steps<unknown> {
  const excess = yield* findJsonExcess(bytes);
  if (excess === undefined) return yield* parseJson(bytes);
  throw new ProblemError("malformed_body", `the body has ${excess}`);
}

/** Reads the items of a request; throws a problem where it is no OTLP, or none of them is valid. */
export function* readTelemetry<Item>(
  { bytes, format }: { readonly bytes: Buffer; readonly format: OtlpFormat },
  { message, decode }: TelemetryKind<Item>,
  receivedAt: number,
): Steps<Received<Item>> {
  const isJson = format === "json";
  const value: unknown = yield* isJson ? parseBoundedJson(bytes) : readWireMessage(bytes, message);
  const received = yield* decode(value, receivedAt);
  const { items, rejected, reason = "" } = received;
  if (items.length > 0 || rejected === 0) return received;
  throw new ProblemError("malformed_body", `nothing in the body is valid: ${reason}`);
}
