import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";
import { LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import type { ContentPolicy, OtlpDestination } from "../config/config.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { systemClock, type Clock } from "../util/clock.ts";
import type { BurstLogger } from "../util/logger.ts";
import type { OtlpSignal } from "./otlp-exporter.ts";
import { type OtlpTarget, createOtlpFanOut } from "./otlp-fan-out.ts";
import type { OtlpEndpoint } from "./otlp-transport.ts";

/** A provider pair of the monitor's own, with a queue of its own for each destination and signal. */
export type OtlpProviders = ReturnType<typeof createOtlpProviders>;

/** Settings that all destinations share. */
export interface OtlpProvidersOptions {
  /** Policy of destinations without one of their own. */
  readonly content: ContentPolicy;
  /** Attributes of the resource, beside those of `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. */
  readonly attributes: Record<string, string>;
  /** Redacts for destinations with the policy `redacted`. */
  readonly redactor?: Redactor | undefined;
  /** Deadline of one request in ms. @defaultValue 10,000 */
  readonly requestTimeout?: number | undefined;
  /** Deadline of `shutdown` and `flushAtExit` in ms. @defaultValue 10000 */
  readonly shutdownTimeout?: number | undefined;
  /** Spans, and log records, that wait for one destination. @defaultValue 20,000 */
  readonly maxQueueSize?: number | undefined;
  /** Bytes of them. @defaultValue 64 MiB */
  readonly maxQueueBytes?: number | undefined;
  readonly log?: BurstLogger | undefined;
  readonly clock?: Clock | undefined;
}

const MEBIBYTE = 1024 * 1024;

/** Returns the resource of the application: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` name it. */
export function toResource(attributes: Record<string, string>): Resource {
  return defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes(attributes));
}

function toTarget(
  { url, headers = {}, protocol = "http/json", signals, content }: OtlpDestination,
  options: OtlpProvidersOptions,
): OtlpTarget {
  const { host } = new URL(url);
  const toEndpoint = (signal: OtlpSignal): OtlpEndpoint | undefined =>
    signals && !signals.includes(signal)
      ? undefined
      : {
          url: `${url.replace(/\/$/, "")}/v1/${signal}`,
          protocol,
          headers,
          timeoutMillis: options.requestTimeout ?? 10_000,
        };
  return {
    url,
    traces: toEndpoint("traces"),
    logs: toEndpoint("logs"),
    content: content ?? options.content,
    redactor: options.redactor,
    maxItems: options.maxQueueSize ?? 20_000,
    maxBytes: options.maxQueueBytes ?? 64 * MEBIBYTE,
    clock: options.clock ?? systemClock,
    onDropped: (signal, count, reason) =>
      options.log?.log(
        "warn",
        `otlp:${host}:${signal}`,
        `OTLP destination ${host}: ${signal} are lost (${reason})`,
        undefined,
        count,
      ),
  };
}

/** Creates the private providers of the configured destinations; they are never registered globally. */
export function createOtlpProviders(
  destinations: readonly OtlpDestination[],
  options: OtlpProvidersOptions,
) {
  const { shutdownTimeout = 10_000, requestTimeout = 10_000, clock = systemClock } = options;
  const resource = toResource(options.attributes);
  const targets = destinations.map((destination) => toTarget(destination, options));
  const fanOut = createOtlpFanOut(targets, requestTimeout, clock);
  return {
    ...fanOut,
    tracerProvider: new BasicTracerProvider({ resource, spanProcessors: fanOut.spanProcessors }),
    loggerProvider: new LoggerProvider({ resource, processors: fanOut.logRecordProcessors }),
    /** Sends what can be sent within `shutdownTimeout` and drops the rest, so that the process can end. */
    flushAtExit: (): Promise<void> => fanOut.flushAtExit(shutdownTimeout),
    /** Does what `flushAtExit` does, within a time in ms (default: `shutdownTimeout`), and closes everything. */
    shutdown: (timeoutMillis = shutdownTimeout): Promise<void> => fanOut.shutdown(timeoutMillis),
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
