import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import {
  BatchLogRecordProcessor,
  LoggerProvider,
  type LogRecordExporter,
} from "@opentelemetry/sdk-logs";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import type { ContentPolicy, OtlpDestination } from "../config.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { withContentPolicy } from "./content-policy.ts";

/** A provider pair of the monitor's own, with one pair of batch processors for each destination. */
export interface OtlpProviders {
  readonly tracerProvider: BasicTracerProvider;
  readonly loggerProvider: LoggerProvider;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

type Exporter<Item> = {
  export(items: Item[], done: (result: ExportResult) => void): void;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
};

/** Loads an exporter at the first export: most processes never need it. */
function toLazyExporter<Item>(
  load: () => Promise<Exporter<Item>>,
): Exporter<Item> & { forceFlush(): Promise<void> } {
  let loaded: Promise<Exporter<Item>> | undefined;
  return {
    export(items, done) {
      void (async () => {
        try {
          const exporter = await (loaded ??= load());
          exporter.export(items, done);
        } catch (error) {
          done({ code: ExportResultCode.FAILED, error: error as Error });
        }
      })();
    },
    async forceFlush() {
      await (await loaded)?.forceFlush?.();
    },
    async shutdown() {
      await (await loaded)?.shutdown();
    },
  };
}

const OTLP_ENVIRONMENT = /^OTEL_EXPORTER_OTLP_/;

/**
 * Constructs an OTLP exporter out of sight of the `OTEL_EXPORTER_OTLP_*` variables.
 *
 * The exporter merges them under its options, so a key in `OTEL_EXPORTER_OTLP_HEADERS`, meant for the
 * application's own backend, would be sent to every destination. It reads them while it is constructed only.
 */
export function withoutOtlpEnvironment<T>(construct: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => OTLP_ENVIRONMENT.test(name));
  for (const [name] of hidden) delete process.env[name];
  try {
    return construct();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}

function toExporterOptions(
  { url, headers }: OtlpDestination,
  path: string,
): { url: string; headers: Record<string, string> } {
  return { url: url.replace(/\/$/, "") + path, headers: headers ?? {} };
}

function createSpanExporter(destination: OtlpDestination): SpanExporter {
  return toLazyExporter(async () => {
    const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
    return withoutOtlpEnvironment(
      () => new OTLPTraceExporter(toExporterOptions(destination, "/v1/traces")),
    );
  });
}

function createLogExporter(destination: OtlpDestination): LogRecordExporter {
  return toLazyExporter(async () => {
    const { OTLPLogExporter } = await import("@opentelemetry/exporter-logs-otlp-http");
    return withoutOtlpEnvironment(
      () => new OTLPLogExporter(toExporterOptions(destination, "/v1/logs")),
    );
  });
}

/**
 * Creates the private providers of the configured destinations; they are never registered globally.
 *
 * @param redactor - Redacts for destinations with the policy `redacted`.
 */
export function createOtlpProviders(
  destinations: readonly OtlpDestination[],
  defaultContent: ContentPolicy,
  attributes: Record<string, string>,
  redactor?: Redactor,
): OtlpProviders {
  // `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` name the application, whoever receives its telemetry.
  const resource: Resource = defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(attributes));
  const of = (signal: "traces" | "logs"): OtlpDestination[] =>
    destinations.filter(({ signals }) => signals === undefined || signals.includes(signal));
  const policyOf = ({ content }: OtlpDestination): ContentPolicy => content ?? defaultContent;

  const tracerProvider = new BasicTracerProvider({
    resource,
    spanProcessors: of("traces").map(
      (destination) =>
        new BatchSpanProcessor(
          withContentPolicy(createSpanExporter(destination), policyOf(destination), redactor),
        ),
    ),
  });
  const loggerProvider = new LoggerProvider({
    resource,
    processors: of("logs").map(
      (destination) =>
        new BatchLogRecordProcessor({
          exporter: withContentPolicy(
            createLogExporter(destination),
            policyOf(destination),
            redactor,
          ),
        }),
    ),
  });
  return {
    tracerProvider,
    loggerProvider,
    async forceFlush() {
      await Promise.allSettled([tracerProvider.forceFlush(), loggerProvider.forceFlush()]);
    },
    async shutdown() {
      await Promise.allSettled([tracerProvider.shutdown(), loggerProvider.shutdown()]);
    },
  };
}

/**
 * What is to be written so that every destination can have its part: each destination's own policy cuts it down
 * again, and redacts off the track path.
 */
export function toWidestPolicy(
  destinations: readonly OtlpDestination[],
  defaultContent: ContentPolicy,
): ContentPolicy {
  return destinations.some(({ content }) => (content ?? defaultContent) !== "none")
    ? "full"
    : "none";
}
