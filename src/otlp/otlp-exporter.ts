import type { ExportResult } from "@opentelemetry/core";
import type { OTLPExporterBase } from "@opentelemetry/otlp-exporter-base";
import type { ISerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { ContentPolicy } from "../config/config.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { withContentPolicy } from "../telemetry/content-policy.ts";
import { toErrorName } from "../util/logger.ts";
import { toRecord } from "../util/values.ts";
import type { OtlpEndpoint, OtlpTransport } from "./otlp-transport.ts";

/** The signals that we export. */
export type OtlpSignal = "traces" | "logs";

/** What a signal consists of. */
export type OtlpItem = ReadableSpan | ReadableLogRecord;

/** What came of sending a batch. */
export interface OtlpDelivery {
  readonly sent: number;
  /** Why the rest was not sent. */
  readonly reason?: string | undefined;
}

/** What a destination may see. */
export interface OtlpContent {
  readonly content: ContentPolicy;
  readonly redactor?: Redactor | undefined;
}

/** A batch as OpenTelemetry's delegate gets it: items it would log, where the application has it log every detail. */
type Batch = () => OtlpItem[];

type Serializer = ISerializer<OtlpItem[], unknown>;

/** A serializer of OpenTelemetry's that counts what it writes of a batch, and what the backend says of it. */
class CountingSerializer {
  readonly #inner: Serializer;
  /** Items that stand in the last body. */
  written = 0;
  /** Of these, what the backend did not take; `undefined` until it takes the body. */
  rejected: number | undefined;

  constructor(inner: Serializer) {
    this.#inner = inner;
  }

  /** Writes a batch; one item that can't be written, a cycle for instance, must not take the others with it. */
  serializeRequest(batch: Batch): Uint8Array | undefined {
    const items = batch();
    const body = this.#write(items);
    const readable = body ? items : items.filter((item) => this.#write([item]) !== undefined);
    this.written = readable.length;
    this.rejected = undefined;
    return body ?? (readable.length > 0 ? this.#write(readable) : undefined);
  }

  /** Returns nothing: the delegate would log what a backend says. */
  deserializeResponse(answer: Uint8Array): object {
    this.rejected = Math.min(this.written, this.#countRejected(answer));
    return {};
  }

  #write(items: OtlpItem[]): Uint8Array | undefined {
    try {
      return this.#inner.serializeRequest(items);
    } catch {
      return undefined;
    }
  }

  #countRejected(answer: Uint8Array): number {
    if (answer.length === 0) return 0;
    try {
      const { partialSuccess } = toRecord(this.#inner.deserializeResponse(answer));
      const { rejectedSpans, rejectedLogRecords } = toRecord(partialSuccess);
      // 64-bit numbers are text in JSON, whatever the type says.
      return Math.max(0, Math.trunc(Number(rejectedSpans ?? rejectedLogRecords)) || 0);
    } catch {
      // An answer in words of its own; the status has said that the request was taken.
      return 0;
    }
  }
}

const SERIALIZERS = {
  traces: { "http/json": "JsonTraceSerializer", "http/protobuf": "ProtobufTraceSerializer" },
  logs: { "http/json": "JsonLogsSerializer", "http/protobuf": "ProtobufLogsSerializer" },
} as const;

async function loadClass(signal: OtlpSignal) {
  return signal === "traces"
    ? (await import("@opentelemetry/exporter-trace-otlp-http")).OTLPTraceExporter
    : (await import("@opentelemetry/exporter-logs-otlp-http")).OTLPLogExporter;
}

/**
 * Creates OpenTelemetry's exporter of a signal, with a transport of ours below its delegate.
 *
 * Its own constructor would make the delegate, with a transport that can't be ended, of what the application's
 * `OTEL_EXPORTER_OTLP_*` say; that of its base class takes one.
 */
async function loadExporter(
  signal: OtlpSignal,
  { url, protocol, timeoutMillis }: OtlpEndpoint,
  transport: OtlpTransport,
): Promise<{ exporter: OTLPExporterBase<Batch>; serializer: CountingSerializer }> {
  const [base, transformer, exporterClass] = await Promise.all([
    import("@opentelemetry/otlp-exporter-base"),
    import("@opentelemetry/otlp-transformer"),
    loadClass(signal),
  ]);
  const serializer = new CountingSerializer(transformer[SERIALIZERS[signal][protocol]]);
  const metrics = new base.ExporterMetrics<Batch>({
    componentType: `otlp_http_${signal}_exporter`,
    metricsHelper: {
      name: signal === "traces" ? "span" : "log",
      countItems: (batch) => batch().length,
    },
    url,
    meterProvider: undefined,
    responseAttributesFromError: () => ({}),
  });
  const settings = { timeoutMillis, concurrencyLimit: 1, compression: "none" } as const;
  const delegate = base.createOtlpNetworkExportDelegate(settings, serializer, metrics, transport);
  const given: unknown = Reflect.construct(base.OTLPExporterBase, [delegate], exporterClass);
  return { exporter: given as OTLPExporterBase<Batch>, serializer };
}

/**
 * Creates what sends the batches of one signal to one endpoint, one at a time, under a content policy; it never rejects.
 *
 * OpenTelemetry's packages are loaded with the first batch: most processes never have one.
 */
export function createOtlpSender(
  signal: OtlpSignal,
  endpoint: OtlpEndpoint,
  { content, redactor }: OtlpContent,
  transport: OtlpTransport,
): (items: OtlpItem[]) => Promise<OtlpDelivery> {
  const load = async () => {
    const { exporter, serializer } = await loadExporter(signal, endpoint, transport);
    const ofItems = {
      export: (items: OtlpItem[], done: (result: ExportResult) => void) =>
        exporter.export(() => items, done),
      shutdown: () => exporter.shutdown(),
    };
    return { exporter: withContentPolicy(ofItems, content, redactor), serializer };
  };
  let loaded: Awaited<ReturnType<typeof load>> | undefined;
  return async (items) => {
    const { signal: ended } = transport;
    try {
      loaded ??= await load();
      if (ended.aborted) return { sent: 0, reason: "aborted" };
      const { exporter, serializer } = loaded;
      const { error } = await new Promise<ExportResult>((done) => exporter.export(items, done));
      const { written, rejected } = serializer;
      if (written === 0) return { sent: 0 };
      if (rejected === undefined) return { sent: 0, reason: error?.message };
      return { sent: written - rejected, reason: rejected > 0 ? "rejected" : undefined };
    } catch (error) {
      return { sent: 0, reason: toErrorName(error) };
    }
  };
}
