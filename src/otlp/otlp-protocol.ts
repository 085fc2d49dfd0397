import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";

/** Encodings of OTLP over HTTP, as `OTEL_EXPORTER_OTLP_PROTOCOL` names them. */
export type OtlpProtocol = "http/json" | "http/protobuf";

/** The signals that we export. */
export type OtlpSignal = "traces" | "logs";

/** What a signal consists of. */
export type OtlpItem = ReadableSpan | ReadableLogRecord;

/** Writes requests and reads answers of one signal in one encoding. */
export interface OtlpCodec<Item extends OtlpItem> {
  encode(items: Item[]): Uint8Array | undefined;
  /** How many items a backend says it did not take, although it took the request. */
  countRejected(answer: Buffer): number;
}

interface Rejections {
  readonly partialSuccess?:
    | {
        readonly rejectedSpans?: number | undefined;
        readonly rejectedLogRecords?: number | undefined;
      }
    | undefined;
}

interface Serializer<Item> {
  serializeRequest(items: Item[]): Uint8Array | undefined;
  deserializeResponse(answer: Uint8Array): Rejections;
}

/** Gives the media type of an encoding. */
export function toContentType(protocol: OtlpProtocol): string {
  return protocol === "http/json" ? "application/json" : "application/x-protobuf";
}

function toCodec<Item extends OtlpItem>(serializer: Serializer<Item>): OtlpCodec<Item> {
  return {
    encode: (items) => serializer.serializeRequest(items),
    countRejected(answer) {
      if (answer.length === 0) return 0;
      try {
        const { partialSuccess } = serializer.deserializeResponse(answer);
        // 64-bit numbers are text in JSON, whatever the type says.
        const count: unknown =
          partialSuccess?.rejectedSpans ?? partialSuccess?.rejectedLogRecords ?? 0;
        return Math.max(0, Math.trunc(Number(count)) || 0);
      } catch {
        // An answer in words of its own; the status has said that the request was taken.
        return 0;
      }
    },
  };
}

/** Loads the codec of spans; only at the first export, because most processes never need one. */
export async function loadTraceCodec(protocol: OtlpProtocol): Promise<OtlpCodec<ReadableSpan>> {
  const { JsonTraceSerializer, ProtobufTraceSerializer } =
    await import("@opentelemetry/otlp-transformer");
  return toCodec(protocol === "http/json" ? JsonTraceSerializer : ProtobufTraceSerializer);
}

/** Loads the codec of log records; only at the first export. */
export async function loadLogsCodec(protocol: OtlpProtocol): Promise<OtlpCodec<ReadableLogRecord>> {
  const { JsonLogsSerializer, ProtobufLogsSerializer } =
    await import("@opentelemetry/otlp-transformer");
  return toCodec(protocol === "http/json" ? JsonLogsSerializer : ProtobufLogsSerializer);
}
